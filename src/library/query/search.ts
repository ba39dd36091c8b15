// One search over a loaded index: plan, add up, rank. Gives document numbers; the stickers are read elsewhere.

import { isWeak, JUDGED } from '../../contract/fit.js';
import { spellOut } from '../language/offers.js';
import { blendRemoteList, type RemoteList } from './blend-remote-results.js';
import type { Accepts } from './filter.js';
import { FitMeasure } from './fit.js';
import { kindsOf, type KindUse } from './kinds.js';
import type { QueryContext } from './query-context.js';
import { MEANING_BOOST, planQuery } from './query-plan.js';
import { rank, type Tier } from './rank.js';
import { relaxQuery } from './relax.js';
import { othersAmong, shippedAmong, type ShippedLimits, type ShippedRule } from './shipped-rule.js';
import { topDocuments, type Scored } from './top-k.js';

/** What another style of a concept already listed is worth. */
const SAME_CONCEPT_DECAY = 0.4;
/** The largest page: stickers that share only single characters with the query may fill it, and count no further. */
const FULL_PAGE = 50;
/** More words are left out, and said to be: what each may be read as and be a mistake for costs some tenths of a millisecond. */
const MAX_WORDS = 24;
/** The same of letters, which may all be of one word. */
const MAX_LETTERS = 200;
/** Pairs and characters of a word that the glossary knows and the library does not count for less: 柯基 is no 基金会. */
const PIECES_OF_KNOWN = 0.4;
const MAX_PIECE_BOOST = 1;

export interface SearchRanking {
  /** How many documents there are; of those that only mean what is asked, or share single characters, as many as a page holds. */
  readonly total: number;
  /** How many of others than svcd's own share or mean more than single characters of the query. */
  readonly direct: number;
  /** Whether the library has a word of the query, or the query is a word by itself: else it may be a mistake. */
  readonly isNamed: boolean;
  /** Words of the query that were left out, because nothing has all. */
  readonly dropped: readonly string[];
  readonly best: readonly Scored[];
  /** Of documents; undefined where no words were asked for. */
  readonly fit: FitMeasure | undefined;
}

/** How much of the results is wanted; without `accepts` none is left out. */
export interface SearchLimits {
  readonly limit: number;
  /** Only which they are is wanted, for an order of their own: to rank thousands takes longer than to find them. */
  readonly unordered?: boolean | undefined;
  readonly accepts?: Accepts | undefined;
  /** What the remote listed for the same words. */
  readonly remote?: RemoteList | undefined;
  /** Undefined where the library has none of svcd's own. */
  readonly shipped?: ShippedLimits | undefined;
}

