// Adds up over the documents what a query's terms are worth and how much of the query each document has. One per
// index, used again for every query.

import { documentOf, type CompiledIndex } from './compiled-index.js';

/** What coverage is worth: next to nothing for a few characters, all for the whole query. */
const UNCOVERED = 0.1;
/** At least 1, for `atMost` to be true. */
const COVERAGE_POWER = 1.33;
/** A meaning counts by itself, and a little more where characters agree too. */
const MEANING_ALONE = 0.45;
const MEANING_COVERED = 0.12;
/** A further meaning of a piece of the query adds less than the first. */
const FURTHER_MEANING = 0.4;

export class Tally {
  /** How many documents have been met. */
  size = 0;
  /** Their numbers; only the first `size` count. */
  readonly documents: Uint32Array;
  private readonly sums: Float64Array;
  private readonly meant: Float64Array;
  private readonly covered: Float64Array;
  /** Which query met a document last: what stands there of an earlier one means nothing. */
  private readonly metBy: Uint32Array;
  private query = 1;
  /** Which piece of a query meant a document last; numbered on from query to query. */
  private readonly meantBy: Uint32Array;
  private piece = 0;
  private readonly index: CompiledIndex;

  constructor(index: CompiledIndex) {
    this.index = index;
    const size = index.capacity;
    this.documents = new Uint32Array(size);
    this.sums = new Float64Array(size);
    this.meant = new Float64Array(size);
    this.covered = new Float64Array(size);
    this.metBy = new Uint32Array(size);
    this.meantBy = new Uint32Array(size);
  }

  /** Forgets everything. */
  clear(): void {
    this.size = 0;
    this.query = next(this.query, this.metBy);
  }

  /** Adds a term's weights times `boost`, and its share of the query. */
  add(term: number, boost: number, coverage: number): void {
    if (!this.index.changes.isEmpty) {
      this.index.forEachPosting(term, (document, _, weight) => {
        this.meet(document);
        this.credit(document, weight * boost, coverage);
      });
      return;
    }
    // The same without a call for each posting: single characters of a long query come to tens of thousands.
    const { starts, postings, weights } = this.index.arrays;
    for (let i = starts[term]!, end = starts[term + 1]!; i < end; i++) {
      const document = documentOf(postings[i]!);
      this.meet(document);
      this.credit(document, weights[i]! * boost, coverage);
    }
  }

  /** The same, but meets no documents: what was met before has more of the query. */
  addToMet(term: number, boost: number, coverage: number): void {
    const { metBy, query } = this;
    if (!this.index.changes.isEmpty) {
      this.index.forEachPosting(term, (document, _, weight) => {
        if (metBy[document] === query) this.credit(document, weight * boost, coverage);
      });
      return;
    }
    const { starts, postings, weights } = this.index.arrays;
    for (let i = starts[term]!, end = starts[term + 1]!; i < end; i++) {
      const document = documentOf(postings[i]!);
      if (metBy[document] === query) this.credit(document, weights[i]! * boost, coverage);
    }
  }

  /** Adds terms that mean one piece of the query; the first that a document has counts in full. */
  addMeanings(terms: readonly { readonly term: number; readonly boost: number }[]): void {
    this.piece = next(this.piece, this.meantBy);
    const { starts, postings, weights } = this.index.arrays;
    const isWhole = this.index.changes.isEmpty;
    for (const { term, boost } of terms) {
      if (isWhole) {
        for (let i = starts[term]!, end = starts[term + 1]!; i < end; i++)
          this.mean(documentOf(postings[i]!), weights[i]! * boost);
      } else this.index.forEachPosting(term, (document, _, weight) => this.mean(document, weight * boost));
    }
  }

  /** What the terms of a document that was met are worth together. */
  sum(document: number): number {
    return this.sums[document]!;
  }

  /** The share of the query that it has. */
  coverage(document: number): number {
    return this.covered[document]!;
  }

  /** What ranks it: its terms as far as they cover the query, and what it means. */
  score(document: number): number {
    const covered = Math.min(1, this.covered[document]!);
    const power = covered === 0 || covered === 1 ? covered : covered ** COVERAGE_POWER;
    return (
      this.sums[document]! * (UNCOVERED + power) +
      this.meant[document]! * (MEANING_ALONE + MEANING_COVERED * covered)
    );
  }

  /** No less than the score, without the power of the coverage. */
  atMost(document: number): number {
    const covered = Math.min(1, this.covered[document]!);
    return (
      this.sums[document]! * (UNCOVERED + covered) +
      this.meant[document]! * (MEANING_ALONE + MEANING_COVERED * covered)
    );
  }

  private credit(document: number, worth: number, coverage: number): void {
    this.sums[document]! += worth;
    this.covered[document]! += coverage;
  }

  private mean(document: number, worth: number): void {
    this.meet(document);
    this.meant[document]! += this.meantBy[document] === this.piece ? worth * FURTHER_MEANING : worth;
    this.meantBy[document] = this.piece;
  }

  private meet(document: number): void {
    if (this.metBy[document] === this.query) return;
    this.metBy[document] = this.query;
    this.sums[document] = 0;
    this.meant[document] = 0;
    this.covered[document] = 0;
    this.documents[this.size++] = document;
  }
}

// The number after this one in a table of such numbers, which is emptied when they have run out.
function next(number: number, table: Uint32Array): number {
  if (number < 0xffffffff) return number + 1;
  table.fill(0);
  return 1;
}
