// The lists of documents of all terms, in three arrays that grow: a list that has no room any more moves to the end. What
// a posting weighs is for sticker-index.ts.

import { withRoom } from '../packed/with-room.js';

/** What is stored of the lists. */
export interface StoredLists {
  /** Per term how many postings it has; they follow one another in the order of the terms. */
  readonly counts: Uint32Array;
  /** Document number and field bits, by document. */
  readonly postings: Uint32Array;
  /** Of a posting how often the title has the term and, times 256, the keywords; of a meaning how sure it is. */
  readonly details: Uint16Array;
}

export class PostingLists {
  postings: Uint32Array;
  details: Uint16Array;
  weights: Float32Array;
  starts: Uint32Array;
  counts: Uint32Array;
  /** Per term the generation of the index that its weights are of. */
  weighed: Uint32Array;
  private rooms: Uint32Array;
  private used: number;

  constructor({ counts, postings, details }: StoredLists) {
    this.postings = postings;
    this.details = details;
    this.used = postings.length;
    this.weights = new Float32Array(this.used);
    this.counts = counts;
    this.rooms = counts.slice();
    this.weighed = new Uint32Array(counts.length);
    this.starts = new Uint32Array(counts.length);
    for (let term = 1; term < counts.length; term++) this.starts[term] = this.starts[term - 1]! + counts[term - 1]!;
  }

  append(term: number, posting: number, detail: number): void {
    if (term >= this.counts.length) this.growTerms(term + 1);
    const count = this.counts[term]!;
    if (count === this.rooms[term]) this.move(term, Math.max(1, 2 * count));
    const place = this.starts[term]! + count;
    this.postings[place] = posting;
    this.details[place] = detail;
    this.counts[term] = count + 1;
  }

  /** Leaves out what is not to be kept, in place. */
  keepOnly(term: number, isKept: (posting: number) => boolean): void {
    const { postings, details, starts, counts } = this;
    const from = starts[term]!;
    let to = from;
    for (let i = from; i < from + counts[term]!; i++) {
      if (!isKept(postings[i]!)) continue;
      postings[to] = postings[i]!;
      details[to++] = details[i]!;
    }
    counts[term] = to - from;
  }

  /** What is stored of the lists of so many terms, one after the other. */
  toStored(terms: number): StoredLists {
    this.growTerms(terms);
    const total = this.counts.reduce((sum, count) => sum + count, 0);
    const postings = new Uint32Array(total);
    const details = new Uint16Array(total);
    let at = 0;
    for (let term = 0; term < terms; term++) {
      const from = this.starts[term]!;
      const to = from + this.counts[term]!;
      postings.set(this.postings.subarray(from, to), at);
      details.set(this.details.subarray(from, to), at);
      at += to - from;
    }
    return { counts: this.counts.slice(0, terms), postings, details };
  }

  private growTerms(count: number): void {
    this.counts = withRoom(this.counts, count);
    this.rooms = withRoom(this.rooms, count);
    this.starts = withRoom(this.starts, count);
    this.weighed = withRoom(this.weighed, count);
  }

  private move(term: number, room: number): void {
    const from = this.starts[term]!;
    const to = this.used;
    this.used += room;
    this.postings = withRoom(this.postings, this.used);
    this.details = withRoom(this.details, this.used);
    this.weights = withRoom(this.weights, this.used);
    this.postings.copyWithin(to, from, from + this.counts[term]!);
    this.details.copyWithin(to, from, from + this.counts[term]!);
    this.starts[term] = to;
    this.rooms[term] = room;
  }
}
