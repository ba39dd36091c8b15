// Adds up the scores of a query over the documents, as MiniSearch does: the weights of its terms, times the number
// of distinct query terms that hit. One per index, used again for every query.

import { documentOf, type CompiledIndex } from './compiled-index.js';

export class Tally {
  /** How many documents have a score. */
  size = 0;
  /** Their numbers; only the first `size` count. */
  readonly documents: Uint32Array;
  private readonly sums: Float64Array;
  private readonly hits: Uint16Array;
  private readonly lastSource: Uint16Array;
  private readonly index: CompiledIndex;

  constructor(index: CompiledIndex) {
    this.index = index;
    this.documents = new Uint32Array(index.size);
    this.sums = new Float64Array(index.size);
    this.hits = new Uint16Array(index.size);
    this.lastSource = new Uint16Array(index.size);
  }

  /** Forgets everything. */
  clear(): void {
    for (let i = 0; i < this.size; i++) this.forget(this.documents[i]!);
    this.size = 0;
  }

  /**
   * Adds a term's weights times `boost`. Terms of one `source` (from 1) count as one hit and must be added one after
   * the other.
   */
  add(term: number, boost: number, source: number): void {
    if (term < 0) return;
    const { starts, postings, weights } = this.index.arrays;
    for (let i = starts[term]!; i < starts[term + 1]!; i++) {
      const document = documentOf(postings[i]!);
      if (this.hits[document] === 0) this.documents[this.size++] = document;
      this.sums[document]! += weights[i]! * boost;
      if (this.lastSource[document] !== source) this.hits[document]!++;
      this.lastSource[document] = source;
    }
  }

  /** Score of a document; 0 when nothing hit it. */
  score(document: number): number {
    return this.sums[document]! * this.hits[document]!;
  }

  private forget(document: number): void {
    this.sums[document] = 0;
    this.hits[document] = 0;
    this.lastSource[document] = 0;
  }
}
