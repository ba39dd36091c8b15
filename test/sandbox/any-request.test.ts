import { request } from 'node:http';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { startSandbox } from './start-sandbox.js';

describe('whatever is sent', () => {
  const DOCUMENTED = [200, 400, 401, 402, 403, 404, 405, 409, 413, 415, 429];
  const paths = [
    'me',
    'usage',
    'capabilities',
    'stickers/search',
    'stickers/match',
    'stickers/',
    'images',
    'productions',
  ];
  // A backslash, and what a URL cannot hold, is refused by the server before the app sees it.
  const tail = fc.string({
    unit: fc.constantFrom(...Array.from('abz09/%.?=&:;+~@!$*()[]-_,"\'{}|^`<>')),
    maxLength: 20,
  });
  const path = fc.tuple(fc.constantFrom('/api/v1/', '/'), fc.constantFrom('', ...paths), tail);
  const anyBody = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.json(),
    fc
      .record(
        {
          text: fc.anything(),
          keywords: fc.array(fc.string({ unit: 'grapheme' })),
          limit: fc.oneof(fc.integer({ min: -1, max: 60 }), fc.double()),
          prompt: fc.string({ unit: 'binary' }),
          size: fc.constantFrom('1024x1024', '1x1'),
          template: fc.constantFrom('a@1', 'a'),
          stage: fc.constantFrom('plan', 'x'),
          __proto__: fc.constant(1),
        },
        { requiredKeys: [] },
      )
      .map((value) => JSON.stringify(value)),
  );
  const anyRequest = fc.record({
    method: fc.constantFrom('GET', 'POST', 'POST', 'PUT', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PURGE'),
    path: path.map((parts) => parts.join('')),
    key: fc.constantFrom('own', 'own', 'own', 'wrong', 'none'),
    type: fc.constantFrom('application/json', 'application/json', 'text/plain', ''),
    body: anyBody,
  });

  test('the answer is a documented one: JSON with code and message, never 500', async () => {
    const { url, sandbox } = await startSandbox({ requestsPerMinute: 100_000, draw: drawNothing });
    await fc.assert(
      fc.asyncProperty(anyRequest, async ({ method, path: target, key, type, body }) => {
        // Node gives a GET no length, and its body would be read as the next request.
        const headers: Record<string, string> = {
          'Content-Type': type,
          'Content-Length': String(Buffer.byteLength(body)),
        };
        if (key !== 'none') headers['Authorization'] = `Bearer ${key === 'own' ? sandbox.key : 'wrong'}`;
        const answer = await send(url, target, { method, headers }, body);
        expect(DOCUMENTED).toContain(answer.status);
        if (answer.status === 200 || method === 'HEAD') return;
        expect(JSON.parse(answer.body)).toEqual({
          code: expect.stringMatching(/^[a-z_]+$/) as string,
          message: expect.stringMatching(/\S/) as string,
        });
      }),
      { numRuns: 500 },
    );
  });
});

const drawNothing = () => Promise.resolve(Buffer.from('png'));

/** Sends a target as it stands, where fetch would first tidy it. */
function send(
  url: string,
  path: string,
  options: { method: string; headers: Record<string, string> },
  body: string,
): Promise<{ status: number; body: string }> {
  const { port } = new URL(url);
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, agent: false, ...options }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString() });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
