// Search and match that ask the remote too, while the library is not complete: what it answers is learned, and the better
// answer is given. Before most of the library is known every new question is asked, and what synonyms find besides; after
// that only what the library has too little of. A complete library and an unreachable remote never wait.

import type { Clock } from '../platform/clock.js';
import type { Source } from '../model/asset.js';
import type { FindAnswer } from '../api/find-answer.js';
import type { FindRequest } from '../api/find-request.js';
import type { LibraryFill } from '../harvest/harvest-status.js';
import type { Library } from '../library/library.js';
import type { AnswerShape, LearnedAnswer } from '../library/storage/learned-data.js';
import type { Spender } from '../model/spender.js';
import { parseJson } from '../platform/json.js';
import type { RemoteRequest } from '../upstream/exchange.js';
import type { Remote } from '../upstream/remote.js';
import { envelopeOf } from '../contract/envelope.js';
import { LIMIT_DEFAULT, LIMIT_MAX } from '../contract/limits.js';
import type { MatchRequest, SearchQuery } from '../contract/requests.js';
import { readCandidates } from '../contract/read-candidates.js';
import { within } from '../platform/sleep.js';
import type { FindStickers } from './find-stickers.js';
import type { MatchStickers } from './match-stickers.js';
import type { LocalAnswer, SearchStickers } from './search-stickers.js';

export interface FoundAnswer extends Omit<LocalAnswer, 'fitting'> {
  readonly source: Source;
}

/** At once from the library, or a little later with the help of the remote. */
export type Finding<Answer = FoundAnswer> = Answer | Promise<Answer>;

export interface SearchWithRemoteParts {
  /** How much of what the remote has the library holds. */
  readonly fill: () => LibraryFill;
  readonly library: Pick<Library, 'listOtherWords'>;
  readonly learn: (answer: LearnedAnswer) => void;
  readonly remote: Pick<Remote, 'exchange' | 'reach'> | undefined;
  readonly userKey: () => string | undefined;
  readonly clock: Clock;
  readonly searchStickers: SearchStickers;
  readonly matchStickers: MatchStickers;
  readonly findStickers: FindStickers;
  /** 700 ms if not given. */
  readonly waitMs?: number | undefined;
}

/** How long an answer may wait for the remote; a later answer is still learned. */
const WAIT_MS = 700;
const TIMEOUT_MS = 5000;
const MAX_BYTES = 4 * 1024 * 1024;
/** The same question is not asked again within this time. */
const ASKED_FOR_MS = 10 * 60_000;
/** After a refusal a Key is left alone for so long. */
const FAILED_FOR_MS = 30_000;
const MAX_ASKED = 2000;
const HTTP_BAD_REQUEST = 400;
/** Two thirds of what the service allows: a script that searches all the time must leave room for downloads. */
const MAX_PER_MINUTE = 80;
const MINUTE_MS = 60_000;
/** As many words does one search of the sandbox look for; the harvest asks for as many at a time. */
const MAX_OTHER_WORDS = 8;

export interface Finders {
  search(query: SearchQuery, spender: Spender): Finding;
  match(request: MatchRequest, spender: Spender): Finding;
  /** svcd's own search. */
  find(request: FindRequest, spender: Spender): Finding<FindAnswer>;
}

/** What is asked for, and how the library answers it. */
interface Want<Answer> {
  readonly answer: () => Answer;
  /** Whether an answer lists as much of the remote's as was asked for. */
  readonly isEnough: (answer: Answer) => boolean;
  readonly question: () => Question;
  readonly submission: Parameters<Library['listOtherWords']>[0];
}

/** Search and match that ask the remote when that helps. */
export function createSearchWithRemote(parts: SearchWithRemoteParts): Finders {
  const ask = createAsker(parts);
  const { library, fill, searchStickers, matchStickers, findStickers, waitMs = WAIT_MS } = parts;

  /** The answer of the library, and a better one in time if the remote may know more. */
  const help = <Answer>(want: Want<Answer>, spender: Spender): readonly [Answer, Promise<Answer> | undefined] => {
    const here = want.answer();
    const filled = fill();
    if (filled === 'complete' || (filled === 'nearly' && want.isEnough(here))) return [here, undefined];
    const key = keyToAskWith(parts, spender);
    if (key === undefined) return [here, undefined];
    const others = filled === 'begun' ? library.listOtherWords(want.submission, MAX_OTHER_WORDS) : [];
    const questions = [want.question(), ...(others.length === 0 ? [] : [otherQuestion(others)])];
    const hasLearned = ask(questions, key, waitMs);
    return [here, hasLearned?.then((learned) => (learned ? want.answer() : here))];
  };
  const tell = ([here, later]: readonly [LocalAnswer, Promise<LocalAnswer> | undefined]): Finding => {
    if (later === undefined) return { ...here, source: 'library' };
    return later.then((after) => ({ ...after, source: isSame(after, here) ? 'library' : 'remote' }));
  };
  const isFull = (limit: number) => (answer: LocalAnswer) => answer.fitting >= limit;
  return {
    search: (query, spender) => {
      const { q, limit } = query;
      const answer = () => searchStickers(query);
      const question = () => searchQuestion(query);
      return tell(help({ answer, isEnough: isFull(limit), question, submission: { text: q } }, spender));
    },
    match: (request, spender) => {
      const answer = () => matchStickers(request);
      const question = () => matchQuestion(request);
      return tell(help({ answer, isEnough: isFull(request.limit), question, submission: request }, spender));
    },
    find: (request, spender) => {
      const { q, limit } = request;
      const answer = () => findStickers(request);
      if (q === undefined) return answer();
      const isEnough = ({ results }: FindAnswer) => results.filter(({ shipped }) => !shipped).length >= limit;
      const question = () => searchQuestion({ q, limit });
      const [here, later] = help({ answer, isEnough, question, submission: { text: q } }, spender);
      return later ?? here;
    },
  };
}

