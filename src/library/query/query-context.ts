// What a query is answered with: an index, the words of the language, and what is worked out from both.

import type { Glossary } from '../language/glossary.js';
import type { Synonyms } from '../language/synonyms.js';
import type { CombinedIndex } from '../search-index/combined-index.js';
import { ConceptTerms } from '../search-index/concept-terms.js';
import { Cooccurrence } from '../search-index/cooccurrence.js';
import type { Spelling } from '../search-index/spelling.js';
import { Vocabulary } from '../search-index/vocabulary.js';
import { MatchScores } from './match-scores.js';
import { SearchScores } from './search-scores.js';
import { markUsual } from './usual-pictures.js';

export interface QueryContextParts {
  readonly index: CombinedIndex;
  readonly synonyms: Synonyms;
  readonly glossary: Glossary;
  readonly spelling: Spelling;
}

export interface QueryContext extends QueryContextParts {
  readonly vocabulary: Vocabulary;
  readonly conceptTerms: ConceptTerms;
  readonly cooccurrence: Cooccurrence;
  // For one query at a time.
  readonly searchScores: SearchScores;
  readonly matchScores: MatchScores;
  /** A byte for each document. */
  readonly marks: Uint8Array;
}

/** The context of these parts. */
export function createQueryContext(parts: QueryContextParts): QueryContext {
  const { index, synonyms, glossary } = parts;
  const { built } = index;
  return {
    ...parts,
    vocabulary: new Vocabulary(index, synonyms),
    conceptTerms: new ConceptTerms(index, glossary),
    cooccurrence: new Cooccurrence(built),
    searchScores: new SearchScores(index),
    matchScores: new MatchScores(index, () => markUsual(built)),
    marks: new Uint8Array(index.capacity),
  };
}
