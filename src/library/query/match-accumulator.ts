// Adds up, word by word, how well each document suits a submission. One per index, used again for every match.

import { documentOf, fieldsOf, IN_TITLE, type CompiledIndex } from '../search-index/compiled-index.js';
import { markUsual } from './usual-pictures.js';
import { commonFields } from './word-lookup.js';

/** What every word of a copy after the strongest adds: that several agree is worth something, but many weak ones are no strong one. */
const FURTHER_WORD = 0.5;
/** The same of words that the document does not have, only synonyms of them or what means the same. */
const FURTHER_IMPLIED = 0.4;
/** What is left of a document that shows what the copy says not to be so, whatever else speaks for it. */
const DENIED = 0.2;

// What is known of a document lies together: one line of the processor's cache for each posting. The lines lie in the
// order in which documents were found.
const WIDTH = 8;
const SAID = 0;
const MOST_SAID = 1;
const IMPLIED = 2;
const MOST_IMPLIED = 3;
const EXPLICIT = 4;
/** The most that one word brought, in whichever way, and which word. */
const MOST = 6;
const CHIEF_WORD = 7;
/** Beside each sum lies the most that one word brought to it. */
const SUMS = { said: SAID, implied: IMPLIED, explicit: EXPLICIT } as const;
/** Places are integers of 32 bits. */
const MAX_BEGUN = 2 ** 30;
const BITS = 32;

/** Among what suits about as well comes first what people use. */
const USUAL = 1.15;
/** Among equals, the sticker that says less besides comes first. */
const FOCUS = 0.12;

/** What a document gets for a term of a word. */
export interface Credit {
  /** Number of the word, from 1. */
  readonly word: number;
  /** Whether the document has the word, or a synonym or what means the same; or it was an explicit keyword. */
  readonly by: keyof typeof SUMS;
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

export class MatchAccumulator {
  /** How many documents suit at all. */
  size = 0;
  private readonly found: Uint32Array;
  /** Zero behind those that were found. */
  private readonly known: Float64Array;
  /** For each document, the place in `found` of one that was found, plus `begun`; less than that for all others. */
  private readonly places: Int32Array;
  private begun = 1;
  /** By place, a bit for each word that found it, in as many blocks as there are words; zero behind them likewise. */
  private readonly words: Int32Array[] = [];
  private usual: Uint8Array | undefined;
  private readonly denied = new Set<number>();
  private readonly index: CompiledIndex;

  constructor(index: CompiledIndex) {
    this.index = index;
    this.found = new Uint32Array(index.capacity);
    this.known = new Float64Array(index.capacity * WIDTH);
    this.places = new Int32Array(index.capacity);
  }

  /** Forgets everything. */
  clear(): void {
    this.usual ??= markUsual(this.index);
    this.known.fill(0, 0, this.size * WIDTH);
    for (const bits of this.words) bits.fill(0, 0, this.size);
    this.begun += this.size;
    this.size = 0;
    this.denied.clear();
    if (this.begun < MAX_BEGUN) return;
    this.places.fill(0);
    this.begun = 1;
  }

  /**
   * Credits a word by a term of it and the others that have to stand beside it, once per document: what it brings first
   * counts, so that the largest is to come first.
   */
  credit(term: number, others: readonly number[], credit: Credit): void {
    const { index } = this;
    if (index.changes.isEmpty && others.length === 0 && !credit.denies) return this.creditAll(term, credit);
    index.forEachPosting(term, (document, found, posting) => {
      const fields = commonFields(others, document, found, index);
      if (fields === 0) return;
      if (credit.denies) this.denied.add(document);
      this.creditOne(document, fields, posting, credit);
    });
  }

  private creditOne(document: number, fields: number, posting: number, credit: Credit): void {
    const bits = this.bitsOf(credit.word);
    const bit = bitOf(credit.word);
    const place = this.meet(document);
    if ((bits[place]! & bit) !== 0) return;
    bits[place]! |= bit;
    const { title, keywords, weight, blur, word, by } = credit;
    const share = ((fields & IN_TITLE) !== 0 ? title : keywords) * (1 + FOCUS * posting) * weight * blur;
    addShare(this.known, place * WIDTH, SUMS[by], share, word);
  }

  // The same without a call for each posting: a long copy comes to tens of thousands.
  private creditAll(term: number, { title, keywords, weight, blur, word, by }: Credit): void {
    const { starts, postings, weights } = this.index.arrays;
    const { known, places, found, begun } = this;
    const bits = this.bitsOf(word);
    const bit = bitOf(word);
    const sum = SUMS[by];
    let { size } = this;
    for (let i = starts[term]!, end = starts[term + 1]!; i < end; i++) {
      const document = documentOf(postings[i]!);
      let place = places[document]! - begun;
      if (place < 0) {
        place = size++;
        places[document] = begun + place;
        found[place] = document;
      } else if ((bits[place]! & bit) !== 0) continue;
      bits[place]! |= bit;
      const strength = (fieldsOf(postings[i]!) & IN_TITLE) !== 0 ? title : keywords;
      const share = strength * (1 + FOCUS * weights[i]!) * weight * blur;
      addShare(known, place * WIDTH, sum, share, word);
    }
    this.size = size;
  }

  private meet(document: number): number {
    const place = this.placeOf(document);
    if (place >= 0) return place;
    this.places[document] = this.begun + this.size;
    this.found[this.size] = document;
    return this.size++;
  }

  private placeOf(document: number): number {
    return this.places[document]! - this.begun;
  }

  private bitsOf(word: number): Int32Array {
    const block = Math.floor(word / BITS);
    while (this.words.length <= block) this.words.push(new Int32Array(this.found.length));
    return this.words[block]!;
  }

  /** Whether a word found a document that was found. */
  hasWord(document: number, word: number): boolean {
    return (this.bitsOf(word)[this.placeOf(document)]! & bitOf(word)) !== 0;
  }

  /** The documents found so far. */
  documents(): Uint32Array {
    return this.found.subarray(0, this.size);
  }

  /** Whether an explicit keyword found the document. */
  isExplicit(document: number): boolean {
    return this.known[this.placeOf(document) * WIDTH + EXPLICIT]! > 0;
  }

  /** The word that brought a document most. */
  chiefWordOf(document: number): number {
    return this.known[this.placeOf(document) * WIDTH + CHIEF_WORD]!;
  }

  /** Explicit keywords decide, the copy only orders what they found; without them the copy's words decide. */
  score(document: number): number {
    const at = this.placeOf(document) * WIDTH;
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

  /** The scores of many at once. */
  scoreAll(documents: Uint32Array, scores: Float64Array): void {
    for (let i = 0; i < documents.length; i++) scores[i] = this.score(documents[i]!);
  }
}

function bitOf(word: number): number {
  return 1 << (word % BITS);
}

function addShare(known: Float64Array, at: number, sum: number, share: number, word: number): void {
  if (share > known[at + MOST]!) {
    known[at + MOST] = share;
    known[at + CHIEF_WORD] = word;
  }
  known[at + sum]! += share;
  if (share > known[at + sum + 1]!) known[at + sum + 1] = share;
}
