// Which titles and keywords stand beside a word in the stickers of this library: a set of pictures that has both names
// leads to one that has only the other. Worked out from the index; what that is worth is for query-plan.ts.

import type { CompiledIndex } from './compiled-index.js';
import { documentOf } from './postings.js';
import { WHOLE_MARK } from '../language/tokenise.js';

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

export class Cooccurrence {
  private readonly index: CompiledIndex;
  private readonly most: number;
  private beside: Wholes | undefined;

  constructor(index: CompiledIndex) {
    this.index = index;
    this.most = Math.min(MAX_STICKERS, MAX_OF_LIBRARY * index.size);
  }

  /** The words beside a title or keyword, closest first; none beside what many stickers have, or only changed ones. */
  of(term: number): CooccurringWord[] {
    const { starts, postings } = this.index.arrays;
    if (term < 0 || term >= this.index.terms.size) return [];
    const [from, to] = [starts[term]!, starts[term + 1]!];
    if (to === from || to - from > this.most) return [];
    const { first, counts, met, ...wholes } = (this.beside ??= findWholes(this.index));
    let size = 0;
    for (let i = from; i < to; i++) {
      const document = documentOf(postings[i]!);
      for (let place = wholes.starts[document]!; place < wholes.starts[document + 1]!; place++) {
        const whole = wholes.terms[place]!;
        if (counts[whole - first]!++ === 0) met[size++] = whole;
      }
    }
    const found: CooccurringWord[] = [];
    for (let i = 0; i < size; i++) {
      const whole = met[i]!;
      const together = counts[whole - first]!;
      counts[whole - first] = 0;
      const share = together / Math.sqrt((to - from) * (starts[whole + 1]! - starts[whole]!));
      if (share >= LEAST_SHARE && whole !== term) found.push({ term: whole, share });
    }
    return found.toSorted((a, b) => b.share - a.share || a.term - b.term);
  }
}

/** The titles and keywords of each document. */
interface Wholes {
  /** Where those of a document begin in `terms`, and the end of the last. */
  readonly starts: Uint32Array;
  readonly terms: Uint32Array;
  /** The least of all. */
  readonly first: number;
  /** For counting: zero for each from the first, and room for those that are met. */
  readonly counts: Uint8Array;
  readonly met: Uint32Array;
}

function findWholes({ terms, arrays, size }: CompiledIndex): Wholes {
  const { starts, postings } = arrays;
  const [first, end] = terms.range(WHOLE_MARK);
  const places = new Uint32Array(size + 1);
  for (let i = starts[first]!; i < starts[end]!; i++) places[documentOf(postings[i]!) + 1]!++;
  for (let document = 0; document < size; document++) places[document + 1]! += places[document]!;
  const wholes = new Uint32Array(places[size]!);
  const next = places.slice();
  for (let term = first; term < end; term++)
    for (let i = starts[term]!; i < starts[term + 1]!; i++) wholes[next[documentOf(postings[i]!)]!++] = term;
  const count = end - first;
  return { starts: places, terms: wholes, first, counts: new Uint8Array(count), met: new Uint32Array(count) };
}
