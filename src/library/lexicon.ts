// What questions are understood with: an index, the words of the language, and what is worked out from both.

import { Companions } from './companions.js';
import type { CompiledIndex } from './compiled-index.js';
import type { Glossary } from './glossary.js';
import { MeaningTerms } from './meaning-terms.js';
import type { Spelling } from './spelling.js';
import type { Synonyms } from './synonyms.js';
import { Vocabulary } from './vocabulary.js';

/** What is given. */
export interface LexiconParts {
  readonly index: CompiledIndex;
  readonly synonyms: Synonyms;
  readonly glossary: Glossary;
  readonly spelling: Spelling;
}

/** What a query is understood with. */
export interface Lexicon extends LexiconParts {
  readonly vocabulary: Vocabulary;
  readonly meaningTerms: MeaningTerms;
  readonly companions: Companions;
  /** A byte for each document, for whoever is at work. */
  readonly marks: Uint8Array;
}

/** A lexicon of these parts. */
export function createLexicon({ index, synonyms, glossary, spelling }: LexiconParts): Lexicon {
  return {
    index,
    synonyms,
    glossary,
    spelling,
    vocabulary: new Vocabulary(index, synonyms),
    meaningTerms: new MeaningTerms(index, glossary),
    companions: new Companions(index),
    marks: new Uint8Array(index.capacity),
  };
}
