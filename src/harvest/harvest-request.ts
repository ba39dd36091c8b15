// Sends one question of the harvest to the remote, and says what the answer means for the next step.

import type { HarvestAnswer, HarvestQuestion } from './harvest.js';
import type { Exchange, Exchanger } from '../upstream/exchange.js';
import { envelopeOf } from '../contract/envelope.js';
import { LIMIT_DEFAULT, LIMIT_MAX } from '../contract/limits.js';
import { readCandidates } from '../contract/read-candidates.js';
import { parseJson } from '../platform/json.js';
import { retryAfterMs } from '../upstream/remote-error.js';

/** The outcome of one question. */
export type AskedOutcome =
  | { readonly kind: 'answered'; readonly answer: HarvestAnswer }
  /** The question itself is refused; another may do. */
  | { readonly kind: 'refused' }
  /** The question is fine: ask it again later. */
  | { readonly kind: 'later'; readonly why: string; readonly afterMs?: number }
  /** The user has to change something first. */
  | { readonly kind: 'stop'; readonly why: string };

export interface SearchRequest {
  readonly exchange: Exchanger;
  readonly key: string;
  readonly beforeSend: () => void;
}

const TIMEOUT_MS = 15_000;
/** A turn that has not come after so long is asked for anew. */
const QUEUE_TIMEOUT_MS = 120_000;
const MAX_BYTES = 4 * 1024 * 1024;
/** Tried in turn, as a remote may take less than it says. */
const LIMITS = [LIMIT_MAX, 20, LIMIT_DEFAULT] as const;

/** Asks for the harvest; remembers how long a list this remote gives. */
export class HarvestAsker {
  #limit = 0;

  get limit(): number {
    return LIMITS[this.#limit] ?? LIMIT_DEFAULT;
  }

  async ask(question: HarvestQuestion, request: SearchRequest): Promise<AskedOutcome> {
    const { limit } = this;
    const result = await request.exchange({
      ...requestOf(question, limit),
      key: request.key,
      cost: 'free',
      urgency: 'background',
      timeoutMs: TIMEOUT_MS,
      queueTimeoutMs: QUEUE_TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      beforeSend: async () => request.beforeSend(),
    });
    if (result.kind !== 'answer') return later(result);
    if (result.status === 200) return answered(result.bytes, question, limit);
    const outcome = judge(result);
    if (outcome.kind === 'refused' && this.#limit < LIMITS.length - 1) {
      this.#limit += 1;
      return { kind: 'later', why: 'the remote refuses lists that long', afterMs: 0 };
    }
    return outcome;
  }
}

function requestOf({ words }: HarvestQuestion, limit: number) {
  const query = new URLSearchParams({ q: words.join(' '), limit: String(limit) });
  return { method: 'GET', path: `/api/v1/stickers/search?${query.toString()}` } as const;
}

function answered(bytes: Uint8Array, { words }: HarvestQuestion, limit: number): AskedOutcome {
  const value = parseJson(bytes);
  if (typeof value !== 'object' || value === null)
    return { kind: 'later', why: 'the remote answered with something that is not JSON' };
  const read = readCandidates(value);
  // An empty list has no shape by which to read it: nothing was found.
  if (read === undefined) return { kind: 'answered', answer: { candidates: [], total: 0, limit } };
  const envelope = envelopeOf(value, read, words.join(' '));
  const { candidates, total } = read;
  const answer = { candidates, total, limit, ...(envelope !== undefined && { envelope }) };
  return { kind: 'answered', answer };
}

function later(result: Exclude<Exchange, { kind: 'answer' }>): AskedOutcome {
  const { error } = result;
  if (error.code === 'invalid_key') return { kind: 'stop', why: error.message };
  const afterMs = error.retryAfterS === undefined ? {} : { afterMs: error.retryAfterS * 1000 };
  return { kind: 'later', why: error.message, ...afterMs };
}

function judge(result: Extract<Exchange, { kind: 'answer' }>): AskedOutcome {
  const { status } = result;
  if (status === 401) return { kind: 'stop', why: 'the remote does not accept the Key (401)' };
  if (status === 403) return { kind: 'stop', why: 'the remote refuses the Key (403): it may be disabled' };
  if (status === 404 || status === 405) {
    return { kind: 'stop', why: `the remote has no search at this address (${status})` };
  }
  if (status === 400 || status === 413 || status === 414 || status === 422) return { kind: 'refused' };
  const afterMs = retryAfterMs(result);
  return { kind: 'later', why: `the remote answered with ${status}`, ...(afterMs > 0 && { afterMs }) };
}
