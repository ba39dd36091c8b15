// A request with exactly these headers: fetch adds some of its own and forbids others.

import { request, type IncomingHttpHeaders } from 'node:http';
import { checkRaw } from './check-answers.js';

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends one request and reads the answer to its end. */
export function requestRaw(
  origin: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
  body?: string,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const asked = request({ host: hostname, port, path, method, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const { statusCode = 0, headers: told } = answer;
        const raw = { status: statusCode, headers: told, text: Buffer.concat(chunks).toString() };
        checkRaw(origin, method, path, raw).then(() => resolve(raw), reject);
      });
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
