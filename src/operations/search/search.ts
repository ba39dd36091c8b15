// Search and match that ask the remote too, while the library is not complete: what it answers is learned, and the better
// answer is given. Before most of the library is known every new question is asked, and what synonyms find besides; after
// that only what the library has too little of. A complete library and an unreachable remote never wait.

import type { Source } from '../../model/asset.js';
import type { FindAnswer, FindRequest } from '../../api/find.js';
import { fillOf } from '../../harvest/harvest-status.js';
import type { AskableWords } from '../../library/query/keyword-extraction.js';
import type { Spender } from '../../model/spender.js';
import { LIMIT_DEFAULT, LIMIT_MAX, MATCH_KEYWORDS_MAX } from '../../contract/limits.js';
import type { MatchRequest, SearchQuery } from '../../contract/requests.js';
import type { LearnQuietly } from '../library/learn-quietly.js';
import type { Rooms } from '../rooms.js';
import { createAsker, type Outcome, type Patience, type Question, type Unheard } from './ask-remote.js';
import type { FindStickers } from './find-stickers.js';
import type { LocalAnswer, MatchStickers, SearchStickers } from './search-stickers.js';

export interface FoundAnswer extends Omit<LocalAnswer, 'fitting' | 'others'> {
  readonly source: Source;
  /** Why the remote, which may know more, was not heard; undefined when it was, or is not needed. */
  readonly unheard: Unheard | undefined;
  /** Whether, for that reason, stickers of svcd itself stand in: none of the remote's is found. */
  readonly standsIn: boolean;
}

/** At once from the library, or a little later with the help of the remote. */
export type Finding<Answer = FoundAnswer> = Answer | Promise<Answer>;

export interface LocalFinders {
  readonly searchStickers: SearchStickers;
  readonly matchStickers: MatchStickers;
  readonly findStickers: FindStickers;
}

/** How long an answer waits for the remote; what comes later is learned all the same. */
const PATIENCE: Patience = { answerMs: 700, allMs: 2000 };
/** In a home that knows fewer of the remote's stickers the wrong pictures would be listed: a quarter of a download's deadline. */
const FRESH_PATIENCE: Patience = { answerMs: 2000, allMs: 2000 };
const FRESH_BELOW = 1000;
/** Of somebody who waits for a choice and not for a list: one answer may take so long. */
const PATIENT_ANSWER_MS = 10_000;
/** As many words as the harvest, too, asks for at a time. */
const WORDS_A_SEARCH = 8;
/** Of the keywords of a match, so many are words of its copy. */
const SAID_IN_MATCH = 8;

export interface Finders {
  search(query: SearchQuery, spender: Spender): Finding;
  match(request: MatchRequest, spender: Spender): Finding;
  /** Asks what matches, unless the library is complete; `allMs` is for one that may wait, `isOneOfMany` leaves out what is asked besides. Why the remote was not heard. */
  ask(request: MatchRequest, spender: Spender, allMs?: number, isOneOfMany?: boolean): Promise<Unheard | undefined>;
  /** svcd's own search. */
  find(request: FindRequest, spender: Spender): Finding<FindAnswer>;
}

/** What is asked for, and how the library answers it. */
interface Want<Answer> {
  readonly answer: () => Answer;
  /** Whether an answer lists as much of the remote's as was asked for. */
  readonly isEnough: (answer: Answer) => boolean;
  /** What to ask the remote; more where most of what it has is unknown. */
  readonly questions: (isUnknown: boolean) => readonly Question[];
}

/** The answer of the library, and what came of asking the remote. */
interface Helped<Answer> {
  readonly answer: Answer;
  readonly unheard: Unheard | undefined;
}

