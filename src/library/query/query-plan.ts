// Turns a query into weighted terms of the index: its own terms, the vocabulary words inside, words that begin as it
// ends, synonyms, meanings. How the weights add up is score-accumulator.ts, what comes first is rank.ts.

import { wordsBeside } from '../search-index/cooccurrence.js';
import type { StickerIndex } from '../search-index/sticker-index.js';
import { stemsOf } from '../language/english.js';
import { isWhole, stemOf } from '../language/glossary.js';
import type { QueryContext } from './query-context.js';
import { glossedPieces, MEANING_MARK, type GlossedPiece } from '../language/concepts.js';
import { unusual } from '../language/word-frequency.js';
import { termsSpelled, termsSpelledIn, type SpelledTerm } from './pinyin-terms.js';
import { tokenise, WHOLE_MARK, type TokenKind } from '../language/tokenise.js';
import type { Vocabulary } from '../search-index/vocabulary.js';

export interface TermUse {
  readonly term: number;
  readonly boost: number;
  /** How much of the query a document with this term has, as a share of 1. */
  readonly coverage: number;
  /** Of what Latin letters may stand for, and do not spell: the share of the query that they are. */
  readonly typed?: number;
}

/** Terms of one piece of the query that mean it, most telling first. */
export interface MeaningUse {
  readonly terms: readonly { readonly term: number; readonly boost: number }[];
  /** Whether a sticker that means other pieces as well is the likelier meant. */
  readonly agrees?: boolean;
}

export interface QueryPlan {
  /** What makes a sticker a result. */
  readonly direct: readonly TermUse[];
  readonly synonyms: readonly MeaningUse[];
  /** By the glossary, or by what stands beside a word in the library: they are listed, but make no number of results true. */
  readonly meanings: readonly MeaningUse[];
  /** Single characters: they order results, and make some only when there are few. */
  readonly single: readonly TermUse[];
}

/** Tuned on the development half of the benchmark. */
const BOOSTS: Record<TokenKind | 'inside' | 'wholeSingle', number> = {
  whole: 3.5,
  inside: 1.2,
  word: 4,
  pair: 0.7,
  single: 1,
  // A character that is a keyword by itself names the thing: 狗 in 野狗.
  wholeSingle: 0.5,
};
const INSIDE_NAMED = 0.6;
const SYNONYM_BOOST = 2.2;
export const MEANING_BOOST = 5.8;
const PART_OF_GLOSS = 0.7;
/** A dictionary begins with what a word mostly means. */
const LATER_SENSE = 0.1;
const BESIDE_BOOST = 1.6;
/** A word that only begins alike covers half; 0.375 is what MiniSearch gives it at most. */
const LIKE_COVERAGE = 0.5 / 0.375;
const MAX_SYNONYMS = 12;
/** A longer query is copy, and has been cut before it comes here. */
const MAX_MEANING_PIECES = 12;
/** Of more pieces than this some agree by chance. */
const MAX_AGREEING_PIECES = 4;

/** The terms of a normalised query that the index knows, with their weights. */
export function planQuery(query: string, context: QueryContext): QueryPlan {
  const tokens = findTokens(query, context.index);
  const inside = wordsInside(query, context.vocabulary);
  // A query for 情人节 is not one for 情人: what is inside a word that has synonyms of its own says less.
  const isNamed = context.synonyms.has(query);
  const direct: TermUse[] = [];
  const single: TermUse[] = [];
  for (const { text, kind, term, coverage } of tokens) {
    const weaker = isNamed && (kind === 'pair' || kind === 'single') ? INSIDE_NAMED : 1;
    const boost = BOOSTS[kind] * weaker;
    if (term >= 0) (kind === 'single' ? single : direct).push({ term, boost, coverage: coverage * weaker });
    if (kind === 'single') use(context.vocabulary.find(text), BOOSTS.wholeSingle, single);
    if (kind === 'word') direct.push(...likeWord(text, coverage, context));
  }
  for (const word of inside) use(context.vocabulary.find(word), BOOSTS.inside, direct);
  direct.push(...spelled(query, context.index));
  return {
    direct,
    single,
    synonyms: synonymsOf(tokens, inside, context),
    meanings: [...meaningsOf(query, isNamed, context), ...cooccurring(tokens, context)],
  };
}

const SPELLED = { full: 4, mixed: 2, initials: 2 } as const;

// Letters with spaces between spell one word or several.
function spelled(query: string, index: StickerIndex): TermUse[] {
  const whole = termsSpelled(query, index);
  if (whole.length > 0 || !query.includes(' ')) return whole.map((one) => useSpelled(one, 1));
  const words = query.split(' ');
  return words.flatMap((word) => termsSpelledIn(word, index).map((one) => useSpelled(one, 1 / words.length)));
}

function useSpelled({ term, how }: SpelledTerm, coverage: number): TermUse {
  return { term, boost: SPELLED[how], coverage, typed: coverage };
}

function use(term: number, boost: number, uses: TermUse[]): void {
  if (term >= 0) uses.push({ term, boost, coverage: 0 });
}

