// Which terms of an index are the stems of the glossary, by number: each is looked up once, and no string is made for it.

import type { CompiledIndex } from './compiled-index.js';
import type { Glossary } from '../language/glossary.js';
import { MEANING_MARK } from '../language/concepts.js';

const NOT_LOOKED_UP = -2;

export class ConceptTerms {
  private readonly index: CompiledIndex;
  private readonly glossary: Glossary;
  private readonly terms: Int32Array;

  constructor(index: CompiledIndex, glossary: Glossary) {
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
    // What came since may bring it at any time.
    return term < 0 && this.index.changes.size > 0 ? this.index.changes.find(this.spell(stem)) : term;
  }

  private spell(stem: number): string {
    return MEANING_MARK + this.glossary.stem(stem);
  }
}
