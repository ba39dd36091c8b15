// One request to a daemon over its port. node:http rather than fetch: it is loaded in a few milliseconds, and it
// sends a path as it is.

import { request } from 'node:http';
import { SvcdError } from '../model/errors.js';

export interface Question {
  readonly body?: string | Uint8Array<ArrayBuffer> | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What came back, whatever its status. */
export interface Answer {
  readonly status: number;
  header(name: string): string | undefined;
  bytes(): Uint8Array;
  /** Throws `upstream_failure` when the answer is not JSON. */
  json(): unknown;
}

export interface Exchange extends Question {
  readonly method: string;
  readonly path: string;
  /** Silence after which the daemon counts as hanging. */
  readonly timeoutMs: number;
}

/** Asks the server at `origin`. Throws `timeout`, and the system's own error when the connection fails. */
export function exchangeOverHttp(origin: string, exchange: Exchange): Promise<Answer> {
  const { method, path, headers = {}, body, timeoutMs } = exchange;
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const asked = request({ host: hostname, port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const header = (name: string) => response.headers[name.toLowerCase()]?.toString();
        resolve(answerOf(response.statusCode ?? 0, header, Buffer.concat(chunks)));
      });
    });
    asked.setTimeout(timeoutMs, () => asked.destroy(hanging(origin, timeoutMs)));
    asked.on('error', reject);
    asked.end(body);
  });
}

/** An answer from its parts. */
export function answerOf(
  status: number,
  header: (name: string) => string | undefined,
  bytes: Uint8Array,
): Answer {
  return { status, header, bytes: () => bytes, json: () => parseJson(bytes) };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new SvcdError('upstream_failure', 'the answer is not JSON', { cause });
  }
}

function hanging(origin: string, timeoutMs: number): SvcdError {
  return new SvcdError('timeout', `the daemon at ${origin} did not answer within ${timeoutMs / 1000} s`, {
    hint: 'It may be busy; ask again, or stop it and start it anew.',
  });
}