/** Search and match that ask the remote when that helps. */
export function createSearchWithRemote(
  rooms: Rooms,
  { learn }: Pick<LearnQuietly, 'learn'>,
  { searchStickers, matchStickers, findStickers }: LocalFinders,
): Finders {
  const ask = createAsker({ ...rooms, learn });
  const { library, harvest, askWaitMs: waitMs } = rooms;
  const own = waitMs === undefined ? undefined : { answerMs: waitMs, allMs: waitMs };
  const patience = () => own ?? (library.sizeWithoutShipped < FRESH_BELOW ? FRESH_PATIENCE : PATIENCE);

  /** The answer of the library, at once or after the remote was asked: then `after` makes it anew if something was learned. */
  const help = <Answer, Told>(
    want: Want<Answer>,
    spender: Spender,
    tell: (here: Answer, helped: Helped<Answer>) => Told,
  ): Finding<Told> => {
    const here = want.answer();
    const alone = (unheard?: Unheard) => tell(here, { answer: here, unheard });
    const filled = fillOf(library, harvest);
    if (filled === 'complete' || (filled === 'nearly' && want.isEnough(here))) return alone();
    const { key, unheard } = keyToAskWith(rooms, spender);
    if (key === undefined) return alone(unheard);
    const heard = ask(want.questions(filled === 'begun'), key, patience());
    if (!(heard instanceof Promise)) return alone(heard.unheard);
    const finish = ({ learned, unheard: why }: Outcome) =>
      tell(here, { answer: learned ? want.answer() : here, unheard: why });
    return heard.then(finish);
  };
  const tell = (here: LocalAnswer, { answer, unheard }: Helped<LocalAnswer>): FoundAnswer => {
    const standsIn = unheard !== undefined && answer.others === 0 && answer.shipped !== undefined;
    return { ...answer, source: isSame(answer, here) ? 'library' : 'remote', unheard, standsIn };
  };
  const questionsOf = (request: MatchRequest, isUnknown: boolean) => {
    const isCopy = isUnknown && (request.text ?? '').trim() !== '';
    return isCopy ? copyQuestions(request, library.listAskableWords(request)) : [matchQuestion(request)];
  };
  const isFull = (limit: number) => (answer: LocalAnswer) => answer.fitting >= limit;
  return {
    search: (query, spender) => {
      const answer = () => searchStickers(query);
      return help({ answer, isEnough: isFull(query.limit), questions: () => [searchQuestion(query)] }, spender, tell);
    },
    match: (request, spender) => {
      const answer = () => matchStickers(request);
      const questions = (isUnknown: boolean) => questionsOf(request, isUnknown);
      return help({ answer, isEnough: isFull(request.limit), questions }, spender, tell);
    },
    ask: async (request, spender, allMs, isOneOfMany = false) => {
      if (library.isComplete()) return undefined;
      const { key, unheard } = keyToAskWith(rooms, spender);
      if (key === undefined) return unheard;
      const patient = allMs === undefined ? patience() : { answerMs: Math.min(PATIENT_ANSWER_MS, allMs), allMs };
      const questions = questionsOf(request, fillOf(library, harvest) === 'begun');
      return (await ask(isOneOfMany ? questions.slice(0, 1) : questions, key, patient)).unheard;
    },
    find: (request, spender) => {
      const { q, limit } = request;
      const answer = () => findStickers(request);
      if (q === undefined) return answer();
      const isEnough = ({ results }: FindAnswer) => results.filter(({ shipped }) => !shipped).length >= limit;
      const questions = () => [searchQuestion({ q, limit })];
      return help({ answer, isEnough, questions }, spender, (_here, helped) => helped.answer);
    },
  };
}

/** The Key of the request, else the user's own: asking is free. Else why asking is impossible, if there is a remote. */
function keyToAskWith(
  { remote, userKey }: Rooms,
  spender: Spender,
): { readonly key?: string; readonly unheard?: Unheard } {
  if (remote === undefined) return {};
  if (remote.reach().offline) return { unheard: 'offline' };
  if (spender.kind === 'key') return { key: spender.key };
  const key = spender.error === undefined ? userKey() : undefined;
  return key === undefined ? { unheard: spender.error?.code ?? 'no_key' } : { key };
}

function isSame({ body: one }: LocalAnswer, { body: other }: LocalAnswer): boolean {
  return one === other || Buffer.from(one as string).equals(Buffer.from(other as string));
}

function searchQuestion({ q, limit }: SearchQuery): Question {
  const request = (most: number) =>
    ({
      method: 'GET',
      path: `/api/v1/stickers/search?${new URLSearchParams({ q, limit: String(most) }).toString()}`,
    }) as const;
  return { shape: 'search', words: [q], request: request(LIMIT_MAX), modest: request(limit) };
}

function matchQuestion({ text, keywords, limit }: MatchRequest): Question {
  const request = (most: number) =>
    ({
      method: 'POST',
      path: '/api/v1/stickers/match',
      body: new TextEncoder().encode(JSON.stringify({ text, keywords, limit: most })),
      contentType: 'application/json',
    }) as const;
  const words = (text ?? '').trim() === '' ? (keywords ?? []) : [];
  return { shape: 'match', words, request: request(LIMIT_MAX), modest: request(limit) };
}

/**
 * A match of a copy, with keywords that svcd takes from it, and a search for what else they are shown by: the remote
 * lists fifty for a question, and for the copy alone those that are called what the copy says.
 */
function copyQuestions(request: MatchRequest, { said, others }: AskableWords): readonly Question[] {
  const { keywords = [] } = request;
  const asked = [...new Set([...keywords, ...said.slice(0, SAID_IN_MATCH), ...others])].slice(0, MATCH_KEYWORDS_MAX);
  const match = matchQuestion(asked.length === 0 ? request : { ...request, keywords: asked });
  if (others.length === 0) return [match];
  const search = searchQuestion({ q: others.slice(0, WORDS_A_SEARCH).join(' '), limit: LIMIT_DEFAULT });
  // Nobody asked for these words: the order of what they find means nothing.
  return [match, { ...search, words: [], isBesides: true }];
}
