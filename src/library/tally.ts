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
/** What a document means that means another piece of the query too. */
const AGREEING = 2.4;

// What is known of a document lies together: one line of the processor's cache for each posting, not five.
const WIDTH = 4;
/** What its terms are worth. */
const SUM = 0;
/** The share of the query that it has. */
const COVERED = 1;
/** What it means is worth. */
const MEANT = 2;
/** The number of the query that met it last, or of the piece that meant it; what stands there of earlier ones means nothing. */
const STAMP = 3;

export class Tally {
  /** How many documents have been met. */
  size = 0;
  /** Their numbers; only the first `size` count. */
  readonly documents: Uint32Array;
  private readonly known: Float64Array;
  /** Counts queries and their pieces. */
  private stamp = 0;
  /** Those of this query begin here. */
  private begun = 0;
  /** Those of pieces that may agree with others begin here. */
  private agreeFrom = Infinity;
  private readonly index: CompiledIndex;

  constructor(index: CompiledIndex) {
    this.index = index;
    this.documents = new Uint32Array(index.capacity);
    this.known = new Float64Array(index.capacity * WIDTH);
    this.clear();
  }

  /** Forgets everything. */
  clear(): void {
    this.size = 0;
    this.begun = ++this.stamp;
    this.agreeFrom = Infinity;
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
    const { known, begun } = this;
    for (let i = starts[term]!, end = starts[term + 1]!; i < end; i++) {
      const document = documentOf(postings[i]!);
      const at = document * WIDTH;
      if (known[at + STAMP]! < begun) this.meet(document);
      known[at + SUM]! += weights[i]! * boost;
      known[at + COVERED]! += coverage;
    }
  }

  /** The same, but meets no documents: what was met before has more of the query. */
  addToMet(term: number, boost: number, coverage: number): void {
    if (!this.index.changes.isEmpty) {
      this.index.forEachPosting(term, (document, _, weight) => {
        if (this.isMet(document)) this.credit(document * WIDTH, weight * boost, coverage);
      });
      return;
    }
    const { starts, postings, weights } = this.index.arrays;
    const { known, begun } = this;
    for (let i = starts[term]!, end = starts[term + 1]!; i < end; i++) {
      const at = documentOf(postings[i]!) * WIDTH;
      if (known[at + STAMP]! < begun) continue;
      known[at + SUM]! += weights[i]! * boost;
      known[at + COVERED]! += coverage;
    }
  }

  /**
   * Adds terms that mean one piece of the query; the first that a document has counts in full. Where pieces agree, that
   * of a document which means one added before counts for more.
   */
  addMeanings(terms: readonly { readonly term: number; readonly boost: number }[], agrees = false): void {
    this.stamp++;
    const agreeFrom = agrees ? (this.agreeFrom = Math.min(this.agreeFrom, this.stamp)) : Infinity;
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
    const { known, begun, stamp } = this;
    for (let i = starts[term]!, end = starts[term + 1]!; i < end; i++) {
      const document = documentOf(postings[i]!);
      const at = document * WIDTH;
      const last = known[at + STAMP]!;
      if (last < begun) this.meet(document);
      const worth = weights[i]! * boost;
      known[at + MEANT]! +=
        last === stamp ? worth * FURTHER_MEANING : last >= agreeFrom ? worth * AGREEING : worth;
      known[at + STAMP] = stamp;
    }
  }

  /** What the terms of a document that was met are worth together. */
  sum(document: number): number {
    return this.known[document * WIDTH + SUM]!;
  }

  /** The share of the query that it has. */
  coverage(document: number): number {
    return this.known[document * WIDTH + COVERED]!;
  }

  /** What ranks it: its terms as far as they cover the query, and what it means. */
  score(document: number): number {
    const covered = Math.min(1, this.coverage(document));
    const power = covered === 0 || covered === 1 ? covered : covered ** COVERAGE_POWER;
    return this.scoreWith(document, covered, power);
  }

  /** No less than the score, without the power of the coverage. */
  atMost(document: number): number {
    const covered = Math.min(1, this.coverage(document));
    return this.scoreWith(document, covered, covered);
  }

  private scoreWith(document: number, covered: number, power: number): number {
    const meant = this.known[document * WIDTH + MEANT]!;
    return this.sum(document) * (UNCOVERED + power) + meant * (MEANING_ALONE + MEANING_COVERED * covered);
  }

  private credit(at: number, worth: number, coverage: number): void {
    this.known[at + SUM]! += worth;
    this.known[at + COVERED]! += coverage;
  }

  private mean(document: number, worth: number, agreeFrom: number): void {
    const at = this.meet(document);
    const last = this.known[at + STAMP]!;
    this.known[at + MEANT]! +=
      last === this.stamp ? worth * FURTHER_MEANING : last >= agreeFrom ? worth * AGREEING : worth;
    this.known[at + STAMP] = this.stamp;
  }

  private isMet(document: number): boolean {
    return this.known[document * WIDTH + STAMP]! >= this.begun;
  }

  /** Gives the place of what is known of the document. */
  private meet(document: number): number {
    const at = document * WIDTH;
    const { known } = this;
    if (known[at + STAMP]! >= this.begun) return at;
    known[at + SUM] = 0;
    known[at + COVERED] = 0;
    known[at + MEANT] = 0;
    known[at + STAMP] = this.begun;
    this.documents[this.size++] = document;
    return at;
  }
}
