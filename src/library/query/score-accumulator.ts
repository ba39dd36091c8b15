// Adds up over the documents what a query's terms are worth and how much of the query each document has. One per
// index, used again for every query.

import { documentOf, type CompiledIndex } from '../search-index/compiled-index.js';

/** What coverage is worth: next to nothing for a few characters, all for the whole query. */
const UNCOVERED = 0.08;
/** At least 1, for `bound` to be true. */
const COVERAGE_POWER = 1.33;
/** A meaning counts by itself, and a little more where characters agree too. */
const MEANING_ALONE = 0.45;
const MEANING_COVERED = 0.12;
/** A further meaning of a piece of the query adds less than the first. */
const FURTHER_MEANING = 0.4;
/** What a document means that means another piece of the query too. */
const AGREEING = 2.4;

// Its terms' worth and the share of the query that it has lie side by side: a posting touches both.
const WIDTH = 2;
const SUM = 0;
const COVERED = 1;

/** Places are integers of 32 bits. */
const MAX_BEGUN = 2 ** 30;

/**
 * What is known of documents lies in the order in which they were met: what a query walks over again and again stays in
 * the processor's nearest cache, however large the library.
 */
export class ScoreAccumulator {
  /** How many documents have been met. */
  size = 0;
  /** Their numbers; only the first `size` count. */
  readonly documents: Uint32Array;
  // By place in `documents`; zero behind those that were met.
  private readonly sums: Float64Array;
  /** What it means is worth. */
  private readonly meant: Float64Array;
  /** The piece of the query that meant it last. */
  private readonly pieces: Int32Array;
  /** For each document, the place in `documents` of one that was met, plus `begun`; less than that for all others. */
  private readonly places: Int32Array;
  private begun = 1;
  private piece = 0;
  private lastCovered = 0;
  private lastPower = 0;
  /** The pieces that may agree with others begin here. */
  private agreeFrom = Infinity;
  private readonly index: CompiledIndex;

  constructor(index: CompiledIndex) {
    this.index = index;
    this.documents = new Uint32Array(index.capacity);
    this.sums = new Float64Array(index.capacity * WIDTH);
    this.meant = new Float64Array(index.capacity);
    this.pieces = new Int32Array(index.capacity);
    this.places = new Int32Array(index.capacity);
  }

  /** Forgets everything. */
  clear(): void {
    this.sums.fill(0, 0, this.size * WIDTH);
    this.meant.fill(0, 0, this.size);
    this.pieces.fill(0, 0, this.size);
    this.begun += this.size;
    this.size = 0;
    this.piece = 0;
    this.agreeFrom = Infinity;
    if (this.begun < MAX_BEGUN) return;
    this.places.fill(0);
    this.begun = 1;
  }

  /** Adds a term's weights times `boost`, and its share of the query. */
  add(term: number, boost: number, coverage: number): void {
    if (!this.index.changes.isEmpty) {
      this.index.forEachPosting(term, (document, _, weight) => {
        this.credit(this.meet(document), weight * boost, coverage);
      });
      return;
    }
    // The same without a call for each posting: single characters of a long query come to tens of thousands.
    const { starts, postings, weights } = this.index.arrays;
    const { sums, places, documents, begun } = this;
    let { size } = this;
    for (let i = starts[term]!, end = starts[term + 1]!; i < end; i++) {
      const document = documentOf(postings[i]!);
      let place = places[document]! - begun;
      if (place < 0) {
        place = size++;
        places[document] = begun + place;
        documents[place] = document;
      }
      sums[place * WIDTH + SUM]! += weights[i]! * boost;
      sums[place * WIDTH + COVERED]! += coverage;
    }
    this.size = size;
  }

  /** The same, but meets no documents: what was met before has more of the query. */
  addToMet(term: number, boost: number, coverage: number): void {
    if (!this.index.changes.isEmpty) {
      this.index.forEachPosting(term, (document, _, weight) => {
        const place = this.places[document]! - this.begun;
        if (place >= 0) this.credit(place, weight * boost, coverage);
      });
      return;
    }
    const { starts, postings, weights } = this.index.arrays;
    const { sums, places, begun } = this;
    for (let i = starts[term]!, end = starts[term + 1]!; i < end; i++) {
      const place = places[documentOf(postings[i]!)]! - begun;
      if (place < 0) continue;
      sums[place * WIDTH + SUM]! += weights[i]! * boost;
      sums[place * WIDTH + COVERED]! += coverage;
    }
  }

