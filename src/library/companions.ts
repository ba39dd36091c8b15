// Which titles and keywords stand beside a word in the stickers of this very library: what one set of pictures files under
// both names finds what another files under one of them. Worked out from the index; what that is worth is for query-plan.ts.

import { documentOf, type CompiledIndex } from './compiled-index.js';
import { WHOLE_MARK } from './tokenise.js';

export interface Companion {
  /** A title or keyword. */
  readonly term: number;
  /** How much of one another the two are: 1 for words that only ever stand together. */
  readonly share: number;
}

/** What more stickers have is found without help. */
const MAX_STICKERS = 20;
/** What stands beside everything says little of anything. */
const LEAST_SHARE = 0.2;

export class Companions {
  private readonly index: CompiledIndex;
  private beside: Wholes | undefined;

  constructor(index: CompiledIndex) {
    this.index = index;
  }

  /** The words beside a title or keyword, closest first; none beside what many stickers have, or what came since. */
  of(term: number): Companion[] {
    const { starts, postings } = this.index.arrays;
    const [from, to] =
      term < 0 || term >= this.index.terms.size ? [0, 0] : [starts[term]!, starts[term + 1]!];
    const stickers = to - from;
    if (stickers === 0 || stickers > MAX_STICKERS) return [];
    this.beside ??= findWholes(this.index);
    const counts = new Map<number, number>();
    for (let i = from; i < to; i++) {
      for (const whole of this.beside.of(documentOf(postings[i]!))) {
        if (whole !== term) counts.set(whole, (counts.get(whole) ?? 0) + 1);
      }
    }
    const found: Companion[] = [];
    for (const [whole, together] of counts) {
      const share = together / Math.sqrt(stickers * (starts[whole + 1]! - starts[whole]!));
      if (share >= LEAST_SHARE) found.push({ term: whole, share });
    }
    return found.toSorted((a, b) => b.share - a.share || a.term - b.term);
  }
}

/** The titles and keywords of each document. */
interface Wholes {
  of(document: number): Uint32Array;
}

function findWholes({ terms, arrays, size }: CompiledIndex): Wholes {
  const { starts, postings } = arrays;
  const [from, to] = terms.range(WHOLE_MARK);
  const ends = new Uint32Array(size + 1);
  for (let i = starts[from]!; i < starts[to]!; i++) ends[documentOf(postings[i]!) + 1]!++;
  for (let document = 0; document < size; document++) ends[document + 1]! += ends[document]!;
  const wholes = new Uint32Array(ends[size]!);
  const places = ends.slice();
  for (let term = from; term < to; term++) {
    for (let i = starts[term]!; i < starts[term + 1]!; i++)
      wholes[places[documentOf(postings[i]!)]!++] = term;
  }
  return { of: (document) => wholes.subarray(ends[document], ends[document + 1]) };
}
