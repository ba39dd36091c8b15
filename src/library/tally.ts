// Adds up over the documents what a query's terms are worth and how much of the query each document has. One per
// index, used again for every query.

import { documentOf, type CompiledIndex } from './compiled-index.js';

/** What coverage is worth: next to nothing for a few characters, all for the whole query. */
const UNCOVERED = 0.08;
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
  private readonly isMet: Uint8Array;
  private readonly lastPiece: Uint16Array;
  private pieces = 0;
  private readonly index: CompiledIndex;

  constructor(index: CompiledIndex) {
    this.index = index;
    const size = index.capacity;
    this.documents = new Uint32Array(size);
    this.sums = new Float64Array(size);
    this.meant = new Float64Array(size);
    this.covered = new Float64Array(size);
    this.isMet = new Uint8Array(size);
    this.lastPiece = new Uint16Array(size);
  }

  /** Forgets everything. */
  clear(): void {
    for (let i = 0; i < this.size; i++) this.forget(this.documents[i]!);
    this.size = 0;
    this.pieces = 0;
  }

  /** Adds a term's weights times `boost`, and its share of the query. */
  add(term: number, boost: number, coverage: number): void {
    if (this.index.changes.size === 0) return this.addAll(term, boost, coverage);
    this.index.forEachPosting(term, (document, _, weight) => {
      this.meet(document);
      this.sums[document]! += weight * boost;
      this.covered[document]! += coverage;
    });
  }

  // The same without a call for each posting: single characters of a long query come to tens of thousands.
  private addAll(term: number, boost: number, coverage: number): void {
    const { starts, postings, weights } = this.index.arrays;
    const { sums, covered, isMet } = this;
    for (let i = starts[term]!, end = starts[term + 1]!; i < end; i++) {
      const document = documentOf(postings[i]!);
      if (isMet[document] === 0) this.meet(document);
      sums[document]! += weights[i]! * boost;
      covered[document]! += coverage;
    }
  }

  /** Adds terms that mean one piece of the query; the first that a document has counts in full. */
  addMeanings(terms: readonly { readonly term: number; readonly boost: number }[]): void {
    const piece = ++this.pieces;
    for (const { term, boost } of terms) {
      this.index.forEachPosting(term, (document, _, weight) => {
        this.meet(document);
        const factor = this.lastPiece[document] === piece ? FURTHER_MEANING : 1;
        this.lastPiece[document] = piece;
        this.meant[document]! += weight * boost * factor;
      });
    }
  }

  /** What the terms of a document are worth together; 0 when none was met. */
  sum(document: number): number {
    return this.sums[document]!;
  }

  /** The share of the query that a document has. */
  coverage(document: number): number {
    return this.covered[document]!;
  }

  /** What ranks a document: its terms as far as they cover the query, and what it means. */
  score(document: number): number {
    const covered = Math.min(1, this.covered[document]!);
    const said = this.sums[document]! * (UNCOVERED + covered ** COVERAGE_POWER);
    return said + this.meant[document]! * (MEANING_ALONE + MEANING_COVERED * covered);
  }

  /** No less than the score, without the power of the coverage. */
  atMost(document: number): number {
    const covered = Math.min(1, this.covered[document]!);
    const said = this.sums[document]! * (UNCOVERED + covered);
    return said + this.meant[document]! * (MEANING_ALONE + MEANING_COVERED * covered);
  }

  private meet(document: number): void {
    if (this.isMet[document] === 1) return;
    this.isMet[document] = 1;
    this.documents[this.size++] = document;
  }

  private forget(document: number): void {
    this.sums[document] = 0;
    this.meant[document] = 0;
    this.covered[document] = 0;
    this.isMet[document] = 0;
    this.lastPiece[document] = 0;
  }
}
