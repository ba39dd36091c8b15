// The best few of many scored documents, in an order that is the same every time.

export interface Scored {
  document: number;
  score: number;
}

/** At most `count` (1 or more) of the documents, higher scores first, equal scores by document number; `atMost` is no less than the score. */
export function topDocuments(
  documents: Uint32Array,
  score: (document: number) => number,
  count: number,
  atMost?: (document: number) => number,
): Scored[] {
  if (documents.length <= count) {
    return Array.from(documents, (document) => ({ document, score: score(document) })).toSorted(
      compareScored,
    );
  }
  const heap: Scored[] = [];
  for (const document of documents) {
    // Most are far from the best, and a quick look shows it.
    if (atMost !== undefined && heap.length === count && atMost(document) < heap[0]!.score) continue;
    const value = score(document);
    if (heap.length < count) {
      heap.push({ document, score: value });
      siftUp(heap);
    } else if (isBetter(document, value, heap[0]!)) {
      // The root is the worst of those kept; it is written over, so that a long list makes no garbage.
      heap[0]!.document = document;
      heap[0]!.score = value;
      siftDown(heap);
    }
  }
  return heap.toSorted(compareScored);
}

/** Order of two: negative when `a` comes first. */
export function compareScored(a: Scored, b: Scored): number {
  return b.score - a.score || a.document - b.document;
}

function isBetter(document: number, score: number, than: Scored): boolean {
  return score > than.score || (score === than.score && document < than.document);
}

function siftUp(heap: Scored[]): void {
  let child = heap.length - 1;
  while (child > 0) {
    const parent = (child - 1) >> 1;
    if (compareScored(heap[child]!, heap[parent]!) <= 0) return;
    swap(heap, child, parent);
    child = parent;
  }
}

function siftDown(heap: Scored[]): void {
  let parent = 0;
  for (;;) {
    const left = 2 * parent + 1;
    const right = left + 1;
    let worst = parent;
    if (left < heap.length && compareScored(heap[left]!, heap[worst]!) > 0) worst = left;
    if (right < heap.length && compareScored(heap[right]!, heap[worst]!) > 0) worst = right;
    if (worst === parent) return;
    swap(heap, parent, worst);
    parent = worst;
  }
}

function swap(heap: Scored[], a: number, b: number): void {
  const kept = heap[a]!;
  heap[a] = heap[b]!;
  heap[b] = kept;
}