/** At most the first `limit` documents that match a query, best first; the first of more are the same. */
export function searchIndex(query: string, limits: SearchLimits, context: QueryContext): SearchRanking {
  const { limit, accepts, shipped } = limits;
  const { index, searchScores: scores } = context;
  const { met } = scores;
  const { asked, rest } = cutQuery(spellOut(query));
  const { dropped: least, hasRest } = relaxQuery(asked, context);
  const dropped = [...least, ...rest];
  const plan = planQuery(asked, context);
  scores.clear();
  for (const { term, boost, coverage } of plan.direct) scores.add(term, boost, coverage);
  for (const { terms } of plan.synonyms) scores.addMeanings(terms);
  const counted = met.size;
  for (const { terms, agrees } of plan.meanings) scores.addMeanings(terms, agrees);
  // What was left out counts: a red circle is half of a red car.
  const fit = new FitMeasure(asked, plan, context);
  const { kinds, pieces } = isSure(asked, fit, context) ? NO_KINDS : secondPass(asked, context);
  fit.take(kinds);
  for (const terms of kinds) {
    scores.addMeanings(terms.map(({ term, share }) => ({ term, boost: MEANING_BOOST * share })));
  }
  for (const { term, boost, coverage } of pieces === 1 ? [] : plan.direct) {
    if (boost < MAX_PIECE_BOOST) scores.add(term, boost * (pieces - 1), coverage * (pieces - 1));
  }
  const found = met.size;
  const others = (from: number, to: number) => othersAmong(met, [from, to], shipped, accepts);
  const strong = { documents: others(0, found), scorer: scores };
  const direct = strong.documents.length;
  const sure = others(0, counted).length;
  // What shares single characters only is not even met where others fill the page.
  const isFull = direct >= (limits.unordered === true ? FULL_PAGE : Math.max(limit, FULL_PAGE));
  for (const { term, boost, coverage } of plan.single) {
    if (isFull) scores.addToMet(term, boost * pieces, coverage * pieces);
    else scores.add(term, boost * pieces, coverage * pieces);
  }
  const weak = { documents: others(found, met.size), scorer: scores };
  const remote = acceptedOf(limits);
  const order = (tiers: readonly Tier[], wanted: number) =>
    rank(tiers, [{ of: (document) => index.conceptOf(document), decay: SAME_CONCEPT_DECAY }], { wanted });
  // What the remote listed may stand among these a second time.
  const wanted = remote === undefined ? limit : Math.max(limit, FULL_PAGE) + remote.documents.length;
  const total = Math.max(sure, Math.min(direct + weak.documents.length, FULL_PAGE));
  const isSet = limits.unordered === true && remote === undefined && total >= direct;
  const ranked = isSet
    ? [...asTheyAre(strong.documents), ...order([weak], wanted - direct)]
    : order([...firstHaving(hasRest, strong), weak], wanted);
  const ownRanking = { fit, isNamed: sure > 0 || context.glossary.has(asked), dropped, total, direct, best: ranked };
  const isDirect = (document: number) => met.placeOf(document) >= 0 && met.placeOf(document) < found;
  const ranking = remote === undefined ? ownRanking : withRemote(ownRanking, remote, isDirect, limit);
  if (shipped === undefined) return ranking;
  const ours = (from: number, to: number) => {
    const documents = shippedAmong(met, [from, to], shipped, accepts);
    return { count: documents.length, best: order([{ documents, scorer: scores }], limit) };
  };
  const hasSure = sure > 0 || remote !== undefined;
  const suited = hasSure ? 0 : direct > 0 ? counted : found;
  return withShipped(ranking, shipped.rule, limit, [ours(0, suited), ours(suited, found), ours(found, met.size)]);
}

/** What is asked of a normalised query, and what is left out. */
function cutQuery(query: string): { asked: string; rest: readonly string[] } {
  const words = query.split(' ');
  if (words.length <= MAX_WORDS && query.length <= MAX_LETTERS) return { asked: query, rest: [] };
  const asked: string[] = [];
  const rest: string[] = [];
  let room = MAX_LETTERS;
  for (const word of words) {
    const begun = asked.length < MAX_WORDS ? word.slice(0, room).replace(HALF_CHARACTER, '') : '';
    if (begun !== '') asked.push(begun);
    if (begun !== word) rest.push(word.slice(begun.length));
    room = Math.max(0, room - word.length);
  }
  return { asked: asked.join(' '), rest };
}

const HALF_CHARACTER = /[\uD800-\uDBFF]$/;

interface SecondPass {
  readonly kinds: readonly (readonly KindUse[])[];
  /** What pairs and characters are worth. */
  readonly pieces: number;
}

const NO_KINDS: SecondPass = { kinds: [], pieces: 1 };

/** Whether one of the first of what was met answers the query fairly: where none does, what it is a kind of is asked for too. */
function isSure(asked: string, fit: FitMeasure, context: QueryContext): boolean {
  const { index, searchScores: scores, vocabulary } = context;
  if (index.frequency(vocabulary.find(asked)) > 0) return true;
  const met = scores.met.documents.subarray(0, scores.met.size);
  const first = topDocuments(met, scores, JUDGED).map(({ document }) => ({ fit: fit.of(document) }));
  return first.length > 0 && !isWeak(first);
}

