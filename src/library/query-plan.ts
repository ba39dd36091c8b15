// Turns a query into weighted terms of the index: its own terms, the vocabulary words inside, words that begin as it
// ends, synonyms, meanings. How the weights add up is tally.ts, what comes first is rank.ts.

import type { CompiledIndex } from './compiled-index.js';
import { stemsOf } from './english.js';
import type { Glossary } from './glossary.js';
import { MEANING_MARK, meaningPieces } from './meanings.js';
import { termsSpelled } from './pinyin-terms.js';
import type { Spelling } from './spelling.js';
import type { Synonyms } from './synonyms.js';
import { tokenise, WHOLE_MARK, type Token, type TokenKind } from './tokenise.js';
import type { Vocabulary } from './vocabulary.js';

/** What a query is understood with. */
export interface Lexicon {
  readonly index: CompiledIndex;
  readonly synonyms: Synonyms;
  readonly vocabulary: Vocabulary;
  readonly glossary: Glossary;
  readonly spelling: Spelling;
}

export interface TermUse {
  readonly term: number;
  readonly boost: number;
  /** How much of the query a document with this term has, as a share of 1. */
  readonly coverage: number;
}

/** Terms of one piece of the query that mean it, most telling first. */
export interface MeaningUse {
  readonly terms: readonly { readonly term: number; readonly boost: number }[];
}

export interface QueryPlan {
  /** What makes a sticker a result. */
  readonly direct: readonly TermUse[];
  readonly synonyms: readonly MeaningUse[];
  /** By the glossary: they are listed, but make no number of results true. */
  readonly meanings: readonly MeaningUse[];
  /** Single characters: they order results, and make some only when there are few. */
  readonly single: readonly TermUse[];
}

/** Tuned on the development half of the benchmark. */
const BOOSTS: Record<TokenKind | 'inside' | 'wholeSingle', number> = {
  whole: 4,
  inside: 1.2,
  word: 4,
  pair: 0.7,
  single: 1,
  // A character that is a keyword by itself names the thing: 狗 in 野狗.
  wholeSingle: 1,
};
const INSIDE_NAMED = 0.6;
const SYNONYM_BOOST = 2;
const MEANING_BOOST = 5;
const PART_OF_GLOSS = 0.7;
/** A word that only begins alike covers half; 0.375 is what MiniSearch gives it at most. */
const LIKE_COVERAGE = 0.5 / 0.375;
const MAX_SYNONYMS = 12;
/** A longer query is copy, and has been cut before it comes here. */
const MAX_MEANING_PIECES = 12;

/** The terms of a normalised query that the index knows, with their weights. */
export function planQuery(query: string, lexicon: Lexicon): QueryPlan {
  const tokens = distinct(tokenise(query));
  const inside = wordsInside(query, lexicon.vocabulary);
  const covers = coverages(tokens, lexicon.index);
  // Whoever asks for 情人节 does not ask for 情人: what is inside a word that people gave synonyms says less.
  const isNamed = lexicon.synonyms.has(query);
  const plan = { direct: [] as TermUse[], single: [] as TermUse[] };
  for (const { term, kind } of tokens) {
    const uses = kind === 'single' ? plan.single : plan.direct;
    const coverage = covers.get(term) ?? 0;
    const weaker = isNamed && (kind === 'pair' || kind === 'single') ? INSIDE_NAMED : 1;
    use(term, BOOSTS[kind] * weaker, coverage * weaker, lexicon.index, uses);
    if (kind === 'single') use(WHOLE_MARK + term, BOOSTS.wholeSingle, 0, lexicon.index, uses);
    if (kind === 'word') uses.push(...likeWord(term, coverage, lexicon));
  }
  for (const word of inside) use(WHOLE_MARK + word, BOOSTS.inside, 0, lexicon.index, plan.direct);
  plan.direct.push(...spelled(query, lexicon.index));
  return {
    ...plan,
    synonyms: synonymsOf(tokens, inside, lexicon),
    meanings: meaningsOf(query, isNamed, lexicon),
  };
}

