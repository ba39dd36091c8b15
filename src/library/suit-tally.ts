// Adds up, word by word, how well each document suits a submission. One per index, used again for every match.

import { documentOf, fieldsOf, IN_TITLE, type CompiledIndex } from './compiled-index.js';
import { markUsual } from './usual-pictures.js';
import { commonFields } from './word-lookup.js';

/** What every word of a copy after the strongest adds: that several agree is worth something, but many weak ones are no strong one. */
const FURTHER_WORD = 0.5;
/** The same of words that the document does not have, only synonyms of them or what means the same. */
const FURTHER_IMPLIED = 0.4;
/** What is left of a document that shows what the copy says not to be so, whatever else speaks for it. */
const DENIED = 0.2;

// What is known of a document lies together: one line of the processor's cache for each posting, not nine.
const WIDTH = 8;
const SAID = 0;
const MOST_SAID = 1;
const IMPLIED = 2;
const MOST_IMPLIED = 3;
const EXPLICIT = 4;
const MOST_EXPLICIT = 5;
/** The word that brought it most. */
const CHIEF_WORD = 6;
/** The word added last, as numbered since this tally was made: what stands there of earlier submissions means nothing. */
const STAMP = 7;
const PLACES = {
  said: { sum: SAID, most: MOST_SAID },
  implied: { sum: IMPLIED, most: MOST_IMPLIED },
  explicit: { sum: EXPLICIT, most: MOST_EXPLICIT },
} as const;

/** Among what suits about as well comes first what people use. */
const USUAL = 1.15;
/** Among equals, the sticker that says less besides comes first. */
const FOCUS = 0.12;

/** What a document gets for a term of a word. */
export interface Credit {
  /** Number of the word, from 1. */
  readonly word: number;
  /** Whether the document has the word, or a synonym or what means the same; or it was an explicit keyword. */
  readonly by: keyof typeof PLACES;
  /** Worth of the term in a title, and in keywords only. */
  readonly title: number;
  readonly keywords: number;
  /** Of the word. */
  readonly weight: number;
  /** Less than 1 for what only blurs a long copy. */
  readonly blur: number;
  /** Whether the copy says that what shows this is not so. */
  readonly denies: boolean;
}

export class SuitTally {
  /** How many documents suit at all. */
  size = 0;
  private readonly found: Uint32Array;
  private readonly known: Float64Array;
  private usual: Uint8Array | undefined;
  private readonly denied = new Set<number>();
  private readonly index: CompiledIndex;
  /** Before the first word of this submission. */
  private begun = 0;
  private lastWord = 0;

  constructor(index: CompiledIndex) {
    this.index = index;
    this.found = new Uint32Array(index.capacity);
    this.known = new Float64Array(index.capacity * WIDTH);
  }

  /** Forgets everything. */
  clear(): void {
    this.usual ??= markUsual(this.index);
    this.size = 0;
    this.begun = this.lastWord;
    this.denied.clear();
  }

  /**
   * Credits a word by a term of it and the others that have to stand beside it, once per document: what it brings first
   * counts, so that the largest is to come first.
   */
  credit(term: number, others: readonly number[], credit: Credit): void {
    const { index } = this;
    this.lastWord = this.begun + credit.word;
    if (!index.changes.isEmpty || others.length > 0 || credit.denies) {
      index.forEachPosting(term, (document, found, posting) => {
        const fields = commonFields(others, document, found, index);
        if (fields === 0) return;
        if (credit.denies) this.denied.add(document);
        this.add(document, fields, posting, credit);
      });
      return;
    }
    // The same without a call for each posting: a long copy comes to tens of thousands.
    const { starts, postings, weights } = index.arrays;
    for (let i = starts[term]!, end = starts[term + 1]!; i < end; i++)
      this.add(documentOf(postings[i]!), fieldsOf(postings[i]!), weights[i]!, credit);
  }

  private add(document: number, fields: number, posting: number, credit: Credit): void {
    const at = document * WIDTH;
    const { known, lastWord } = this;
    const last = known[at + STAMP]!;
    if (last === lastWord) return;
    if (last <= this.begun) this.meet(document);
    known[at + STAMP] = lastWord;
    const strength = (fields & IN_TITLE) !== 0 ? credit.title : credit.keywords;
    const share = strength * (1 + FOCUS * posting) * credit.weight * credit.blur;
    if (
      share > known[at + MOST_SAID]! &&
      share > known[at + MOST_IMPLIED]! &&
      share > known[at + MOST_EXPLICIT]!
    )
      known[at + CHIEF_WORD] = credit.word;
    const { sum, most } = PLACES[credit.by];
    known[at + sum]! += share;
    if (share > known[at + most]!) known[at + most] = share;
  }

  private meet(document: number): void {
    const at = document * WIDTH;
    for (let i = at; i < at + WIDTH; i++) this.known[i] = 0;
    this.found[this.size++] = document;
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
    const all =
      said +
      FURTHER_WORD * (known[at + SAID]! - said) +
      implied +
      FURTHER_IMPLIED * (known[at + IMPLIED]! - implied);
    const sum = this.usual?.[document] === 1 ? USUAL * all : all;
    const copy = this.denied.size > 0 && this.denied.has(document) ? DENIED * sum : sum;
    return explicit > 0 ? explicit + copy / (20 + copy) : copy;
  }
}
