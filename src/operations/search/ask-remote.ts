// Questions to the remote for which an answer waits a little: each once at a time and once in a while, so many a minute, and
// what their answers teach. The wait is counted in ticks of a process that keeps up: while it is busy, as at its start, an
// answer may lie in the socket unread.

import type { Clock } from '../../platform/clock.js';
import type { AnswerShape, LearnedAnswer } from '../../library/storage/learned-data.js';
import { envelopeOf } from '../../contract/envelope.js';
import { readCandidates } from '../../contract/read-candidates.js';
import type { ErrorCode } from '../../model/errors.js';
import { isRecord, parseJson } from '../../platform/json.js';
import { within } from '../../platform/sleep.js';
import type { Exchange, RemoteAnswer, RemoteRequest } from '../../upstream/exchange.js';
import { remoteError, retryAfterMs } from '../../upstream/remote-error.js';
import type { Remote } from '../../upstream/remote.js';

export interface Question {
  readonly shape: AnswerShape;
  /** What is learned for the future; never the copy. */
  readonly words: readonly string[];
  readonly request: Pick<RemoteRequest, 'method' | 'path' | 'body' | 'contentType'>;
  /** The same with the limit of the client, for a remote that refuses ours. */
  readonly modest: Question['request'];
  /** Whether the client asked for something else, and can do without. */
  readonly isBesides?: boolean;
}

export interface Patience {
  /** For an answer, from when its question leaves. */
  readonly answerMs: number;
  /** With all that comes before it: the turn, the connection. */
  readonly allMs: number;
}

/** Why the remote was not heard. */
export type Unheard = ErrorCode | 'late' | 'no_key';

/** What came of questions. */
export interface Outcome {
  readonly learned: boolean;
  /** Why the answer is the library's alone; undefined when the remote was heard, now or lately. */
  readonly unheard: Unheard | undefined;
}

export interface AskerParts {
  readonly learn: (answer: LearnedAnswer) => void;
  readonly remote: Pick<Remote, 'exchange'> | undefined;
  readonly clock: Clock;
}

interface Asked {
  readonly since: number;
  /** Whether nothing but the answer is waited for. */
  hasLeft: boolean;
  /** How many clients wait for it. */
  waiting: number;
  /** Why there is no answer yet. */
  why: Unheard;
  outcome: Promise<Outcome>;
}

const TIMEOUT_MS = 15_000;
/** It is learned also when the client has gone on. */
const QUEUE_MS = 5000;
const MAX_BYTES = 4 * 1024 * 1024;
/** The same question is not asked again within this time after its answer. */
const ASKED_FOR_MS = 10 * 60_000;
/** After a refusal that a person must mend a Key is left alone for so long, after a failure that may pass for less. */
const REFUSED_FOR_MS = 30_000;
const FAILED_FOR_MS = 5000;
const LIMITED_FOR_MS = 1000;
const MAX_ASKED = 2000;
/** Two thirds of what the service allows: a script that searches all the time must leave room for downloads. */
const MAX_PER_MINUTE = 80;
/** All of it for who waits longer than a list may take: what a video shows hangs on it, and it downloads nothing meanwhile. */
const MAX_PATIENT_PER_MINUTE = 115;
const PATIENT_MS = 5000;
const MINUTE_MS = 60_000;
const TICK_MS = 50;
/** None waits for a remote that has owed an answer for so many times as long as one waits. */
const OVERDUE = 2;
const HTTP_OK = 200;
const HTTP_BAD_REQUEST = 400;
const HTTP_TOO_MANY = 429;
const HTTP_FAILED = 500;
/** What says 200 and lists nothing that can be read was not heard. */
const NO_ANSWER = 'upstream_failure';
const KNOWN: Outcome = { learned: false, unheard: undefined };

/** Asks questions with a Key; tells at once what came of them where nothing is waited for. */
export type Ask = (questions: readonly Question[], key: string, patience: Patience) => Outcome | Promise<Outcome>;