interface FoundToken {
  readonly text: string;
  readonly kind: TokenKind;
  /** -1 for one that no document has. */
  readonly term: number;
  coverage: number;
}

// Each once. Rare characters and words are more of a query than frequent ones; those that no document has count too.
function findTokens(query: string, index: StickerIndex): FoundToken[] {
  const found: FoundToken[] = [];
  // A term's number takes less to remember than its text.
  const seen = new Set<number | string>();
  let total = 0;
  for (const { term: text, kind } of tokenise(query)) {
    const term = index.find(text);
    const name = term < 0 ? text : term;
    if (seen.has(name)) continue;
    seen.add(name);
    const counts = kind === 'single' || kind === 'word';
    const coverage = counts ? index.rarity(index.frequency(term)) : 0;
    total += coverage;
    found.push({ text, kind, term, coverage });
  }
  if (total > 0) for (const token of found) token.coverage /= total;
  return found;
}

function wordsInside(query: string, vocabulary: Vocabulary): string[] {
  const words = new Set<string>();
  for (const { text, known } of vocabulary.segment(query)) if (known && text.length > 1) words.add(text);
  words.delete(query);
  return [...words];
}

function synonymsOf(
  tokens: readonly FoundToken[],
  inside: readonly string[],
  { synonyms, vocabulary }: QueryContext,
): MeaningUse[] {
  const words = new Set<string>();
  for (const { kind, text } of tokens) if (kind === 'whole') words.add(text.slice(WHOLE_MARK.length));
  for (const word of inside) words.add(word);
  const uses: MeaningUse[] = [];
  for (const word of words) {
    const others = synonyms.of(word);
    if (others.length === 0) continue;
    const terms = others
      .slice(0, MAX_SYNONYMS)
      .map((synonym) => ({ term: vocabulary.find(synonym), boost: SYNONYM_BOOST }))
      .filter(({ term }) => term >= 0);
    if (terms.length > 0) uses.push({ terms });
  }
  return uses;
}

function meaningsOf(query: string, isNamed: boolean, context: QueryContext): MeaningUse[] {
  const { index, glossary, conceptTerms } = context;
  // 双十一 is not made of 双 and 十一.
  const pieces = isNamed && !glossary.has(query) ? [] : glossedPieces(query, glossary);
  const agrees = pieces.length <= MAX_AGREEING_PIECES;
  const uses: MeaningUse[] = [];
  const told = tellingOf(pieces);
  for (const [nth, { meanings }] of pieces.slice(0, MAX_MEANING_PIECES).entries()) {
    const whole = MEANING_BOOST * told[nth]!;
    const found: WeighedMeaning[] = [];
    for (const [before, meaning] of meanings.entries()) {
      const term = conceptTerms.find(stemOf(meaning));
      if (term < 0) continue;
      const boost = (isWhole(meaning) ? whole : whole * PART_OF_GLOSS) / (1 + LATER_SENSE * before);
      putRarestFirst({ term, boost, worth: boost * index.rarity(index.frequency(term)) }, found);
    }
    if (found.length > 0) uses.push({ terms: found, agrees });
  }
  for (const stem of stemsOf(query)) {
    const term = index.find(MEANING_MARK + stem);
    if (term >= 0) uses.push({ terms: [{ term, boost: MEANING_BOOST }] });
  }
  return uses;
}

/** The shares of pieces, of which those that are rarer in ordinary Chinese say more: 囧 of 好囧. */
function tellingOf(pieces: readonly GlossedPiece[]): readonly number[] {
  if (pieces.length < 2) return pieces.map(({ share }) => share);
  const told = pieces.map(({ word, share }) => share * Math.sqrt(unusual(word)));
  const scale = sum(pieces.map(({ share }) => share)) / sum(told);
  return told.map((share) => share * scale);
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

// What only stands beside a word in the library decides as little as what the glossary joins.
function cooccurring(tokens: readonly FoundToken[], { index }: QueryContext): MeaningUse[] {
  const uses: MeaningUse[] = [];
  for (const { kind, term } of tokens) {
    const terms = kind === 'whole' ? wordsBeside(term, index) : [];
    if (terms.length > 0)
      uses.push({
        terms: terms.map(({ term: beside, share }) => ({ term: beside, boost: BESIDE_BOOST * share })),
      });
  }
  return uses;
}

interface WeighedMeaning {
  readonly term: number;
  readonly boost: number;
  readonly worth: number;
}

function putRarestFirst(meaning: WeighedMeaning, sorted: WeighedMeaning[]): void {
  let place = sorted.push(meaning) - 1;
  for (; place > 0 && sorted[place - 1]!.worth < meaning.worth; place--) sorted[place] = sorted[place - 1]!;
  sorted[place] = meaning;
}

// Weighed as MiniSearch weighs a prefix or a mistake: less the more is missing or wrong.
function likeWord(word: string, coverage: number, { index, spelling }: QueryContext): TermUse[] {
  const isKnown = index.frequency(index.find(word)) > 0;
  return spelling.wordsLike(word, isKnown).map(({ term, share }) => ({
    term,
    boost: BOOSTS.word * share,
    coverage: coverage * share * LIKE_COVERAGE,
    typed: coverage,
  }));
}
