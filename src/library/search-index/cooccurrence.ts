// Which titles and keywords stand beside a word in the stickers of this library: a set of pictures that has both names
// leads to one that has only the other. What that is worth is for query-plan.ts.

import { forEachPosting } from './postings.js';
import type { StickerIndex } from './sticker-index.js';

export interface CooccurringWord {
  /** A title or keyword. */
  readonly term: number;
  /** How much of one another the two are: 1 for words that only ever stand together. */
  readonly share: number;
}

/** What more stickers have is found without help. */
const MAX_STICKERS = 20;
/** In a library of a few stickers every word is rare. */
const MAX_OF_LIBRARY = 0.01;
/** What stands beside everything says little of anything. */
const LEAST_SHARE = 0.2;

/** The words beside a title or keyword, closest first; none beside what many stickers have. */
export function wordsBeside(term: number, index: StickerIndex): CooccurringWord[] {
  const frequency = index.frequency(term);
  if (frequency === 0 || frequency > Math.min(MAX_STICKERS, MAX_OF_LIBRARY * index.listed)) return [];
  const counts = new Map<number, number>();
  forEachPosting(term, index, (document) => {
    index.forEachWhole(document, (whole) => void counts.set(whole, (counts.get(whole) ?? 0) + 1));
  });
  counts.delete(term);
  const found = Array.from(counts, ([whole, together]) => ({
    term: whole,
    share: together / Math.sqrt(frequency * index.frequency(whole)),
  }));
  return found
    .filter(({ share }) => share >= LEAST_SHARE)
    .toSorted((a, b) => b.share - a.share || (index.spell(a.term) < index.spell(b.term) ? -1 : 1));
}
