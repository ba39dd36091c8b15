// Search and match that ask the remote too, while the library is not complete and has too little to answer with: what it
// answers is learned, and the better answer is given. A complete library, a full answer and an unreachable remote never
// wait.

import type { Clock } from '../platform/clock.js';
import type { Source } from '../model/asset.js';
import type { AnswerShape, LearnedAnswer } from '../library/storage/learned-data.js';
import type { Spender } from '../model/spender.js';
import { parseJson } from '../platform/json.js';
import type { RemoteRequest } from '../upstream/exchange.js';
import type { Remote } from '../upstream/remote.js';
import { envelopeOf } from '../contract/envelope.js';
import { LIMIT_MAX } from '../contract/limits.js';
import type { MatchRequest, SearchQuery } from '../contract/requests.js';
import { readCandidates } from '../contract/read-candidates.js';
import { within } from '../platform/sleep.js';
import type { MatchStickers } from './match-stickers.js';
import type { LocalAnswer, SearchStickers } from './search-stickers.js';

export interface FoundAnswer {
  readonly body: LocalAnswer['body'];
  readonly source: Source;
  /** For X-Svcd-Search. */
  readonly note: string | undefined;
}

/** At once from the library, or a little later with the help of the remote. */
export type Finding = FoundAnswer | Promise<FoundAnswer>;

export interface SearchWithRemoteParts {
  /** Whether the library holds practically all that the remote has. */
  readonly isComplete: () => boolean;
  readonly learn: (answer: LearnedAnswer) => void;
  readonly remote: Pick<Remote, 'exchange' | 'reach'> | undefined;
  readonly userKey: () => string | undefined;
  readonly clock: Clock;
  readonly searchStickers: SearchStickers;
  readonly matchStickers: MatchStickers;
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

export interface Finders {
  search(query: SearchQuery, spender: Spender): Finding;
  match(request: MatchRequest, spender: Spender): Finding;
}

/** Search and match that ask the remote when that helps. */
export function createSearchWithRemote(parts: SearchWithRemoteParts): Finders {
  const ask = createAsker(parts);
  const { searchStickers, matchStickers } = parts;
  const find = (limit: number, answer: () => LocalAnswer, spender: Spender, question: () => Question) => {
    const here = answer();
    const key = here.fitting >= limit ? undefined : keyToAskWith(parts, spender);
    if (key === undefined) return { body: here.body, note: here.note, source: 'library' } as const;
    return askThen(ask(question(), key), parts.waitMs ?? WAIT_MS, here, answer);
  };
  return {
    search: (query, spender) =>
      find(
        query.limit,
        () => searchStickers(query),
        spender,
        () => searchQuestion(query),
      ),
    match: (request, spender) =>
      find(
        request.limit,
        () => matchStickers(request),
        spender,
        () => matchQuestion(request),
      ),
  };
}

/** The Key of the request, else the user's own: asking is free. Undefined where asking is of no use or impossible. */
function keyToAskWith({ isComplete, remote, userKey }: SearchWithRemoteParts, spender: Spender): string | undefined {
  if (isComplete() || remote === undefined || remote.reach().offline) return undefined;
  if (spender.kind === 'key') return spender.key;
  return spender.error === undefined ? userKey() : undefined;
}

/** The library answers, having learned; the remote is the source if that changed the answer. */
async function askThen(
  asked: Promise<boolean>,
  waitMs: number,
  before: LocalAnswer,
  answer: () => LocalAnswer,
): Promise<FoundAnswer> {
  const learned = await within(waitMs, asked);
  if (learned !== true) return { body: before.body, note: before.note, source: 'library' };
  const after = answer();
  return { body: after.body, note: after.note, source: isSame(after, before) ? 'library' : 'remote' };
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

/** Asks a question once at a time and once in a while; true when something was learned from it. */
function createAsker({ learn: keep, remote, clock }: SearchWithRemoteParts) {
  const underWay = new Map<string, Promise<boolean>>();
  const askedAt = new Map<string, number>();
  /** When a Key was refused, or the remote failed it, by Key: asked again with each search it would stay so. */
  const failedAt = new Map<string, number>();
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
    const result = await exchange(question, key);
    if (result.kind !== 'answer') return false;
    remember(result.status === 200 ? askedAt : failedAt, result.status === 200 ? id : key, clock.monotonic());
    if (result.status !== 200) return false;
    const { shape, words } = question;
    const found = learnableIn(result.bytes, shape, words);
    if (found !== undefined) keep(found);
    return found !== undefined;
  };

  return async (question: Question, key: string): Promise<boolean> => {
    const { path, body } = question.request;
    const id = `${path} ${body === undefined ? '' : new TextDecoder().decode(body)}`;
    const now = clock.monotonic();
    if (now - (askedAt.get(id) ?? -Infinity) < ASKED_FOR_MS) return false;
    if (now - (failedAt.get(key) ?? -Infinity) < FAILED_FOR_MS) return false;
    const joined = underWay.get(id);
    if (joined !== undefined) return joined;
    const asked = learn(question, id, key).finally(() => underWay.delete(id));
    underWay.set(id, asked);
    return asked;
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
