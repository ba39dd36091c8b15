// One match over a loaded index: which stickers suit a copy and its keywords. Gives document numbers and the words
// that led there; reasons in words are word-lookup.ts.

import type { Scored } from './top-k.js';
import type { QueryContext } from './query-context.js';
import type { Accepts } from './filter.js';
import { POOL_SIZE, rank } from './rank.js';
import { othersAmong, shippedAmong, type ShippedLimits } from './shipped-rule.js';
import { extractKeywords, type ExtractedKeyword, type Submission } from './keyword-extraction.js';
import { STRENGTH, type MatchScores } from './match-scores.js';
import { coverScenes } from './cover.js';
import { forEachTerm, type Occurrence } from './word-lookup.js';

const SAME_WORD_DECAY = 0.7;
/** As many as the largest page, so that a copy of one word can fill it. */
const LISTED_PER_WORD = 50;
const SAME_TITLE_DECAY = 0.3;
/** Measured: a dozen is found among the first 130 of most copies, and among 300 of nearly all. */
const LOOKED = 320;
/** Of so many, the first by rank, the order is that in which they cover the words: two pages. As good as of 100, and half the time. */
const COVERING = 24;
/** What the glossary joins helps a short text and blurs a long one: at this many words it counts half. */
const WORDS_HALVING_MEANINGS = 40;

export interface MatchRanking {
  readonly words: readonly ExtractedKeyword[];
  /** How many documents match. */
  readonly total: number;
  /** How many of them are not svcd's own. */
  readonly others: number;
  readonly best: readonly Scored[];
  /** Those of the words that found one of the best; until the next match. */
  readonly wordsOf: (document: number) => ExtractedKeyword[];
}

export interface MatchLimits {
  readonly limit: number;
  /** Undefined where there is no filter. */
  readonly accepts?: Accepts | undefined;
  /** Undefined where the library has none of svcd's own. */
  readonly shipped?: ShippedLimits | undefined;
}

const NONE = new Uint32Array();

/** The documents that suit a submission, best first, at most `limit`; those an explicit keyword found come before all others. */
export function matchIndex(
  submission: Submission,
  { limit, accepts = () => true, shipped }: MatchLimits,
  context: QueryContext,
): MatchRanking {
  const { index, matchScores: scores } = context;
  const { met } = scores;
  const words = extractKeywords(submission, context);
  scores.clear();
  addUp(words, scores);
  const all = [0, met.size] as const;
  const documents = othersAmong(met, all, shipped).filter(accepts);
  const ours = shippedAmong(met, all, shipped).filter(accepts);
  const suited = ours.length === 0 ? 0 : documents.reduce((best, one) => Math.max(best, scores.gradeOf(one)), 0);
  const better = ours.filter((document) => scores.gradeOf(document) > suited);
  const explicit = words.some((word) => word.explicit)
    ? documents.filter((document) => scores.isExplicit(document))
    : NONE;
  const fromCopy = explicit.length === 0 ? documents : documents.filter((document) => !scores.isExplicit(document));
  const ranked = Math.max(POOL_SIZE, words.length * LISTED_PER_WORD);
  const tiers = [...byExplicit(better, scores), explicit, fromCopy].filter(({ length }) => length > 0);
  const best: Scored[] = [];
  for (const tier of tiers) {
    if (best.length >= limit) break;
    const first = rank(
      [{ documents: tier, scorer: scores }],
      [
        // A word that fits hundreds of stickers is not to push out what the other words are about.
        { of: (document) => scores.chiefWordOf(document), decay: SAME_WORD_DECAY, most: LISTED_PER_WORD },
        { of: (document) => index.titleOf(document), decay: SAME_TITLE_DECAY },
      ],
      { wanted: Math.max(limit, COVERING), poolSize: ranked, looked: LOOKED },
    );
    const isExplicit = scores.isExplicit(first[0]!.document);
    const asked = isExplicit ? words.map((one) => ({ ...one, negated: one.negated || !one.explicit })) : words;
    append(best, coverScenes(first.slice(0, COVERING), asked, limit - best.length, { index, scores }));
    append(best, first.slice(COVERING));
    best.length = Math.min(best.length, limit);
  }
  return {
    words,
    total: documents.length + better.length,
    others: documents.length,
    best,
    wordsOf: (document) => words.filter((_, i) => scores.hasWord(document, i + 1)),
  };
}

/** Puts others behind, below them. */
function append(best: Scored[], others: readonly Scored[]): void {
  const floor = best.at(-1)?.score;
  for (const { document, score } of others) {
    best.push({ document, score: floor === undefined ? score : (score * floor) / (1 + score) });
  }
}

function byExplicit(documents: Uint32Array, scores: MatchScores): Uint32Array[] {
  return [true, false].map((explicit) => documents.filter((document) => scores.isExplicit(document) === explicit));
}

function addUp(words: readonly ExtractedKeyword[], scores: MatchScores): void {
  const blur = 1 / (1 + words.length / WORDS_HALVING_MEANINGS);
  for (const [i, { terms, explicit, negated, weight }] of words.entries()) {
    forEachTerm(terms, (term, how, others) => {
      const { title, keywords } = STRENGTH[how];
      scores.credit(term, others, {
        title,
        keywords,
        word: i + 1,
        by: explicit ? 'explicit' : BY[how],
        weight,
        blur: how === 'meaning' && !explicit ? blur : 1,
        denies: negated && how === 'exact',
      });
    });
  }
}

const BY = {
  exact: 'said',
  inside: 'said',
  piece: 'said',
  synonym: 'implied',
  meaning: 'implied',
  beside: 'implied',
} as const satisfies Record<Occurrence, string>;
