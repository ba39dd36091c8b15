// Which terms of an index are the stems of the glossary, by number: each is looked up once, and no string is made for it.

import { MEANING_MARK } from '../language/concepts.js';
import type { Glossary } from '../language/glossary.js';
import type { StickerIndex } from './sticker-index.js';

const NOT_LOOKED_UP = -2;
const NONE = -1;

export class ConceptTerms {
  private readonly index: StickerIndex;
  private readonly glossary: Glossary;
  private readonly terms: Int32Array;
  private known: number;

  constructor(index: StickerIndex, glossary: Glossary) {
    this.index = index;
    this.glossary = glossary;
    this.terms = new Int32Array(glossary.stems).fill(NOT_LOOKED_UP);
    this.known = index.terms.size;
  }

  /** Number of the term that is this stem of the glossary, or -1. */
  find(stem: number): number {
    if (this.known < this.index.terms.size) this.lookAgain();
    const known = this.terms[stem]!;
    if (known !== NOT_LOOKED_UP) return known;
    return (this.terms[stem] = this.index.find(MEANING_MARK + this.glossary.stem(stem)));
  }

  // A sticker that came may have brought what there was none of.
  private lookAgain(): void {
    this.known = this.index.terms.size;
    for (let i = 0; i < this.terms.length; i++) if (this.terms[i] === NONE) this.terms[i] = NOT_LOOKED_UP;
  }
}
