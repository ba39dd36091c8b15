// How well a sticker answers what was asked, from 0 to 1: how much of it the sticker has, and how surely. A score orders the
// answers to one question; fit means the same for all questions, so that it can be said that nothing fits.

import { commonFields } from '../search-index/postings.js';
import { MAX_WORD_UNITS, type StickerIndex } from '../search-index/sticker-index.js';
import type { KindUse } from './kinds.js';
import type { QueryContext } from './query-context.js';
import type { QueryPlan, TermUse } from './query-plan.js';
import { IN_TITLE } from '../search-index/weigh-terms.js';
import type { ExtractedKeyword } from './keyword-extraction.js';
import { conceptTermsOf, forEachTerm, partsOf, type Occurrence } from './word-lookup.js';

/** How surely each tells that a sticker shows a word. */
const FIT_OF = { exact: 1, inside: 0.9, synonym: 0.85, meaning: 0.7 } as const;
/** Of Latin letters: a word that begins like what was typed, is a mistake for it, or is read so. */
const TYPED = 0.75;
/** The noun at the end of an unknown word: 猫 of 布偶猫. */
const HEAD = 0.65;
/** Its last character somewhere. */
const LAST = 0.3;
/** A sentence without spaces has hundreds: the longest are looked at. */
const MAX_PARTS = 24;
/** What a word counts of which nothing in the library has anything, beside the others. */
const UNKNOWN = 0.5;
/** What the query is a kind of: so much, and half of how nearly. */
const KIND = 0.3;

/** The remote listed it, for whatever reason. */
const LISTED = 0.5;

/** What a sticker may show of a word by a term that it has, with all others beside it. */
interface Evidence {
  readonly term: number;
  readonly others: readonly number[];
  readonly fit: number;
  /** Whether a sticker may have the term more or less surely. */
  readonly isMeant: boolean;
}

/** Measures how well documents fit a normalised query. */
export class FitMeasure {
  private readonly query: string;
  private readonly context: QueryContext;
  private readonly typed: readonly TermUse[];
  private readonly whole: Evidence[];
  private trusted: ReadonlySet<number> | undefined;
  /** What is between spaces or known inside, with its share of the query; read when the whole is not enough. */
  private parts: readonly { readonly share: number; readonly evidence: readonly Evidence[] }[] | undefined;

  constructor(query: string, { direct }: QueryPlan, context: QueryContext) {
    this.query = query;
    this.context = context;
    this.typed = direct.filter(({ typed }) => typed !== undefined);
    this.whole = evidenceOf(query, context);
  }

  /** What the query is a kind of tells something too. */
  take(kinds: readonly (readonly KindUse[])[]): void {
    for (const { term, share } of kinds.flat()) {
      this.whole.push({ term, others: NONE, fit: KIND + share / 2, isMeant: false });
    }
    this.whole.sort((a, b) => b.fit - a.fit);
  }

  /** What the remote listed for these very words fits fairly: it may know why. */
  trust(documents: readonly number[]): void {
    this.trusted = new Set(documents);
  }

  /** From 0 to 1. */
  of(document: number): number {
    const { index } = this.context;
    const best = Math.max(bestOf(this.whole, document, index), this.trusted?.has(document) === true ? LISTED : 0);
    if (best >= FIT_OF.inside) return best;
    let mean = 0;
    for (const { share, evidence } of (this.parts ??= this.readParts())) {
      mean += share * bestOf(evidence, document, index);
    }
    let spelled = 0;
    for (const { term, typed = 0 } of this.typed) if (index.sureOf(term, document) > 0) spelled += typed;
    return Math.max(best, mean, TYPED * Math.min(1, spelled));
  }

  private readParts() {
    const { query, context } = this;
    const words = wordsIn(query, context).toSorted((a, b) => b.share - a.share);
    const parts = words.slice(0, MAX_PARTS).map(({ text, share }) => {
      const evidence = evidenceOf(text, context);
      return { share: evidence.length === 0 ? share * UNKNOWN : share, evidence };
    });
    const left = words.slice(MAX_PARTS).reduce((sum, { share }) => sum + share, 0);
    const all = parts.reduce((sum, { share }) => sum + share, left);
    return parts.map((part) => ({ ...part, share: part.share / all }));
  }
}

interface Part {
  readonly text: string;
  /** Of the query: each word between spaces asks for as much, and what is known inside of one by its length. */
  readonly share: number;
}

