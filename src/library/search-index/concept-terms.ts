// Which terms of an index are the stems of the glossary, by number: each is looked up once, and no string is made for it.

import { MEANING_MARK } from '../language/concepts.js';
import type { Glossary } from '../language/glossary.js';
import type { Postings } from './postings.js';

const NOT_LOOKED_UP = -2;

export class ConceptTerms {
  private readonly index: Postings;
  private readonly glossary: Glossary;
  private readonly terms: Int32Array;

  constructor(index: Postings, glossary: Glossary) {
    this.index = index;
    this.glossary = glossary;
    this.terms = new Int32Array(glossary.stems).fill(NOT_LOOKED_UP);
  }

  /** Number of the term that is this stem of the glossary, or -1. */
  find(stem: number): number {
    const known = this.terms[stem]!;
    if (known >= 0) return known;
    const term = known === NOT_LOOKED_UP ? this.index.terms.find(this.spell(stem)) : -1;
    this.terms[stem] = term;
    // A changed sticker may add it at any time.
    return term < 0 && this.index.addedTerms.length > 0 ? this.index.find(this.spell(stem)) : term;
  }

  private spell(stem: number): string {
    return MEANING_MARK + this.glossary.stem(stem);
  }
}
