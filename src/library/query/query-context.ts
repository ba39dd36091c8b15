// What questions are understood with: an index, the words of the language, and what is worked out from both.

import { Cooccurrence } from '../search-index/cooccurrence.js';
import type { CompiledIndex } from '../search-index/compiled-index.js';
import type { Glossary } from '../language/glossary.js';
import { ConceptTerms } from '../search-index/concept-terms.js';
import type { Spelling } from '../search-index/spelling.js';
import type { Synonyms } from '../language/synonyms.js';
import { Vocabulary } from '../search-index/vocabulary.js';

/** What is given. */
export interface QueryContextParts {
  readonly index: CompiledIndex;
  readonly synonyms: Synonyms;
  readonly glossary: Glossary;
  readonly spelling: Spelling;
}

/** What a query is understood with. */
export interface QueryContext extends QueryContextParts {
  readonly vocabulary: Vocabulary;
  readonly meaningTerms: ConceptTerms;
  readonly companions: Cooccurrence;
  /** A byte for each document, for whoever is at work. */
  readonly marks: Uint8Array;
}

/** A lexicon of these parts. */
export function createQueryContext({ index, synonyms, glossary, spelling }: QueryContextParts): QueryContext {
  return {
    index,
    synonyms,
    glossary,
    spelling,
    vocabulary: new Vocabulary(index, synonyms),
    meaningTerms: new ConceptTerms(index, glossary),
    companions: new Cooccurrence(index),
    marks: new Uint8Array(index.capacity),
  };
}