function secondPass(asked: string, context: QueryContext): SecondPass {
  const kinds = kindsOf(asked, context);
  const isKnown = kinds.length > 0 && context.glossary.has(asked);
  return { kinds, pieces: isKnown ? PIECES_OF_KNOWN : 1 };
}

interface Ordered {
  readonly count: number;
  readonly best: readonly Scored[];
}

/** The ranking with svcd's own: those that suit better than all others, those that suit as well, and those that hardly do. */
function withShipped(
  ranking: SearchRanking,
  rule: ShippedRule,
  limit: number,
  [better, asGood, hardly]: readonly [Ordered, Ordered, Ordered],
): SearchRanking {
  const { direct, total, best } = ranking;
  const isListed = rule === 'listed';
  const listed = isListed ? asGood : NONE;
  const last = isListed || total === 0 ? hardly : NONE;
  const sure = total + better.count + listed.count;
  return {
    ...ranking,
    isNamed: ranking.isNamed || better.count + asGood.count > 0,
    total: sure + Math.min(last.count, Math.max(0, FULL_PAGE - sure)),
    best: [better.best, best.slice(0, direct), listed.best, best.slice(direct), last.best].flat().slice(0, limit),
  };
}

const NONE: Ordered = { count: 0, best: [] };

/** The ranking with what the remote listed. */
function withRemote(
  ranking: SearchRanking,
  remote: RemoteList,
  isDirect: (document: number) => boolean,
  limit: number,
): SearchRanking {
  const { direct, total, best } = ranking;
  // Behind more than a page of our own, what the remote adds is of no use: it is not counted.
  const added = direct > FULL_PAGE ? [] : remote.documents.filter((document) => !isDirect(document));
  const fitting = direct + added.length;
  if (remote.isWhole) ranking.fit?.trust(remote.documents);
  const isBlended = remote.isWhole || direct <= FULL_PAGE;
  const blended = (isBlended ? blendRemoteList(best, direct, remote, isDirect) : best).slice(0, limit);
  return { ...ranking, total: Math.max(total, fitting), direct: fitting, best: blended };
}

function acceptedOf({ remote, accepts }: SearchLimits): RemoteList | undefined {
  const documents = remote?.documents.filter(accepts ?? (() => true)) ?? [];
  return remote === undefined || documents.length === 0 ? undefined : { ...remote, documents };
}

// What has all that was not left out comes before what has some of it.
function firstHaving(hasRest: ((document: number) => boolean) | undefined, tier: Tier): Tier[] {
  if (hasRest === undefined) return [tier];
  const { documents } = tier;
  const having = documents.filter(hasRest);
  if (having.length === 0 || having.length === documents.length) return [tier];
  return [
    { ...tier, documents: having },
    { ...tier, documents: documents.filter((document) => !hasRest(document)) },
  ];
}

/** At most the first `limit` of all documents, in their order. */
export function listIndex({ limit, accepts, shipped }: SearchLimits, all: Uint32Array): SearchRanking {
  const accepted = accepts === undefined ? all : all.filter(accepts);
  const isOurs = (document: number) => shipped?.marks[document] === 1;
  const others = shipped === undefined ? accepted : accepted.filter((document) => !isOurs(document));
  const isWanted = shipped?.rule === 'listed' || (shipped?.rule === 'last-resort' && others.length === 0);
  const listed = isWanted ? [...others, ...accepted.filter(isOurs)] : others;
  const best = asTheyAre(listed.slice(0, limit));
  return { total: listed.length, direct: others.length, isNamed: true, dropped: [], best, fit: undefined };
}

function asTheyAre(documents: ArrayLike<number>): Scored[] {
  return Array.from(documents, (document) => ({ document, score: 1 }));
}
