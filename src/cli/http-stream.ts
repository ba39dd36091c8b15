// One request to a daemon over its port whose body or answer is too large for memory.

import { request } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSvcdError, SvcdError } from '../model/errors.js';
import { answerOf, type Answer } from './http-exchange.js';

export interface StreamedAnswer {
  readonly status: number;
  readonly body: Readable;
}

export interface StreamedExchange {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable | undefined;
  /** Silence after which the daemon counts as hanging. */
  readonly timeoutMs: number;
}

const ANSWER_PATIENCE_MS = 1000;

/** Asks the server at `origin`. Throws `timeout`, what the body throws, and the system's own error when the connection fails. */
export async function streamOverHttp(origin: string, exchange: StreamedExchange): Promise<StreamedAnswer> {
  const { method, path, headers, body, timeoutMs } = exchange;
  const { hostname, port } = new URL(origin);
  const asked = request({ host: hostname, port, method, path, headers, agent: false });
  asked.setTimeout(timeoutMs, () =>
    asked.destroy(new SvcdError('timeout', `the daemon at ${origin} is silent`)),
  );
  const answered = new Promise<StreamedAnswer>((resolve, reject) => {
    asked.on('response', (response) => resolve({ status: response.statusCode ?? 0, body: response }));
    asked.on('error', reject);
  });
  if (body === undefined) {
    asked.end();
    return answered;
  }
  return Promise.race([answered, sendAll(body, asked, answered)]);
}

/** A refusal may come before all is sent, and what could not be sent is no news then. */
async function sendAll<T>(body: Readable, asked: Writable, answered: Promise<T>): Promise<T> {
  try {
    await pipeline(body, asked);
    return await answered;
  } catch (error) {
    if (isSvcdError(error)) throw error;
    const answer = await Promise.race([answered, sleep(ANSWER_PATIENCE_MS, undefined, { ref: false })]);
    if (answer === undefined) throw error;
    return answer;
  }
}

/** The whole of a streamed answer, for one that is small. */
export async function gather({ status, body }: StreamedAnswer): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk as Buffer);
  return answerOf(status, () => undefined, Buffer.concat(chunks));
}
