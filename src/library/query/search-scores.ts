// What the documents score for a query: what its terms are worth, how much of the query each document has, and what a
// document means.

import { documentOf } from '../search-index/postings.js';
import type { StickerIndex } from '../search-index/sticker-index.js';
import { ScoreAccumulator } from './score-accumulator.js';
import type { Scorer } from './top-k.js';

/** What coverage is worth: next to nothing for a few characters, all for the whole query. */
const UNCOVERED = 0.08;
/** At least 1, for `bound` to be true. */
const COVERAGE_POWER = 1.33;
/** A meaning counts by itself, and a little more where characters agree too. */
const MEANING_ALONE = 0.45;
const MEANING_COVERED = 0.22;
/** A further meaning of a piece of the query adds less than the first. */
const FURTHER_MEANING = 0.4;
/** What a document means that means another piece of the query too. */
const AGREEING = 2.4;

const WIDTH = 2;
/** What the terms of a document are worth together. */
export const SUM = 0;
/** The share of the query that it has. */
export const COVERED = 1;

export class SearchScores implements Scorer {
  readonly met: ScoreAccumulator;
  private readonly index: StickerIndex;
  // By place; zero behind the documents that were met. Apart from the rows: the less a posting touches, the faster.
  /** What its meanings are worth. */
  private readonly meant: Float64Array;
  /** The piece of the query that it meant last. */
  private readonly pieces: Int32Array;
  private piece = 0;
  /** The pieces that may agree with others begin here. */
  private agreeFrom = Infinity;
  private lastCovered = 0;
  private lastPower = 0;

  constructor(index: StickerIndex) {
    this.index = index;
    this.met = new ScoreAccumulator(index.capacity, WIDTH);
    this.meant = new Float64Array(index.capacity);
    this.pieces = new Int32Array(index.capacity);
  }

  /** Forgets everything. */
  clear(): void {
    this.meant.fill(0, 0, this.met.size);
    this.pieces.fill(0, 0, this.met.size);
    this.met.clear();
    this.piece = 0;
    this.agreeFrom = Infinity;
  }

  /** Adds a term's weights times `boost`, and its share of the query. */
  add(term: number, boost: number, coverage: number): void {
    const { met } = this;
    const { rows } = met;
    const { postings, weights, from, to } = this.index.listOf(term);
    for (let i = from; i < to; i++) {
      const at = met.meet(documentOf(postings[i]!)) * WIDTH;
      rows[at + SUM]! += weights[i]! * boost;
      rows[at + COVERED]! += coverage;
    }
  }

  /** The same, but only of documents met before: they have more of the query. */
  addToMet(term: number, boost: number, coverage: number): void {
    const { met } = this;
    const { rows } = met;
    const { postings, weights, from, to } = this.index.listOf(term);
    for (let i = from; i < to; i++) {
      const at = met.placeOf(documentOf(postings[i]!)) * WIDTH;
      if (at < 0) continue;
      rows[at + SUM]! += weights[i]! * boost;
      rows[at + COVERED]! += coverage;
    }
  }

  /**
   * Adds terms that mean one piece of the query; the first that a document has counts in full. Where pieces agree, that
   * of a document which means one added before counts for more.
   */
  addMeanings(terms: readonly { readonly term: number; readonly boost: number }[], agrees = false): void {
    const { met, meant, pieces } = this;
    const piece = ++this.piece;
    const agreeFrom = agrees ? (this.agreeFrom = Math.min(this.agreeFrom, piece)) : Infinity;
    for (const { term, boost } of terms) {
      const { postings, weights, from, to } = this.index.listOf(term);
      for (let i = from; i < to; i++) {
        const place = met.meet(documentOf(postings[i]!));
        const worth = weights[i]! * boost;
        const last = pieces[place]!;
        meant[place]! += last === piece ? worth * FURTHER_MEANING : last >= agreeFrom ? worth * AGREEING : worth;
        pieces[place] = piece;
      }
    }
  }

  /** What ranks a document that was met: its terms as far as they cover the query, and what it means. */
  score(document: number): number {
    const { rows } = this.met;
    const place = this.met.placeOf(document);
    const at = place * WIDTH;
    const covered = Math.min(1, rows[at + COVERED]!);
    const meant = this.meant[place]! * (MEANING_ALONE + MEANING_COVERED * covered);
    return rows[at + SUM]! * (UNCOVERED + this.powerOf(covered)) + meant;
  }

  /** Gives for each document no less than its score, without the power of the coverage. */
  bound(documents: Uint32Array, bounds: Float64Array): void {
    const { met, meant } = this;
    const { rows } = met;
    for (let i = 0; i < documents.length; i++) {
      const place = met.placeOf(documents[i]!);
      const at = place * WIDTH;
      const share = rows[at + COVERED]!;
      const covered = share < 1 ? share : 1;
      bounds[i] = rows[at + SUM]! * (UNCOVERED + covered) + meant[place]! * (MEANING_ALONE + MEANING_COVERED * covered);
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
}
