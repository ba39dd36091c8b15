// When no sticker has every word of a query, its least telling words are left out until one has. Words are what stands
// between spaces in the query; a word is never cut here.

import { forEachPosting } from '../search-index/postings.js';
import type { StickerIndex } from '../search-index/sticker-index.js';
import { termsSpelled, termsSpelledIn } from './pinyin-terms.js';
import type { QueryContext } from './query-context.js';
import { forEachForm, lookUpForms, conceptTermsOf } from './word-lookup.js';

export interface RelaxedQuery {
  /** What was left out. */
  readonly dropped: readonly string[];
  /** Whether a document has all the rest and comes first; undefined when nothing was left out, or of a list. */
  readonly hasRest: ((document: number) => boolean) | undefined;
}

const AS_IT_IS: RelaxedQuery = { dropped: [], hasRest: undefined };

/** More words than this are copy, which nothing has all of. As many as there are bits in a mark. */
const MAX_WORDS = 8;
const MAX_LENGTH = 32;
/** More words are a list, of which a sticker that fits has some: having most of them is no rank. */
const MAX_WORDS_TOGETHER = 4;
/** Of so many documents each is asked for all the words before all are asked for each. */
const MAX_TRIED = 128;

/** The words that keep a normalised query from finding anything with all of them; none when there is nothing with any. */
export function relaxQuery(query: string, context: QueryContext): RelaxedQuery {
  if (query.length > MAX_LENGTH || !query.includes(' ')) return AS_IT_IS;
  const words = [...new Set(query.split(' '))];
  if (words.length < 2 || words.length > MAX_WORDS) return AS_IT_IS;
  if (someIsCalledAll(words, context)) return AS_IT_IS;
  if (termsSpelled(query, context.index).length > 0) return AS_IT_IS;
  const marks = new Marks(words.length, context.marks);
  const counts = words.map((word, i) => markDocuments(word, 1 << i, marks, context));
  if (marks.isFull) return AS_IT_IS;
  const together = marks.countTogether();
  const dropped = chooseDropped(counts, together);
  const rest = marks.all & ~dropped;
  if (rest === 0) return AS_IT_IS;
  return {
    dropped: byRarity(counts, dropped).map((i) => words[i]!),
    hasRest: words.length > MAX_WORDS_TOGETHER ? undefined : (document) => marks.hasAll(document, rest),
  };
}

// Whether a document has each word as a whole title or keyword: true for most queries, and quicker to find out than
// what each document has.
function someIsCalledAll(words: readonly string[], { index, vocabulary }: QueryContext): boolean {
  const terms = words.map((word) => vocabulary.find(word));
  if (terms.includes(-1)) return false;
  const [rarest = -1, ...others] = terms.toSorted((a, b) => index.frequency(a) - index.frequency(b));
  if (index.frequency(rarest) > MAX_TRIED) return false;
  let isFound = false;
  forEachPosting(rarest, index, (document) => {
    isFound ||= others.every((term) => index.fieldsOf(term, document) !== 0);
  });
  return isFound;
}

// The words to leave out, as bits: those that no document has; then one if that is enough, the commonest that will do; else all
// that the rarest cannot be had with.
function chooseDropped(counts: readonly number[], together: Uint32Array): number {
  const all = together.length - 1;
  let known = 0;
  for (const [i, count] of counts.entries()) if (count > 0) known |= 1 << i;
  if (canHave(known, together)) return all & ~known;
  const rarestFirst = byRarity(counts, known);
  const one = rarestFirst.toReversed().find((i) => canHave(known & ~(1 << i), together));
  if (one !== undefined) return (all & ~known) | (1 << one);
  let kept = 0;
  for (const i of rarestFirst) if (canHave(kept | (1 << i), together)) kept |= 1 << i;
  return all & ~kept;
}

function canHave(words: number, together: Uint32Array): boolean {
  return together.some((count, mark) => count > 0 && (mark & words) === words);
}

/** Which of the words these bits stand for, the rarest first. */
function byRarity(counts: readonly number[], bits: number): number[] {
  const places = Array.from(counts.keys()).filter((i) => (bits & (1 << i)) !== 0);
  return places.toSorted((a, b) => counts[a]! - counts[b]!);
}

/** For each document, a bit for each word it has. */
class Marks {
  /** All bits there are. */
  readonly all: number;
  /** Whether some document has every word. */
  isFull = false;
  private readonly bits: Uint8Array;
  private readonly marked: number[] = [];

  constructor(words: number, bits: Uint8Array) {
    this.all = (1 << words) - 1;
    this.bits = bits.fill(0);
  }

  /** Marks a document; false when it was. */
  put(document: number, bit: number): boolean {
    const before = this.bits[document]!;
    const marked = (this.bits[document] = before | bit);
    if (before === 0) this.marked.push(document);
    if (marked === this.all) this.isFull = true;
    return marked !== before;
  }

  hasAll(document: number, words: number): boolean {
    return (this.bits[document]! & words) === words;
  }

  /** How many documents have exactly these words, for every set of words. */
  countTogether(): Uint32Array {
    const counts = new Uint32Array(this.all + 1);
    counts[0] = this.bits.length - this.marked.length;
    for (const document of this.marked) counts[this.bits[document]!]!++;
    return counts;
  }
}

// Gives how many documents have the word. By the glossary only when nothing else: it finds too much to say that a
// sticker has a word.
function markDocuments(word: string, bit: number, marks: Marks, context: QueryContext): number {
  const { index } = context;
  let count = 0;
  const mark = (document: number) => {
    if (marks.put(document, bit)) count++;
  };
  forEachForm(lookUpForms(word, context), index, mark);
  for (const term of ownTerms(word, index)) forEachPosting(term, index, mark);
  if (count === 0) for (const term of conceptTermsOf(word, context)) forEachPosting(term, index, mark);
  return count;
}

// A single character, a Latin word with what begins like it, pinyin.
function ownTerms(word: string, index: StickerIndex): number[] {
  return [index.find(word), ...termsSpelledIn(word, index).map(({ term }) => term)];
}
