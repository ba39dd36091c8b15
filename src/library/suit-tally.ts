// Adds up, word by word, how well each document suits a submission. One per index, used again for every match.

/** What every word of a copy after the strongest adds: that several agree is worth something, but many weak ones are no strong one. */
const FURTHER_WORD = 0.5;
/** The same of words that the document does not have, only synonyms of them or what means the same. */
const FURTHER_IMPLIED = 0.4;
/** What is left of a document that shows what the copy says not to be so, whatever else speaks for it. */
const DENIED = 0.2;

export class SuitTally {
  /** How many documents suit at all. */
  size = 0;
  private readonly found: Uint32Array;
  private readonly explicit: Float64Array;
  private readonly said: Float64Array;
  private readonly mostSaid: Float64Array;
  private readonly implied: Float64Array;
  private readonly mostImplied: Float64Array;
  /** Number of the word added last, from 1; 0 while the document has none. */
  private readonly lastWord: Uint16Array;
  private readonly chiefWord: Uint16Array;
  private readonly chiefShare: Float64Array;
  private readonly isDenied: Uint8Array;

  /** For documents numbered from 0 up to `documents`. */
  constructor(documents: number) {
    this.found = new Uint32Array(documents);
    this.explicit = new Float64Array(documents);
    this.said = new Float64Array(documents);
    this.mostSaid = new Float64Array(documents);
    this.implied = new Float64Array(documents);
    this.mostImplied = new Float64Array(documents);
    this.lastWord = new Uint16Array(documents);
    this.chiefWord = new Uint16Array(documents);
    this.chiefShare = new Float64Array(documents);
    this.isDenied = new Uint8Array(documents);
  }

  /** Forgets everything. */
  clear(): void {
    for (const document of this.documents()) {
      this.explicit[document] = 0;
      this.said[document] = 0;
      this.mostSaid[document] = 0;
      this.implied[document] = 0;
      this.mostImplied[document] = 0;
      this.lastWord[document] = 0;
      this.chiefShare[document] = 0;
      this.isDenied[document] = 0;
    }
    this.size = 0;
  }

  /** Credits a word of the copy that the document has, numbered from 1, once per document: its first share counts, so that the largest is to come first. */
  creditSaid(document: number, word: number, share: number): void {
    if (!this.isNew(document, word, share)) return;
    this.said[document]! += share;
    if (share > this.mostSaid[document]!) this.mostSaid[document] = share;
  }

  /** The same for a word that the document implies: it has a synonym, or what means the same. */
  creditImplied(document: number, word: number, share: number): void {
    if (!this.isNew(document, word, share)) return;
    this.implied[document]! += share;
    if (share > this.mostImplied[document]!) this.mostImplied[document] = share;
  }

  /** The same for an explicit keyword. */
  creditExplicit(document: number, word: number, share: number): void {
    if (this.isNew(document, word, share)) this.explicit[document]! += share;
  }

  /** Takes note that the copy negates what a document shows; to be credited too. */
  deny(document: number): void {
    this.isDenied[document] = 1;
  }

  private isNew(document: number, word: number, share: number): boolean {
    const last = this.lastWord[document]!;
    if (last === word) return false;
    if (last === 0) this.found[this.size++] = document;
    this.lastWord[document] = word;
    if (share > this.chiefShare[document]!) {
      this.chiefWord[document] = word;
      this.chiefShare[document] = share;
    }
    return true;
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
    const said = this.mostSaid[document]!;
    const implied = this.mostImplied[document]!;
    const sum =
      said +
      FURTHER_WORD * (this.said[document]! - said) +
      implied +
      FURTHER_IMPLIED * (this.implied[document]! - implied);
    const copy = this.isDenied[document] === 1 ? DENIED * sum : sum;
    return explicit > 0 ? explicit + copy / (20 + copy) : copy;
  }
}