export function createAsker({ learn: keep, remote, clock }: AskerParts): Ask {
  const underWay = new Map<string, Asked>();
  const answered = new Map<string, { readonly at: number; readonly unheard: Unheard | undefined }>();
  /** Keys that were refused, or that the remote failed: asked again with each search it would stay so. */
  const held = new Map<string, { readonly until: number; readonly why: Unheard }>();
  /** When questions were sent, of the last minute. */
  let sentAt: number[] = [];
  let heardAt = -Infinity;
  let refusesOurLimit = false;

  const send = async (request: Question['request'], key: string, asked: Asked, allMs: number) => {
    // One that is waited for longer may wait for its turn as long.
    const turnMs = Math.max(QUEUE_MS, allMs);
    return remote!.exchange({
      ...request,
      key,
      cost: 'free',
      timeoutMs: TIMEOUT_MS,
      queueTimeoutMs: turnMs,
      resendWithinMs: turnMs,
      maxBytes: MAX_BYTES,
      isAwaited: () => asked.waiting > 0,
      beforeSend: async () => void (asked.hasLeft = true),
      beforeWait: async (refusal) => {
        asked.hasLeft = false;
        asked.why = remoteError(refusal).code;
      },
    });
  };

  const exchange = async ({ request, modest }: Question, key: string, asked: Asked, allMs: number) => {
    const isModest = refusesOurLimit;
    const first = await send(isModest ? modest : request, key, asked, allMs);
    if (isModest || first.kind !== 'answer' || first.status !== HTTP_BAD_REQUEST) return first;
    refusesOurLimit = true;
    return send(modest, key, asked, allMs);
  };

  const learn = async (question: Question, id: string, key: string, asked: Asked, allMs: number): Promise<Outcome> => {
    const { shape, words, isBesides = false } = question;
    const result = await exchange(question, key, asked, allMs);
    const now = clock.monotonic();
    if (result.kind === 'answer') heardAt = now;
    // It never left, so that another may.
    if (result.kind === 'unreached' && sentAt.includes(asked.since)) sentAt.splice(sentAt.indexOf(asked.since), 1);
    const hold = holdAfter(result);
    if (hold !== undefined) {
      if (hold.ms > 0) held.set(key, { until: now + hold.ms, why: hold.why });
      return { learned: false, unheard: hold.why };
    }
    const { status, bytes } = result as RemoteAnswer;
    // Of these words alone, which would be refused again.
    const refusal = status === HTTP_BAD_REQUEST ? ('invalid_request' as const) : undefined;
    // What is asked besides has the form of an answer, but not what the client asked in it.
    const found = status === HTTP_OK ? learnableIn(bytes, isBesides ? 'other' : shape, words) : undefined;
    if (status === HTTP_OK && found === undefined && !listsNothing(parseJson(bytes))) {
      held.set(key, { until: now + FAILED_FOR_MS, why: NO_ANSWER });
      return { learned: false, unheard: NO_ANSWER };
    }
    noteLast(answered, id, { at: now, unheard: refusal });
    if (found !== undefined) keep({ ...found, shape });
    return { learned: found !== undefined, unheard: refusal };
  };

  const askOne = (question: Question, key: string, { allMs }: Patience): Outcome | Asked => {
    const { path, body } = question.request;
    const id = `${path} ${body === undefined ? '' : new TextDecoder().decode(body)}`;
    const now = clock.monotonic();
    const before = answered.get(id);
    if (before !== undefined && now - before.at < ASKED_FOR_MS) return { learned: false, unheard: before.unheard };
    const joined = underWay.get(id);
    if (joined !== undefined) return joined;
    const hold = held.get(key);
    // One that is over in time is waited for in the order of all requests.
    const heldMs = hold === undefined ? 0 : hold.until - now;
    if (heldMs > (hold?.why === 'rate_limited' ? allMs : 0)) return { learned: false, unheard: hold?.why };
    sentAt = sentAt.filter((at) => now - at < MINUTE_MS);
    if (sentAt.length >= (allMs > PATIENT_MS ? MAX_PATIENT_PER_MINUTE : MAX_PER_MINUTE))
      return { learned: false, unheard: 'rate_limited' };
    sentAt.push(now);
    const asked: Asked = { since: now, hasLeft: false, waiting: 0, why: 'late', outcome: Promise.resolve(KNOWN) };
    asked.outcome = learn(question, id, key, asked, allMs).finally(() => underWay.delete(id));
    underWay.set(id, asked);
    return asked;
  };

  return (questions, key, patience) => {
    const now = clock.monotonic();
    const isOwing = ({ since }: Asked) => since > heardAt && now - since >= OVERDUE * patience.answerMs;
    const isOverdue = [...underWay.values()].some(isOwing);
    const all = questions.map((question) => {
      const { isBesides = false } = question;
      return { isBesides, one: askOne(question, key, patience) };
    });
    const asked = all.flatMap(({ one }) => ('outcome' in one ? one : []));
    const told = (one: Outcome | Asked): Outcome => ('outcome' in one ? { learned: false, unheard: one.why } : one);
    if (asked.length === 0 || isOverdue) return summed(all.map((each) => ({ ...each, one: told(each.one) })));
    const outcomes = new Map<Asked, Outcome>();
    const answers = asked.map(async (one) => void outcomes.set(one, await one.outcome));
    return waitFor(asked, Promise.all(answers), patience).then(() =>
      summed(all.map(({ isBesides, one }) => ({ isBesides, one: outcomes.get(one as Asked) ?? told(one) }))),
    );
  };
}