const SPELLED = { full: 4, mixed: 2, initials: 2 } as const;

function spelled(query: string, index: CompiledIndex): TermUse[] {
  return termsSpelled(query, index).map(({ term, how }) => ({ term, boost: SPELLED[how], coverage: 1 }));
}

function use(term: string, boost: number, coverage: number, index: CompiledIndex, uses: TermUse[]): void {
  const id = index.find(term);
  if (id >= 0) uses.push({ term: id, boost, coverage });
}

function distinct(tokens: readonly Token[]): Token[] {
  return [...new Map(tokens.map((token) => [token.term, token])).values()];
}

// Rare characters and words are more of a query than frequent ones; those nobody has count too.
function coverages(tokens: readonly Token[], index: CompiledIndex): Map<string, number> {
  const rarities = tokens
    .filter(({ kind }) => kind === 'single' || kind === 'word')
    .map(({ term }) => [term, index.rarity(index.frequency(index.find(term)))] as const);
  const total = rarities.reduce((sum, [, rarity]) => sum + rarity, 0);
  return new Map(rarities.map(([term, rarity]) => [term, rarity / total]));
}

function wordsInside(query: string, vocabulary: Vocabulary): string[] {
  const words = vocabulary.segment(query).filter((piece) => piece.known && piece.text.length > 1);
  return [...new Set(words.map((piece) => piece.text))].filter((word) => word !== query);
}

function synonymsOf(tokens: readonly Token[], inside: readonly string[], lexicon: Lexicon): MeaningUse[] {
  const wholes = tokens
    .filter(({ kind }) => kind === 'whole')
    .map(({ term }) => term.slice(WHOLE_MARK.length));
  return [...new Set([...wholes, ...inside])].flatMap((word) => {
    const terms = lexicon.synonyms
      .of(word)
      .slice(0, MAX_SYNONYMS)
      .map((synonym) => ({ term: lexicon.vocabulary.find(synonym), boost: SYNONYM_BOOST }))
      .filter(({ term }) => term >= 0);
    return terms.length === 0 ? [] : [{ terms }];
  });
}

function meaningsOf(query: string, isNamed: boolean, { index, glossary }: Lexicon): MeaningUse[] {
  // 双十一 is not made of 双 and 十一.
  const pieces =
    isNamed && !glossary.has(query) ? [] : meaningPieces(query, glossary).slice(0, MAX_MEANING_PIECES);
  const han = pieces.map(({ meanings, share }) => ({
    terms: rarestFirst(
      meanings.map(({ stem, whole }) => ({
        stem,
        boost: MEANING_BOOST * share * (whole ? 1 : PART_OF_GLOSS),
      })),
      index,
    ),
  }));
  const latin = stemsOf(query).map((stem) => ({
    terms: rarestFirst([{ stem, boost: MEANING_BOOST }], index),
  }));
  return [...han, ...latin].filter(({ terms }) => terms.length > 0);
}

function rarestFirst(stems: readonly { stem: string; boost: number }[], index: CompiledIndex) {
  return stems
    .map(({ stem, boost }) => ({ term: index.find(MEANING_MARK + stem), boost }))
    .filter(({ term }) => term >= 0)
    .map((found) => ({ ...found, worth: found.boost * index.rarity(index.frequency(found.term)) }))
    .toSorted((a, b) => b.worth - a.worth);
}

// Weighed as MiniSearch weighs a prefix or a mistake: less the more is missing or wrong.
function likeWord(word: string, coverage: number, { index, spelling }: Lexicon): TermUse[] {
  const isKnown = index.frequency(index.find(word)) > 0;
  return spelling.wordsLike(word, isKnown).map(({ term, share }) => ({
    term,
    boost: BOOSTS.word * share,
    coverage: coverage * share * LIKE_COVERAGE,
  }));
}