/** The words of a query between spaces and those the library knows inside, with what is left between them; none for a single one. */
function wordsIn(query: string, { vocabulary }: QueryContext): Part[] {
  const between = query.split(' ');
  const words = between.flatMap((part) => {
    const inside: string[] = [];
    let isAfterKnown = true;
    for (const { text, known } of vocabulary.segment(part)) {
      const isWord = known && text.length > 1;
      if (isWord || isAfterKnown) inside.push(text);
      else inside.push(inside.pop()! + text);
      isAfterKnown = isWord;
    }
    return inside.map((text) => ({ text, share: text.length / part.length / between.length }));
  });
  return words.length > 1 ? words : [];
}

/** What shows a word, the surest first. The synonyms of what an unknown word is made of are those of its parts. */
function evidenceOf(word: string, context: QueryContext): Evidence[] {
  const { vocabulary, synonyms, glossary, index } = context;
  const evidence: Evidence[] = [];
  const put = (term: number, fit: number, isMeant = false, others = NONE) =>
    void (term >= 0 && evidence.push({ term, others, fit, isMeant }));
  const exact = vocabulary.find(word);
  put(exact, FIT_OF.exact);
  const [rarest = -1, ...others] = partsOf(word, index);
  put(rarest, FIT_OF.inside, false, others);
  for (const synonym of synonyms.of(word)) put(vocabulary.find(synonym), FIT_OF.synonym);
  if (glossary.has(word) || LATIN.test(word)) {
    for (const meaning of conceptTermsOf(word, context)) put(meaning, FIT_OF.meaning, true);
  }
  if (exact < 0 && !word.includes(' ')) {
    put(headOf(word, context), HEAD);
    put(index.find(word.slice(-1)), LAST);
  }
  return evidence;
}

/** What an occurrence of a word of a copy tells, which says more than it asks for. Tried on copies cut into lines. */
const IN_COPY = {
  exact: { title: 1, keywords: 0.7 },
  inside: { title: 0.9, keywords: 0.63 },
  piece: { title: 0.6, keywords: 0.42 },
  synonym: { title: 0.68, keywords: 0.68 },
  meaning: { title: 0.49, keywords: 0.49 },
  beside: { title: 0.4, keywords: 0.28 },
} as const satisfies Record<Occurrence, unknown>;
/** How much less a word tells that weighs less than the heaviest of a copy. */
const WEIGHT_POWER = 0.25;

/** Measures how well documents suit a submission, from 0 to 1, by the one of the words that found them that tells most. */
export function fitOfMatch(
  words: readonly ExtractedKeyword[],
  index: StickerIndex,
): (document: number, found: readonly ExtractedKeyword[]) => number {
  const most = Math.max(...words.map(({ weight }) => weight));
  return (document, found) => {
    let best = 0;
    for (const { terms, explicit, negated, weight } of found) {
      const worth = negated ? 0 : explicit ? 1 : (weight / most) ** WEIGHT_POWER;
      forEachTerm(terms, (term, how, others) => {
        if (worth * IN_COPY[how].title <= best) return;
        const fields = commonFields(others, document, index.fieldsOf(term, document), index);
        const { title, keywords } = IN_COPY[how];
        const sure = how === 'meaning' ? index.sureOf(term, document) : 1;
        if (fields !== 0) best = Math.max(best, worth * sure * ((fields & IN_TITLE) !== 0 ? title : keywords));
      });
    }
    return best;
  };
}

function headOf(word: string, { vocabulary }: QueryContext): number {
  for (let at = Math.max(1, word.length - MAX_WORD_UNITS); at < word.length; at++) {
    if (vocabulary.has(word.slice(at))) return vocabulary.find(word.slice(at));
  }
  return -1;
}

function bestOf(evidence: readonly Evidence[], document: number, index: StickerIndex): number {
  let best = 0;
  for (const { term, others, fit, isMeant } of evidence) {
    if (fit <= best) break;
    const sure = index.sureOf(term, document);
    if (sure === 0) continue;
    // In one field: what stands in title and keywords apart is no word.
    if (others.length > 0 && commonFields(others, document, index.fieldsOf(term, document), index) === 0) continue;
    best = Math.max(best, isMeant ? fit * sure : fit);
  }
  return best;
}

const NONE: readonly number[] = [];
const LATIN = /[a-z]/;
