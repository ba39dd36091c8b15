// Why a sticker answers a query, in words of its own: which of its words answers which that was asked for, and where it
// stands in the title. word-lookup.ts says it as the service's contract has it, without the word.

import type { MatchField } from '../../contract/candidate.js';
import type { Sticker } from '../../model/sticker.js';
import { meaningsIn } from '../language/concepts.js';
import { normalise } from '../language/normalise.js';
import { spellOut } from '../language/offers.js';
import { findWord, foldWithPlaces, type Place, type PlacedText } from '../language/places.js';
import { matchPinyin, parsePinyin } from '../language/pinyin.js';
import { wholes } from '../language/tokenise.js';
import { syllablesOf } from '../search-index/reading-term.js';
import type { QueryContext } from './query-context.js';

export interface WordReason {
  /** As the sticker writes it. */
  readonly word: string;
  /** As it was asked for, folded; of a submission as it was given. */
  readonly asked: string;
  readonly field: MatchField;
  readonly source: 'direct' | 'synonym';
  /** Of `word` in the title. */
  readonly at?: Place;
}

/** As many as search takes of a query: a sentence without spaces holds hundreds. */
const MAX_WORDS = 24;
/** More than a person reads of one sticker. */
const MOST = 6;

interface Asked {
  readonly asked: string;
  readonly folded: string;
  readonly synonyms: ReadonlySet<string>;
  /** Of a word in Latin letters: the syllables that it may spell. */
  readonly runs: readonly string[] | undefined;
  stems: ReadonlySet<string> | undefined;
}

interface FoldedSticker {
  readonly title: PlacedText;
  readonly keywords: readonly string[];
}

/** What is written on the same stickers is folded once. */
const FOLDED = new WeakMap<Sticker, FoldedSticker>();

/** Says of one sticker after the other why it answers; with `only`, these words alone of those asked for. */
export type ExplainSticker = (sticker: Sticker, only?: ReadonlySet<string>) => WordReason[];

/** Says why stickers answer a query, or these words. */
export function explainWords(asked: string | readonly string[], context: QueryContext): ExplainSticker {
  const all = (typeof asked === 'string' ? piecesOf(asked, context) : asked).map((word) => readAsked(word, context));
  const means = meaningOf(context);
  return (sticker, only) => {
    const words = only === undefined ? all : all.filter((word) => only.has(word.asked));
    const folded = foldedOf(sticker);
    const reasons: WordReason[] = [];
    const answered: string[] = [];
    const put = (word: Asked, found: readonly (WordReason | undefined)[]) => {
      for (const reason of found) {
        if (reason === undefined) continue;
        answered.push(word.folded);
        if (!isSaid(reason, reasons)) reasons.push(reason);
      }
    };
    for (const word of words) put(word, [inTitle(word, sticker, folded), inKeywords(word, sticker, folded)]);
    for (const word of words) {
      // What a part of it answers by letters needs no meaning.
      if (!answered.some((part) => word.folded.includes(part))) put(word, [byMeaning(word, sticker, folded, means)]);
    }
    return reasons.slice(0, MOST);
  };
}

/** The query, its parts between spaces, and the words in it, the longest first. */
function piecesOf(query: string, { vocabulary }: QueryContext): string[] {
  const whole = spellOut(query);
  const parts = whole.split(' ');
  const inside = parts.flatMap((part) =>
    vocabulary.segment(part).flatMap(({ text, known }) => (known || part.length === 1 ? [text] : [])),
  );
  const words = new Set([...inside, ...parts, whole].filter((word) => word !== ''));
  return [...words].toSorted((a, b) => b.length - a.length).slice(0, MAX_WORDS);
}

function readAsked(asked: string, { synonyms }: QueryContext): Asked {
  const folded = spellOut(asked);
  return { asked, folded, synonyms: new Set(synonyms.of(folded)), runs: parsePinyin(folded), stems: undefined };
}

function foldedOf(sticker: Sticker): FoldedSticker {
  const known = FOLDED.get(sticker);
  if (known !== undefined) return known;
  const folded = { title: foldWithPlaces(sticker.title), keywords: sticker.keywords.map(normalise) };
  FOLDED.set(sticker, folded);
  return folded;
}

function inTitle(
  { asked, folded: word, synonyms, runs }: Asked,
  { title }: Sticker,
  folded: FoldedSticker,
): WordReason | undefined {
  const { folded: text } = folded.title;
  const said = (from: number, length: number, source: WordReason['source']): WordReason => {
    const at = folded.title.placeOf(from, from + length);
    return { word: title.slice(...at), asked, field: 'title', source, at };
  };
  const direct = findWord(text, word);
  if (direct >= 0) return said(direct, word.length, 'direct');
  if (spells(runs, text)) return said(0, text.length, 'direct');
  const synonym = synonyms.size === 0 ? undefined : wholes(text).find((whole) => synonyms.has(whole));
  return synonym === undefined ? undefined : said(text.indexOf(synonym), synonym.length, 'synonym');
}

function inKeywords(
  { asked, folded: word, synonyms, runs }: Asked,
  { keywords }: Sticker,
  folded: FoldedSticker,
): WordReason | undefined {
  const first = (test: (keyword: string) => boolean) => keywords[folded.keywords.findIndex(test)];
  const direct =
    first((keyword) => keyword === word) ??
    first((keyword) => findWord(keyword, word) >= 0) ??
    (runs && first((keyword) => spells(runs, keyword)));
  if (direct !== undefined) return { word: direct, asked, field: 'keywords', source: 'direct' };
  const synonym = synonyms.size === 0 ? undefined : first((keyword) => synonyms.has(keyword));
  return synonym === undefined ? undefined : { word: synonym, asked, field: 'keywords', source: 'synonym' };
}

function spells(runs: readonly string[] | undefined, text: string): boolean {
  const syllables = runs && syllablesOf(text);
  return syllables !== undefined && runs !== undefined && matchPinyin(runs, syllables) !== undefined;
}

/** The stems of what a text may mean, looked up once for all the words. */
function meaningOf({ glossary }: QueryContext): (text: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (text) => {
    const stems = known.get(text) ?? [...meaningsIn(text, glossary).keys()];
    known.set(text, stems);
    return stems;
  };
}

/** By the glossary, which joins what shares no character: asked only where nothing else answers. */
function byMeaning(
  word: Asked,
  { title, keywords }: Sticker,
  folded: FoldedSticker,
  meaning: (text: string) => readonly string[],
): WordReason | undefined {
  const stems = (word.stems ??= new Set(meaning(word.folded)));
  if (stems.size === 0) return undefined;
  const means = (text: string) => meaning(text).some((stem) => stems.has(stem));
  const { asked } = word;
  if (means(folded.title.folded)) {
    return { word: title, asked, field: 'title', source: 'synonym', at: [0, title.length] };
  }
  const keyword = keywords[folded.keywords.findIndex(means)];
  return keyword === undefined ? undefined : { word: keyword, asked, field: 'keywords', source: 'synonym' };
}

/** Whether a longer word said it: 蛋糕 in 生日蛋糕, of the same title. */
function isSaid({ field, word, at }: WordReason, said: readonly WordReason[]): boolean {
  return said.some((one) => {
    if (one.field !== field) return false;
    if (at === undefined || one.at === undefined) return one.word === word;
    return one.at[0] <= at[0] && at[1] <= one.at[1];
  });
}
