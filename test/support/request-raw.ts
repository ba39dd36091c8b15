// A request with exactly these headers: fetch adds some of its own and forbids others.

import { request } from 'node:http';

export interface RawAnswer {
  readonly status: number;
  readonly text: string;
}

/** Sends one request and reads the answer to its end. */
export function requestRaw(
  origin: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const asked = request({ host: hostname, port, path, method, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
    });
    asked.on('error', reject);
    asked.end();
  });
}