  /**
   * Adds terms that mean one piece of the query; the first that a document has counts in full. Where pieces agree, that
   * of a document which means one added before counts for more.
   */
  addMeanings(terms: readonly { readonly term: number; readonly boost: number }[], agrees = false): void {
    this.piece++;
    const agreeFrom = agrees ? (this.agreeFrom = Math.min(this.agreeFrom, this.piece)) : Infinity;
    const isWhole = this.index.changes.isEmpty;
    for (const { term, boost } of terms) {
      if (isWhole) this.meanAll(term, boost, agreeFrom);
      else
        this.index.forEachPosting(term, (document, _, weight) =>
          this.mean(document, weight * boost, agreeFrom),
        );
    }
  }

  private meanAll(term: number, boost: number, agreeFrom: number): void {
    const { starts, postings, weights } = this.index.arrays;
    const { meant, pieces, places, documents, begun, piece } = this;
    let { size } = this;
    for (let i = starts[term]!, end = starts[term + 1]!; i < end; i++) {
      const document = documentOf(postings[i]!);
      let place = places[document]! - begun;
      if (place < 0) {
        place = size++;
        places[document] = begun + place;
        documents[place] = document;
      }
      const worth = weights[i]! * boost;
      const last = pieces[place]!;
      meant[place]! +=
        last === piece ? worth * FURTHER_MEANING : last >= agreeFrom ? worth * AGREEING : worth;
      pieces[place] = piece;
    }
    this.size = size;
  }

  /** What the terms of a document that was met are worth together. */
  sum(document: number): number {
    return this.sums[this.placeOf(document) * WIDTH + SUM]!;
  }

  /** The share of the query that it has. */
  coverage(document: number): number {
    return this.sums[this.placeOf(document) * WIDTH + COVERED]!;
  }

  /** What ranks it: its terms as far as they cover the query, and what it means. */
  score(document: number): number {
    const place = this.placeOf(document);
    const covered = Math.min(1, this.sums[place * WIDTH + COVERED]!);
    const meant = this.meant[place]! * (MEANING_ALONE + MEANING_COVERED * covered);
    return this.sums[place * WIDTH + SUM]! * (UNCOVERED + this.powerOf(covered)) + meant;
  }

  /** Gives for each document no less than its score, without the power of the coverage. */
  bound(documents: Uint32Array, bounds: Float64Array): void {
    const { sums, meant, places, begun } = this;
    for (let i = 0; i < documents.length; i++) {
      const place = places[documents[i]!]! - begun;
      const share = sums[place * WIDTH + COVERED]!;
      const covered = share < 1 ? share : 1;
      bounds[i] =
        sums[place * WIDTH + SUM]! * (UNCOVERED + covered) +
        meant[place]! * (MEANING_ALONE + MEANING_COVERED * covered);
    }
  }

  // Stickers with the same part of a query follow one another.
  private powerOf(covered: number): number {
    if (covered === 0 || covered === 1) return covered;
    if (covered !== this.lastCovered) {
      this.lastCovered = covered;
      this.lastPower = covered ** COVERAGE_POWER;
    }
    return this.lastPower;
  }

  private credit(place: number, worth: number, coverage: number): void {
    this.sums[place * WIDTH + SUM]! += worth;
    this.sums[place * WIDTH + COVERED]! += coverage;
  }

  private mean(document: number, worth: number, agreeFrom: number): void {
    const place = this.meet(document);
    const last = this.pieces[place]!;
    this.meant[place]! +=
      last === this.piece ? worth * FURTHER_MEANING : last >= agreeFrom ? worth * AGREEING : worth;
    this.pieces[place] = this.piece;
  }

  private placeOf(document: number): number {
    return this.places[document]! - this.begun;
  }

  /** Gives the place of a document, met now or before. */
  private meet(document: number): number {
    const place = this.placeOf(document);
    if (place >= 0) return place;
    this.places[document] = this.begun + this.size;
    this.documents[this.size] = document;
    return this.size++;
  }
}