/** What an exchange that was no answer to its question means for the Key: how long to leave it alone, and why. */
function holdAfter(result: Exchange): { readonly ms: number; readonly why: Unheard } | undefined {
  if (result.kind !== 'answer') return { ms: 0, why: result.error.code === 'timeout' ? 'late' : result.error.code };
  const { status } = result;
  // A refusal of these words says nothing of others.
  if (status === HTTP_OK || status === HTTP_BAD_REQUEST) return undefined;
  const why = remoteError(result).code;
  if (status === HTTP_TOO_MANY) return { ms: Math.max(LIMITED_FOR_MS, retryAfterMs(result)), why };
  return { ms: status >= HTTP_FAILED ? Math.max(FAILED_FOR_MS, retryAfterMs(result)) : REFUSED_FOR_MS, why };
}

/** Waits for all answers, or as long as there is patience. */
async function waitFor(asked: readonly Asked[], answers: Promise<unknown>, patience: Patience): Promise<void> {
  for (const one of asked) one.waiting += 1;
  const all = answers.then(() => true);
  let { answerMs, allMs } = patience;
  while (answerMs > 0 && allMs > 0) {
    const haveLeft = asked.every(({ hasLeft }) => hasLeft);
    const ms = Math.min(TICK_MS, answerMs, allMs);
    if ((await within(ms, all)) === true) break;
    allMs -= ms;
    if (haveLeft) answerMs -= ms;
  }
  for (const one of asked) one.waiting -= 1;
}

function summed(all: readonly { readonly isBesides: boolean; readonly one: Outcome }[]): Outcome {
  const unheard = all.find(({ isBesides, one }) => !isBesides && one.unheard !== undefined)?.one.unheard;
  return { learned: all.some(({ one }) => one.learned), unheard };
}

/** The ones noted last, the first entry being the oldest. */
function noteLast<T>(noted: Map<string, T>, id: string, what: T): void {
  noted.delete(id);
  noted.set(id, what);
  if (noted.size > MAX_ASKED) noted.delete(noted.keys().next().value ?? id);
}

/** Whether an answer says by an empty list that nothing fits. */
function listsNothing(answer: unknown, depth = 3): boolean {
  if (Array.isArray(answer)) return answer.length === 0;
  return depth > 0 && isRecord(answer) && Object.values(answer).some((one) => listsNothing(one, depth - 1));
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
