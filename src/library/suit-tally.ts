// Adds up, word by word, how well each document suits a submission. One per index, used again for every match.

/** What every word of a copy after the strongest adds: that several agree is worth something, but many weak ones are no strong one. */
const FURTHER_WORD = 0.5;
/** The same of words that the document does not have, only synonyms of them or what means the same. */
const FURTHER_IMPLIED = 0.4;
/** What is left of a document that shows what the copy says not to be so, whatever else speaks for it. */
const DENIED = 0.2;

// What is known of a document lies together: a line or two of the processor's cache for each posting, not nine.
const WIDTH = 8;
/** What its explicit keywords are worth. */
const EXPLICIT = 0;
const SAID = 1;
const MOST_SAID = 2;
const IMPLIED = 3;
const MOST_IMPLIED = 4;
/** The word that brought it most, and what that brought. */
const CHIEF_WORD = 5;
const CHIEF_SHARE = 6;
/** The word added last, as numbered since this tally was made: what stands there of earlier submissions means nothing. */
const STAMP = 7;

export class SuitTally {
  /** How many documents suit at all. */
  size = 0;
  private readonly found: Uint32Array;
  private readonly known: Float64Array;
  private readonly denied = new Set<number>();
  /** Before the first word of this submission. */
  private begun = 0;
  private lastWord = 0;

  /** For documents numbered from 0 up to `documents`. */
  constructor(documents: number) {
    this.found = new Uint32Array(documents);
    this.known = new Float64Array(documents * WIDTH);
  }

  /** Forgets everything. */
  clear(): void {
    this.size = 0;
    this.begun = this.lastWord;
    this.denied.clear();
  }

  /** Credits a word of the copy that the document has, numbered from 1, once per document: its first share counts, so that the largest is to come first. */
  creditSaid(document: number, word: number, share: number): void {
    const at = this.meet(document, word, share);
    if (at < 0) return;
    this.known[at + SAID]! += share;
    if (share > this.known[at + MOST_SAID]!) this.known[at + MOST_SAID] = share;
  }

  /** The same for a word that the document implies: it has a synonym, or what means the same. */
  creditImplied(document: number, word: number, share: number): void {
    const at = this.meet(document, word, share);
    if (at < 0) return;
    this.known[at + IMPLIED]! += share;
    if (share > this.known[at + MOST_IMPLIED]!) this.known[at + MOST_IMPLIED] = share;
  }

  /** The same for an explicit keyword. */
  creditExplicit(document: number, word: number, share: number): void {
    const at = this.meet(document, word, share);
    if (at >= 0) this.known[at + EXPLICIT]! += share;
  }

  /** Takes note that the copy negates what a document shows; to be credited too. */
  deny(document: number): void {
    this.denied.add(document);
  }

  /** Gives the place of what is known of the document, or -1 when it was credited for the word. */
  private meet(document: number, word: number, share: number): number {
    const at = document * WIDTH;
    const { known } = this;
    const stamp = this.begun + word;
    const last = known[at + STAMP]!;
    if (last === stamp) return -1;
    if (last <= this.begun) {
      known.fill(0, at, at + STAMP);
      this.found[this.size++] = document;
    }
    known[at + STAMP] = stamp;
    if (stamp > this.lastWord) this.lastWord = stamp;
    if (share > known[at + CHIEF_SHARE]!) {
      known[at + CHIEF_WORD] = word;
      known[at + CHIEF_SHARE] = share;
    }
    return at;
  }

  /** The documents found so far. */
  documents(): Uint32Array {
    return this.found.subarray(0, this.size);
  }

  /** Whether an explicit keyword found the document. */
  isExplicit(document: number): boolean {
    return this.known[document * WIDTH + EXPLICIT]! > 0;
  }

  /** The word that brought a document most. */
  chiefWordOf(document: number): number {
    return this.known[document * WIDTH + CHIEF_WORD]!;
  }

  /** Explicit keywords decide, the copy only orders what they found; without them the copy's words decide. */
  score(document: number): number {
    const at = document * WIDTH;
    const { known } = this;
    const explicit = known[at + EXPLICIT]!;
    const said = known[at + MOST_SAID]!;
    const implied = known[at + MOST_IMPLIED]!;
    const sum =
      said +
      FURTHER_WORD * (known[at + SAID]! - said) +
      implied +
      FURTHER_IMPLIED * (known[at + IMPLIED]! - implied);
    const copy = this.denied.size > 0 && this.denied.has(document) ? DENIED * sum : sum;
    return explicit > 0 ? explicit + copy / (20 + copy) : copy;
  }
}
