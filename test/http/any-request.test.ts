// Whatever bytes arrive, the daemon answers with a documented refusal or a good answer, and goes on.

import { connect } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { STATUS_OF } from '../../src/api/refusal.js';
import { startPair } from '../support/start-pair.js';

// 431 is Node's own for headers beyond 16 KiB; the rest is the table of the README.
const DOCUMENTED = new Set([100, 200, 206, 304, 410, 416, 431, ...Object.values(STATUS_OF)]);

const PATHS = [
  '',
  'api/v1/me',
  'api/v1/usage',
  'api/v1/capabilities',
  'api/v1/stickers/search',
  'api/v1/stickers/match',
  'api/v1/stickers/',
  'api/v1/stickers/food%2Fcake',
  'api/v1/images',
  'api/v1/productions',
  'api/v1/music',
  'svcd/status',
  'svcd/purchases',
  'svcd/stop',
  'svcd/defaults/images/',
];

// Mostly requests that HTTP can carry, because those reach the app; now and then bytes that it cannot.
const rarely = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 15, arbitrary: usual }, { weight: 1, arbitrary: odd });
const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array).toString('latin1'));
const visible = fc.string({
  unit: fc.constantFrom(...Array.from('abz09/%.?=&:;+~@!$*()[]-_,"\'{}|^<>\\')),
  maxLength: 20,
});
const query = fc.tuple(
  fc.constantFrom('?q=%E7%94%9F%E6%97%A5', '?q=cake', '?q=', '?limit=3&q=', '?'),
  fc.constantFrom('', '&limit=5', '&limit=0', '&limit=x', '&q=2'),
  fc.oneof(fc.constant(''), visible),
);
const tail = rarely(
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('', '?q=cake') },
    {
      weight: 1,
      arbitrary: fc.oneof(
        query.map((parts) => parts.join('')),
        fc.constantFrom('', '', '', '%', '%zz', '/../me', '//', '%00', '%ff'),
        visible,
      ),
    },
  ),
  bytes,
);
const method = rarely(
  fc.constantFrom('GET', 'GET', 'GET', 'POST', 'POST', 'POST', 'PUT', 'HEAD', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'),
  bytes,
);
const header = fc.tuple(
  rarely(
    fc.constantFrom(
      'Content-Type',
      'Authorization',
      'X-Svcd-Deadline-Ms',
      'X-Svcd-Fallback',
      'X-Svcd-Variant',
      'X-Svcd-Fresh',
      'If-None-Match',
      'Range',
      'Cache-Control',
      'Accept-Encoding',
      'Accept',
    ),
    fc.oneof(bytes, fc.constantFrom('Origin', 'Sec-Fetch-Site', 'Transfer-Encoding', 'Host', 'Expect', 'Upgrade')),
  ),
  rarely(
    fc.oneof(
      visible,
      fc.constantFrom('application/json', 'Bearer sk-wrong', 'Bearer svcd_x', 'off', 'on', '1', '*', 'bytes=0-1'),
    ),
    fc.oneof(bytes, fc.constantFrom('chunked', '100-continue')),
  ),
);
const body = fc.oneof(
  bytes,
  fc.json(),
  fc
    .record({ text: fc.anything(), keywords: fc.anything(), limit: fc.anything() }, { requiredKeys: [] })
    .map((value) => JSON.stringify(value)),
  fc.constantFrom(
    '{"text":"生日快乐"}',
    '{"keywords":["生日"],"limit":50}',
    '{"prompt":"x","size":"1024x1024"}',
    '{"template":"a@1","stage":"plan"}',
    '[]',
    'null',
    `{"text":"${'x'.repeat(17_000)}"}`,
  ),
);
const request = fc.record({
  method,
  path: fc.tuple(fc.constantFrom(...PATHS), tail).map((parts) => `/${parts.join('')}`),
  headers: fc.oneof(fc.constant([]), fc.array(header, { maxLength: 3 })),
  body,
  withToken: fc.boolean(),
  withLength: rarely(fc.constant(true), fc.constant(false)),
});

describe('whatever is sent', () => {
  it('gets documented answers only, as JSON with code and message, and never a 500', async () => {
    const { svcd } = await startPair({ remote: { requestsPerMinute: 1_000_000 } });
    const { port } = new URL(svcd.url);
    const seen = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(request, async (one) => {
        const text = await exchange(Number(port), render(one, Number(port), svcd.token));
        for (const answer of answersIn(text)) {
          seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
          expect(DOCUMENTED, text).toContain(answer.status);
          expect(answer.status, text).not.toBe(500);
          if (answer.status < 400 || answer.body === '') continue;
          expect(JSON.parse(answer.body)).toMatchObject({
            code: expect.stringMatching(/^[a-z_]+$/) as string,
            message: expect.stringMatching(/\S/) as string,
          });
        }
      }),
      { numRuns: 1000 },
    );
    // The requests are worth something only if many of them get past the first door.
    expect(seen.get(200)).toBeGreaterThan(20);
    expect([...seen.keys()]).toEqual(expect.arrayContaining([400, 401, 404, 405]));
    const still = await svcd.call('/svcd/status');
    expect(still.status).toBe(200);
  });
});

type Rendered = {
  method: string;
  path: string;
  headers: readonly (readonly [string, string])[];
  body: string;
  withToken: boolean;
  withLength: boolean;
};

function render(one: Rendered, port: number, token: string): Buffer {
  const content = Buffer.from(one.body);
  // The one thing no random request may do is to stop the daemon with the real token.
  const bearer = one.path.startsWith('/svcd/stop') ? 'svcd_none' : token;
  const lines = [
    `${one.method} ${one.path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Connection: close',
    ...(one.withToken ? [`Authorization: Bearer ${bearer}`, 'Content-Type: application/json'] : []),
    ...one.headers.map(([name, value]) => `${name}: ${value}`),
    ...(one.withLength ? [`Content-Length: ${content.byteLength}`] : []),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), content]);
}

/** Everything the daemon says to these bytes. The sender ends its side, so a body that was promised and never came ends too. */
function exchange(port: number, sent: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.end(sent));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
  });
}

function answersIn(text: string): { status: number; body: string }[] {
  return text
    .split(/(?=HTTP\/1\.1 \d{3})/)
    .filter(Boolean)
    .map((answer) => ({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]), body: plainBody(answer) }));
}

function plainBody(answer: string): string {
  const end = answer.indexOf('\r\n\r\n');
  const [head, content] = [answer.slice(0, end), answer.slice(end + 4)];
  return /transfer-encoding: chunked/i.test(head) ? content.replace(/(^|\r\n)[0-9a-f]+\r\n/gi, '').trim() : content;
}
