// Adds up, word by word, how well each document suits a submission. One per index, used again for every match.

export class SuitTally {
  /** How many documents suit at all. */
  size = 0;
  private readonly found: Uint32Array;
  private readonly explicit: Float64Array;
  private readonly copy: Float64Array;
  /** Number of the word added last, from 1; 0 while the document has none. */
  private readonly lastWord: Uint16Array;
  private readonly chiefWord: Uint16Array;
  private readonly chiefShare: Float64Array;

  /** For documents numbered from 0 up to `documents`. */
  constructor(documents: number) {
    this.found = new Uint32Array(documents);
    this.explicit = new Float64Array(documents);
    this.copy = new Float64Array(documents);
    this.lastWord = new Uint16Array(documents);
    this.chiefWord = new Uint16Array(documents);
    this.chiefShare = new Float64Array(documents);
  }

  /** Forgets everything. */
  clear(): void {
    for (const document of this.documents()) {
      this.explicit[document] = 0;
      this.copy[document] = 0;
      this.lastWord[document] = 0;
      this.chiefShare[document] = 0;
    }
    this.size = 0;
  }

  /** Credits a word, numbered from 1, once per document: its first share counts, so that the largest is to come first. */
  credit(document: number, word: number, share: number, isExplicit: boolean): void {
    const last = this.lastWord[document]!;
    if (last === word) return;
    if (last === 0) this.found[this.size++] = document;
    this.lastWord[document] = word;
    const sums = isExplicit ? this.explicit : this.copy;
    sums[document]! += share;
    if (share <= this.chiefShare[document]!) return;
    this.chiefWord[document] = word;
    this.chiefShare[document] = share;
  }

  /** The documents found so far. */
  documents(): Uint32Array {
    return this.found.subarray(0, this.size);
  }

  /** Whether an explicit keyword found the document. */
  isExplicit(document: number): boolean {
    return this.explicit[document]! > 0;
  }

  /** The word that brought a document most. */
  chiefWordOf(document: number): number {
    return this.chiefWord[document]!;
  }

  /** Explicit keywords decide, the copy only orders what they found; without them the copy's words decide. */
  score(document: number): number {
    const explicit = this.explicit[document]!;
    const copy = this.copy[document]!;
    return explicit > 0 ? explicit + (0.5 * copy) / (10 + copy) : copy;
  }
}
