// Documents by their score, one after the other: the best twelve of a thousand cost a look at a thousand and the ordering
// of twelve.

export interface Scored {
  document: number;
  score: number;
}

export interface Scorer {
  score(document: number): number;
  /** Gives for each document no less than its score, and quicker: the score of those far from the best is never asked for. */
  bound?(documents: Uint32Array, bounds: Float64Array): void;
}

/** If not given, so many are put in order at first: more than a page needs. */
const FIRST = 80;
/** So many are sampled to estimate where the best of all begin. */
const SAMPLE = 32;

/**
 * A heap of documents, higher scores first, equal scores by document number. Of a multitude only those above a mark are
 * in it, until they are used up. Made once: to make its arrays takes longer than to fill them.
 */
export class TopK {
  /** In the heap. */
  private size = 0;
  /** Where those below the mark lie, and how many they are. */
  private restAt = 0;
  private rest = 0;
  private mark = -Infinity;
  private first = FIRST;
  private documents = new Uint32Array();
  /** The score, or what it is at most. */
  private keys = new Float64Array();
  private isExact = new Uint8Array();
  private readonly sample = new Float64Array(SAMPLE);
  private scorer: Scorer = NO_SCORER;

  /** Forgets what it had and begins with these, of which about the `first` will be asked for. */
  fill(documents: Uint32Array, scorer: Scorer, first = FIRST): void {
    this.scorer = scorer;
    const count = documents.length;
    if (count > this.documents.length) this.grow(count);
    this.documents.set(documents);
    const { keys } = this;
    if (scorer.bound !== undefined) scorer.bound(documents, keys);
    else for (let i = 0; i < count; i++) keys[i] = scorer.score(documents[i]!);
    this.isExact.fill(scorer.bound === undefined ? 1 : 0, 0, count);
    this.first = first;
    this.divide(count);
    this.heapify();
  }

  /** The best that was not returned yet; undefined when all were. */
  next(): Scored | undefined {
    for (;;) {
      if (this.rest > 0 && (this.size === 0 || this.keys[0]! < this.mark)) this.takeRest();
      if (this.size === 0) return undefined;
      if (this.isExact[0] === 1) break;
      this.keys[0] = this.scorer.score(this.documents[0]!);
      this.isExact[0] = 1;
      this.siftDown(0);
    }
    const best = { document: this.documents[0]!, score: this.keys[0]! };
    this.size -= 1;
    this.put(0, this.documents[this.size]!, this.keys[this.size]!, this.isExact[this.size]!);
    this.siftDown(0);
    return best;
  }

  // What is above the mark comes to lie before what is below.
  private divide(count: number): void {
    this.size = count;
    this.rest = 0;
    const { keys, documents, isExact, first } = this;
    if (count <= 2 * first) return;
    const mark = this.sampleKey(count, Math.floor((first * SAMPLE) / count));
    let size = 0;
    for (let i = 0; i < count; i++) {
      const key = keys[i]!;
      if (key < mark) continue;
      const document = documents[i]!;
      const exact = isExact[i]!;
      keys[i] = keys[size]!;
      documents[i] = documents[size]!;
      isExact[i] = isExact[size]!;
      this.put(size++, document, key, exact);
    }
    this.mark = mark;
    this.size = size;
    this.restAt = size;
    this.rest = count - size;
  }

  // The key that about so many of a sample lie above.
  private sampleKey(count: number, above: number): number {
    const { keys, sample } = this;
    for (let i = 0; i < SAMPLE; i++) {
      const key = keys[Math.floor((i * count) / SAMPLE)]!;
      let place = i;
      for (; place > 0 && sample[place - 1]! < key; place--) sample[place] = sample[place - 1]!;
      sample[place] = key;
    }
    return sample[above]!;
  }

  private takeRest(): void {
    const end = this.restAt + this.rest;
    this.documents.copyWithin(this.size, this.restAt, end);
    this.keys.copyWithin(this.size, this.restAt, end);
    this.isExact.copyWithin(this.size, this.restAt, end);
    // A caller that wants more than was expected mostly wants little more.
    this.first *= 2;
    this.divide(this.size + this.rest);
    this.heapify();
  }

  private heapify(): void {
    for (let i = (this.size >> 1) - 1; i >= 0; i--) this.siftDown(i);
  }

  private grow(count: number): void {
    const capacity = 2 ** Math.ceil(Math.log2(count));
    this.documents = new Uint32Array(capacity);
    this.keys = new Float64Array(capacity);
    this.isExact = new Uint8Array(capacity);
  }

  private siftDown(from: number): void {
    const { documents, keys, isExact, size } = this;
    const document = documents[from]!;
    const key = keys[from]!;
    const exact = isExact[from]!;
    let parent = from;
    for (let child = 2 * parent + 1; child < size; child = 2 * parent + 1) {
      const right = child + 1;
      if (right < size && isBefore(keys[right]!, documents[right]!, keys[child]!, documents[child]!)) child = right;
      if (!isBefore(keys[child]!, documents[child]!, key, document)) break;
      this.put(parent, documents[child]!, keys[child]!, isExact[child]!);
      parent = child;
    }
    this.put(parent, document, key, exact);
  }

  private put(place: number, document: number, key: number, exact: number): void {
    this.documents[place] = document;
    this.keys[place] = key;
    this.isExact[place] = exact;
  }
}

const NO_SCORER: Scorer = { score: () => 0 };

/** At most `count` of the documents, best first. */
export function topDocuments(documents: Uint32Array, scorer: Scorer, count: number): Scored[] {
  const order = new TopK();
  order.fill(documents, scorer, Math.max(FIRST, count));
  const best: Scored[] = [];
  for (let next = order.next(); next !== undefined && best.length < count; next = order.next()) best.push(next);
  return best;
}

/** Order of two: negative when `a` comes first. */
export function compareScored(a: Scored, b: Scored): number {
  return b.score - a.score || a.document - b.document;
}

function isBefore(key: number, document: number, thanKey: number, thanDocument: number): boolean {
  return key > thanKey || (key === thanKey && document < thanDocument);
}