/** The Key of the request, else the user's own: asking is free. Undefined where asking is impossible. */
function keyToAskWith({ remote, userKey }: SearchWithRemoteParts, spender: Spender): string | undefined {
  if (remote === undefined || remote.reach().offline) return undefined;
  if (spender.kind === 'key') return spender.key;
  return spender.error === undefined ? userKey() : undefined;
}

function isSame({ body: one }: LocalAnswer, { body: other }: LocalAnswer): boolean {
  return one === other || Buffer.from(one as string).equals(Buffer.from(other as string));
}

interface Question {
  readonly shape: AnswerShape;
  /** What is learned for the future; never the copy. */
  readonly words: readonly string[];
  readonly request: Pick<RemoteRequest, 'method' | 'path' | 'body' | 'contentType'>;
  /** The same with the limit of the client, for a remote that refuses ours. */
  readonly modest: Question['request'];
  /** Whether the client asked for something else: its refusal says nothing of the Key. */
  readonly isBesides?: boolean;
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

/** A search for words that nobody asked for: its order means nothing. */
function otherQuestion(words: readonly string[]): Question {
  return { ...searchQuestion({ q: words.join(' '), limit: LIMIT_DEFAULT }), words: [], isBesides: true };
}

/**
 * Asks questions, each once at a time and once in a while, and so many a minute; tells in time whether something was
 * learned. Undefined when nothing is asked, or the remote is slow: then what it answers is learned later.
 */
function createAsker({ learn: keep, remote, clock }: SearchWithRemoteParts) {
  const underWay = new Map<string, { readonly since: number; readonly learned: Promise<boolean> }>();
  const askedAt = new Map<string, number>();
  /** When a Key was refused, or the remote failed it, by Key: asked again with each search it would stay so. */
  const failedAt = new Map<string, number>();
  /** When questions were sent, of the last minute. */
  let sentAt: number[] = [];
  let refusesOurLimit = false;

  const send = async (request: Question['request'], key: string) =>
    remote!.exchange({
      ...request,
      key,
      cost: 'free',
      timeoutMs: TIMEOUT_MS,
      queueTimeoutMs: WAIT_MS,
      maxBytes: MAX_BYTES,
    });

  const exchange = async ({ request, modest }: Question, key: string) => {
    const isModest = refusesOurLimit;
    const first = await send(isModest ? modest : request, key);
    if (isModest || first.kind !== 'answer' || first.status !== HTTP_BAD_REQUEST) return first;
    refusesOurLimit = true;
    return send(modest, key);
  };

  const learn = async (question: Question, id: string, key: string): Promise<boolean> => {
    const { shape, words, isBesides = false } = question;
    const result = await exchange(question, key);
    if (result.kind !== 'answer') return false;
    const isRefused = result.status !== 200 && !(isBesides && result.status === HTTP_BAD_REQUEST);
    remember(isRefused ? failedAt : askedAt, isRefused ? key : id, clock.monotonic());
    // What is asked besides has the form of an answer, but not what the client asked in it.
    const found = result.status === 200 ? learnableIn(result.bytes, isBesides ? 'other' : shape, words) : undefined;
    if (found !== undefined) keep({ ...found, shape });
    return found !== undefined;
  };

  const askOne = (question: Question, key: string): Promise<boolean> | undefined => {
    const { path, body } = question.request;
    const id = `${path} ${body === undefined ? '' : new TextDecoder().decode(body)}`;
    const now = clock.monotonic();
    if (now - (askedAt.get(id) ?? -Infinity) < ASKED_FOR_MS) return undefined;
    if (now - (failedAt.get(key) ?? -Infinity) < FAILED_FOR_MS) return undefined;
    const joined = underWay.get(id);
    if (joined !== undefined) return joined.learned;
    sentAt = sentAt.filter((at) => now - at < MINUTE_MS);
    if (sentAt.length >= MAX_PER_MINUTE) return undefined;
    sentAt.push(now);
    const learned = learn(question, id, key).finally(() => underWay.delete(id));
    underWay.set(id, { since: now, learned });
    return learned;
  };

  return (questions: readonly Question[], key: string, waitMs: number): Promise<boolean> | undefined => {
    const now = clock.monotonic();
    const isSlow = [...underWay.values()].some(({ since }) => now - since >= waitMs);
    const asked = questions.flatMap((question) => askOne(question, key) ?? []);
    if (asked.length === 0 || isSlow) return undefined;
    let hasLearned = false;
    const noted = asked.map(async (learned) => {
      if (await learned) hasLearned = true;
    });
    return within(waitMs, Promise.all(noted)).then(() => hasLearned);
  };
}

/** The ones noted last, the first entry being the oldest. */
function remember(notedAt: Map<string, number>, id: string, at: number): void {
  notedAt.delete(id);
  notedAt.set(id, at);
  if (notedAt.size > MAX_ASKED) notedAt.delete(notedAt.keys().next().value ?? id);
}

/** What an answer teaches; undefined when it holds no candidates. */
export function learnableIn(
  bytes: Uint8Array,
  shape: AnswerShape,
  words: readonly string[],
): LearnedAnswer | undefined {
  const answer = parseJson(bytes);
  const read = readCandidates(answer);
  if (read === undefined) return undefined;
  const envelope = shape === 'other' ? undefined : envelopeOf(answer, read, words[0]);
  return { shape, words, candidates: read.candidates, ...(envelope !== undefined && { envelope }) };
}
