// When no sticker has every word of a query, its least telling words are left out until one has. Words are what somebody
// typed apart; what is typed as one is never taken to pieces here.

import type { CompiledIndex } from './compiled-index.js';
import { termsSpelled } from './pinyin-terms.js';
import type { Lexicon } from './query-plan.js';
import { forEachOccurrence, lookUpWord } from './word-lookup.js';

export interface RelaxedQuery {
  /** What was left out. */
  readonly dropped: readonly string[];
  /** The documents that have all the rest and come first; empty when nothing was left out, or of a list. */
  readonly together: ReadonlySet<number>;
}

const AS_IT_IS: RelaxedQuery = { dropped: [], together: new Set() };

/** More words than this are copy, which nothing has all of. */
const MAX_WORDS = 8;
const MAX_LENGTH = 32;
/** Whoever types more words apart gives a list, of which a sticker that fits has some: having most of them is no rank. */
const MAX_WORDS_TOGETHER = 4;

/** The words that keep a normalised query from finding anything with all of them; none when there is nothing with any. */
export function relaxQuery(query: string, lexicon: Lexicon): RelaxedQuery {
  const words = [...new Set(query.split(' '))];
  if (query.length > MAX_LENGTH) return AS_IT_IS;
  const isSpelled = () => termsSpelled(query, lexicon.index).length > 0;
  if (words.length < 2 || words.length > MAX_WORDS || isSpelled()) return AS_IT_IS;
  const found = words.map((word) => ({ word, documents: documentsOf(word, lexicon) }));
  const kept = found.filter(({ documents }) => documents.size > 0);
  if (kept.length === 0) return AS_IT_IS;
  const unknown = found.filter(({ documents }) => documents.size === 0);
  const { dropped, together } = dropFrom(kept);
  const all = [...unknown, ...dropped].map(({ word }) => word);
  if (all.length === 0) return AS_IT_IS;
  return { dropped: all, together: words.length > MAX_WORDS_TOGETHER ? AS_IT_IS.together : together };
}

interface FoundWord {
  readonly word: string;
  readonly documents: ReadonlySet<number>;
}

// One word if that is enough, the commonest that will do; else all that the rarest cannot be had with.
function dropFrom(found: readonly FoundWord[]): { dropped: FoundWord[]; together: ReadonlySet<number> } {
  const byRarity = found.toSorted((a, b) => a.documents.size - b.documents.size);
  const all = haveAll(byRarity);
  if (all.size > 0) return { dropped: [], together: all };
  for (const candidate of byRarity.toReversed()) {
    const together = haveAll(byRarity.filter((word) => word !== candidate));
    if (together.size > 0) return { dropped: [candidate], together };
  }
  const kept: FoundWord[] = [];
  for (const word of byRarity) if (haveAll([...kept, word]).size > 0) kept.push(word);
  return { dropped: byRarity.filter((word) => !kept.includes(word)), together: haveAll(kept) };
}

function haveAll([first, ...others]: readonly FoundWord[]): ReadonlySet<number> {
  const all = [...(first?.documents ?? [])];
  return new Set(all.filter((document) => others.every(({ documents }) => documents.has(document))));
}

// By the glossary only when nothing else: it finds too much to say that a sticker has a word.
function documentsOf(word: string, lexicon: Lexicon): Set<number> {
  const { index } = lexicon;
  const documents = new Set<number>();
  const meant = new Set<number>();
  forEachOccurrence(lookUpWord(word, lexicon), index, (document, how) => {
    (how === 'meaning' ? meant : documents).add(document);
  });
  for (const term of ownTerms(word, index)) {
    index.forEachPosting(term, (document) => void documents.add(document));
  }
  return documents.size > 0 ? documents : meant;
}

// A single character, a Latin word with what begins like it, pinyin.
function ownTerms(word: string, index: CompiledIndex): number[] {
  return [index.find(word), ...termsSpelled(word, index).map(({ term }) => term)];
}
