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

/** A heap of documents, higher scores first, equal scores by document number. Made once: to make its arrays takes longer than to fill them. */
export class BestFirst {
  private size = 0;
  private documents = new Uint32Array();
  /** The score, or what it is at most. */
  private keys = new Float64Array();
  private isExact = new Uint8Array();
  private scorer: Scorer = NO_SCORER;

  /** Forgets what it had and begins with these. */
  fill(documents: Uint32Array, scorer: Scorer): void {
    this.scorer = scorer;
    this.size = documents.length;
    if (this.size > this.documents.length) this.grow();
    this.documents.set(documents);
    const { keys, isExact, size } = this;
    for (let i = 0; i < size; i++) {
      keys[i] = scorer.atMost === undefined ? scorer.score(documents[i]!) : scorer.atMost(documents[i]!);
    }
    isExact.fill(scorer.atMost === undefined ? 1 : 0, 0, size);
    for (let i = (size >> 1) - 1; i >= 0; i--) this.siftDown(i);
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

  private grow(): void {
    const capacity = 2 ** Math.ceil(Math.log2(this.size));
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

const NO_SCORER: Scorer = { score: () => 0 };

/** At most `count` of the documents, best first. */
export function topDocuments(documents: Uint32Array, scorer: Scorer, count: number): Scored[] {
  const order = new BestFirst();
  order.fill(documents, scorer);
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
