// A token for as long as this process lives: svcd ends it when our connection is closed, and the system closes
// that however we end, by kill -9 too.

import { request, type IncomingMessage } from 'node:http';
import { SvcdError, isSvcdError } from '../model/errors.js';
import type { Permission } from '../model/spender.js';
import { answerOf } from './http-exchange.js';
import { expectOk } from './client.js';
import type { RunningDaemon } from './running-daemon.js';

export interface LeaseOptions {
  readonly only: readonly Permission[] | undefined;
  /** Credits in all. */
  readonly total: number | undefined;
}

export interface LeasedToken {
  readonly token: string;
  /** Resolves when svcd closed the connection: the token is worth nothing from then on. */
  readonly lost: Promise<void>;
  release(): void;
}

const TIMEOUT_MS = 15_000;

/** Leases a token of a running daemon. Throws what it refuses, and `not_running` when it goes away. */
export async function leaseToken(daemon: RunningDaemon, wish: LeaseOptions): Promise<LeasedToken> {
  const answer = await ask(daemon, wish);
  if (answer.statusCode !== 200) throw await refusalIn(answer);
  const line = await firstLine(answer);
  const { token } = JSON.parse(line) as { token: string };
  const lost = new Promise<void>((resolve) => answer.once('close', resolve));
  // What comes later are signs of life.
  answer.resume();
  return { token, lost, release: () => answer.destroy() };
}

function ask({ url, token }: RunningDaemon, { only, total }: LeaseOptions): Promise<IncomingMessage> {
  const { hostname, port } = new URL(url);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const options = { host: hostname, port, method: 'POST', path: '/svcd/tokens/lease', headers, agent: false };
  return new Promise((resolve, reject) => {
    const asked = request(options, (answer) => {
      asked.setTimeout(0);
      resolve(answer);
    });
    asked.setTimeout(TIMEOUT_MS, () => asked.destroy(new Error('it did not answer')));
    asked.on('error', (cause) => reject(gone(url, cause)));
    asked.end(JSON.stringify({ only, total }));
  });
}

function firstLine(answer: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const hear = (part: Buffer) => {
      text += part.toString();
      if (!text.includes('\n')) return;
      answer.off('data', hear);
      resolve(text.split('\n', 1)[0] ?? '');
    };
    answer.on('data', hear);
    // After the line this is how a lease ends.
    answer.on('error', reject);
    answer.on('close', () => reject(new SvcdError('not_running', 'svcd went away before it gave a token')));
  });
}

async function refusalIn(answer: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
  const header = (name: string) => answer.headers[name]?.toString();
  try {
    return expectOk(answerOf(answer.statusCode ?? 0, header, Buffer.concat(chunks)));
  } catch (error) {
    if (isSvcdError(error)) return error;
    throw error;
  }
}

function gone(url: string, cause: Error): SvcdError {
  return new SvcdError('not_running', `the daemon at ${url} went away (${cause.message})`, { cause });
}
