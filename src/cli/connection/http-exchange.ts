// One request to a daemon over its port. node:http rather than fetch: it loads in a few milliseconds, and it sends a
// path unchanged.

import { type Agent, type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSvcdError, SvcdError } from '../../model/errors.js';
import { connectionWords } from './words.js';

interface AnswerHead {
  readonly status: number;
  header(this: void, name: string): string | undefined;
}

/** An answer of any status. */
export interface Answer extends AnswerHead {
  bytes(): Uint8Array;
  /** Throws `upstream_failure` when the answer is not JSON. */
  json(): unknown;
}

/** An answer whose body is read piece by piece. */
export interface StreamedAnswer extends AnswerHead {
  readonly body: Readable;
}

export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | Readable | undefined;
  /** Silence after which the daemon counts as hanging. */
  readonly timeoutMs: number;
  /** Keeps the connection for the next, of what may be sent twice: a kept one may be closed by then. */
  readonly agent?: Agent | undefined;
}

// A daemon that refuses a body closes the connection; its answer may arrive just after that.
const REFUSAL_WAIT_MS = 1000;

/** Asks the server at `origin`. Throws `timeout`, what the body throws, and the system's error when the connection fails. */
export async function sendOverHttp(origin: string, exchange: Exchange): Promise<StreamedAnswer> {
  const { method, path, headers = {}, body, timeoutMs, agent } = exchange;
  const { hostname, port } = new URL(origin);
  const sent = request({ host: hostname, port, method, path, headers, agent: agent ?? false });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve);
    sent.on('error', reject);
  });
  sent.setTimeout(timeoutMs, () => {
    const silence = hanging(origin, timeoutMs);
    // With an answer under way, the error belongs to it.
    void answered.then((answer) => answer.destroy(silence)).catch(() => undefined);
    sent.destroy(silence);
  });
  if (!(body instanceof Readable)) sent.end(body);
  const answering = body instanceof Readable ? Promise.race([answered, sendAll(body, sent, answered)]) : answered;
  const answer = await answering.catch((error: unknown) => {
    if (sent.reusedSocket && !isSvcdError(error)) return undefined;
    throw error;
  });
  if (answer === undefined) return sendOverHttp(origin, { ...exchange, agent: undefined });
  const header = (name: string) => answer.headers[name.toLowerCase()]?.toString();
  return { status: answer.statusCode ?? 0, header, body: answer };
}

/** The whole of a streamed answer. */
export async function gather({ status, header, body }: StreamedAnswer): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  return { status, header, bytes: () => bytes, json: () => parseJson(bytes) };
}

/** Sends a body. A refusal may come before all of it is sent; then the failure to send the rest does not matter. */
async function sendAll<T>(body: Readable, sent: NodeJS.WritableStream, answered: Promise<T>): Promise<T> {
  try {
    await pipeline(body, sent);
    return await answered;
  } catch (error) {
    if (isSvcdError(error)) throw error;
    const answer = await Promise.race([answered, sleep(REFUSAL_WAIT_MS, undefined, { ref: false })]);
    if (answer === undefined) throw error;
    return answer;
  }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new SvcdError('upstream_failure', connectionWords().notJson, { cause });
  }
}

function hanging(origin: string, timeoutMs: number): SvcdError {
  const words = connectionWords();
  return new SvcdError('timeout', words.hanging(origin, timeoutMs / 1000), { hint: words.hangingHint });
}

/** Credits that the account has left, where the service said so. */
export function creditsLeftIn({ header }: Pick<Answer, 'header'>): number | undefined {
  const credits = header('x-service-credits-remaining');
  return credits === undefined ? undefined : Number(credits);
}

/** Credits that a request cost; null when that is not known yet. */
export function costIn({ header }: Pick<Answer, 'header'>): number | null {
  const cost = header('x-svcd-cost') ?? '0';
  return cost === 'unknown' ? null : Number(cost);
}
