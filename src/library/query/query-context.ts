// What a query is answered with: an index, the words of the language, and what is worked out from both.

import type { Glossary } from '../language/glossary.js';
import { readLanguageText } from '../language/language-data.js';
import type { Synonyms } from '../language/synonyms.js';
import { WHOLE_MARK } from '../language/tokenise.js';
import { ConceptTerms } from '../search-index/concept-terms.js';
import { forEachPosting } from '../search-index/postings.js';
import type { Spelling } from '../search-index/spelling.js';
import type { StickerIndex } from '../search-index/sticker-index.js';
import { Vocabulary } from '../search-index/vocabulary.js';
import { IN_TITLE } from '../search-index/weigh-terms.js';
import { MatchScores } from './match-scores.js';
import { SearchScores } from './search-scores.js';

export interface QueryContextParts {
  readonly index: StickerIndex;
  readonly synonyms: Synonyms;
  readonly glossary: Glossary;
  readonly spelling: Spelling;
}

export interface QueryContext extends QueryContextParts {
  readonly vocabulary: Vocabulary;
  readonly conceptTerms: ConceptTerms;
  // For one query at a time.
  readonly searchScores: SearchScores;
  readonly matchScores: MatchScores;
  /** A byte for each document. */
  readonly marks: Uint8Array;
}

/** The context of these parts. */
export function createQueryContext(parts: QueryContextParts): QueryContext {
  const { index, synonyms, glossary } = parts;
  return {
    ...parts,
    vocabulary: new Vocabulary(index, synonyms),
    conceptTerms: new ConceptTerms(index, glossary),
    searchScores: new SearchScores(index),
    matchScores: new MatchScores(index, () => markUsual(index)),
    marks: new Uint8Array(index.capacity),
  };
}

/** Read once: an update may take the file from under a daemon that runs. */
let titles: readonly string[] | undefined;

/** A byte for each title of the index, by its number: 1 for such a one, a number behind it or not. */
function markUsual(index: StickerIndex): Uint8Array {
  const marks = new Uint8Array(index.terms.size);
  titles ??= readLanguageText('usual-pictures/usual-pictures.txt').trimEnd().split('\n');
  for (const title of titles) {
    forEachPosting(index.find(WHOLE_MARK + title), index, (document, fields) => {
      // A title with a colon has its parts for names too: a variant of what is usual is not.
      if ((fields & IN_TITLE) !== 0 && index.namesOf(document) === 1) marks[index.titleOf(document)] = 1;
    });
  }
  return marks;
}
