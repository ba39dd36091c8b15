// Completes a half-typed word from the words the library has: its titles and keywords, the commonest first.

import type { Postings } from '../search-index/postings.js';
import { normalise } from '../language/normalise.js';
import type { QueryContext } from './query-context.js';
import { WHOLE_MARK } from '../language/tokenise.js';

/** A word of the library. */
export interface Completion {
  readonly word: string;
  /** How many stickers have it as their title or a keyword. */
  readonly stickers: number;
}

/** Longer ones are sentences, which are not completed. */
const MAX_WORD_UNITS = 20;

/** At most `limit` words that begin like the text, normalised, or are read so; commonest first, then short ones first. */
export function completeWord(
  text: string,
  limit: number,
  { index, spelling }: Pick<QueryContext, 'index' | 'spelling'>,
): Completion[] {
  const typed = normalise(text);
  if (typed === '') return [];
  const [from, to] = index.terms.range(WHOLE_MARK + typed);
  const found: number[] = [];
  for (let term = from; term < to; term++) if (lengthOf(term, index) <= MAX_WORD_UNITS) found.push(term);
  const added = Array.from(index.addedTerms).filter(
    (term) => term.startsWith(WHOLE_MARK + typed) && term.length <= MAX_WORD_UNITS + WHOLE_MARK.length,
  );
  const all = [...found, ...added.map((term) => index.find(term)), ...spelling.readLike(typed)];
  return topWords([...new Set(all)], limit, index);
}

function topWords(terms: readonly number[], limit: number, index: Postings): Completion[] {
  const order = (a: number, b: number) =>
    index.frequency(b) - index.frequency(a) || lengthOf(a, index) - lengthOf(b, index) || a - b;
  return terms
    .toSorted(order)
    .slice(0, limit)
    .map((term) => ({
      word: index.spell(term).slice(WHOLE_MARK.length),
      stickers: index.frequency(term),
    }));
}

function lengthOf(term: number, { terms, addedTerms }: Postings): number {
  if (term >= terms.size) return addedTerms[term - terms.size]!.length - WHOLE_MARK.length;
  const { offsets } = terms.arrays;
  return offsets[term + 1]! - offsets[term]! - WHOLE_MARK.length;
}
