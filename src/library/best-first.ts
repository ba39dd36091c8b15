// Documents by their score, one after the other: whoever wants the best twelve of a thousand pays for looking at a
// thousand and ordering twelve.

export interface Scored {
  document: number;
  score: number;
}

export interface Scorer {
  score(document: number): number;
  /** No less than the score and quicker to tell: the score of those far from the best is never asked for. */
  atMost?(document: number): number;
}

/** A heap of documents, higher scores first, equal scores by document number. */
export class BestFirst {
  private size: number;
  private readonly documents: Uint32Array;
  /** The score, or what it is at most. */
  private readonly keys: Float64Array;
  private readonly isExact: Uint8Array;
  private readonly scorer: Scorer;

  constructor(documents: Uint32Array, scorer: Scorer) {
    this.scorer = scorer;
    this.size = documents.length;
    this.documents = documents.slice();
    this.keys = new Float64Array(this.size);
    this.isExact = new Uint8Array(this.size);
    if (scorer.atMost === undefined) {
      for (let i = 0; i < this.size; i++) this.keys[i] = scorer.score(documents[i]!);
      this.isExact.fill(1);
    } else for (let i = 0; i < this.size; i++) this.keys[i] = scorer.atMost(documents[i]!);
    for (let i = (this.size >> 1) - 1; i >= 0; i--) this.siftDown(i);
  }

  /** The best that was not told yet; undefined when all were. */
  next(): Scored | undefined {
    if (this.size === 0) return undefined;
    while (this.isExact[0] === 0) {
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

  private siftDown(from: number): void {
    const { documents, keys, isExact, size } = this;
    const document = documents[from]!;
    const key = keys[from]!;
    const exact = isExact[from]!;
    let parent = from;
    for (let child = 2 * parent + 1; child < size; child = 2 * parent + 1) {
      const right = child + 1;
      if (right < size && isBefore(keys[right]!, documents[right]!, keys[child]!, documents[child]!))
        child = right;
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

/** At most `count` of the documents, best first. */
export function topDocuments(documents: Uint32Array, scorer: Scorer, count: number): Scored[] {
  const order = new BestFirst(documents, scorer);
  const best: Scored[] = [];
  for (let next = order.next(); next !== undefined && best.length < count; next = order.next())
    best.push(next);
  return best;
}

/** Order of two: negative when `a` comes first. */
export function compareScored(a: Scored, b: Scored): number {
  return b.score - a.score || a.document - b.document;
}

function isBefore(key: number, document: number, thanKey: number, thanDocument: number): boolean {
  return key > thanKey || (key === thanKey && document < thanDocument);
}
