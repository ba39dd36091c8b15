// Every number of the contract on both of its sides, against both readings of it: the sandbox's, and the daemon's, which
// must refuse by itself what is beyond a limit, so that nothing of it reaches the remote. A number that is wrong in
// src/contract or in src/sandbox/wire by one fails here.

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openLibrary } from '../../src/library/library.js';
import { systemClock } from '../../src/platform/clock.js';
import { silentLog } from '../../src/platform/log.js';
import type { Sleep } from '../../src/platform/sleep.js';
import type { Sandbox } from '../../src/sandbox/open-sandbox.js';
import { startSandbox, temporaryHome } from '../sandbox/start-sandbox.js';
import { writeTinyCatalogue } from '../sandbox/tiny-catalogue.js';
import { createMovingClock } from '../support/moving-clock.js';
import { createSleepers } from '../support/sleepers.js';
import { startTestDaemon } from '../support/start-daemon.js';
import { IMAGES, MATCH, newPrompt, PRODUCTION, PRODUCTIONS, resultsOf, stickerPath } from './questions.js';
import { serviceAt, type Answer, type Service } from './service.js';

const TOKEN = 'limits';
const SEARCH = '/api/v1/stickers/search';
/** More stickers of one word than any answer lists. */
const WORD = '贴纸';
const STICKERS = Array.from({ length: 60 }, (_, i) => ({
  preset: `many/sticker-${i}`,
  title: `${WORD}${i}`,
  keywords: [WORD],
}));
const [MIDDLE] = STICKERS.slice(30);
const KIB_16 = 16 * 1024;

interface Started {
  readonly service: Service;
  readonly sandbox: Sandbox;
  /** What reached the sandbox, as its journal has it. */
  readonly reached: () => Promise<{ path: string; account: string | null; status: number }[]>;
}

async function startService(rate: number | 'its own' = 1_000_000): Promise<Started & { url: string; home: string }> {
  const home = temporaryHome();
  const { url, sandbox } = await startSandbox(
    {
      catalogueFolder: writeTinyCatalogue(home, STICKERS),
      clock: createMovingClock('2026-11-21T08:00:00Z'),
      controlToken: TOKEN,
      credits: 10_000,
      ...(rate === 'its own' ? {} : { requestsPerMinute: rate }),
    },
    home,
  );
  const reached = async () => {
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const answer = await fetch(`${url}/sandbox/requests?limit=10000`, { headers });
    return ((await answer.json()) as { requests: Awaited<ReturnType<Started['reached']>> }).requests;
  };
  return { url, home, sandbox, reached, service: serviceAt(url, sandbox.key) };
}

/** The daemon in front of a sandbox, with the sandbox's stickers in its library. */
async function startDaemon(requestsPerMinute?: number, ownSleep?: Sleep): Promise<Started> {
  const { url, home, sandbox, reached } = await startService(requestsPerMinute);
  const library = openLibrary({
    file: join(home, 'library.db'),
    scope: url,
    synonyms: () => '',
    log: silentLog,
    clock: systemClock,
  });
  library.importStickers(sandbox.stickers(), 'the sandbox');
  library.close();
  // Its time stands still, so that a minute's requests are those of one moment.
  const clock = createMovingClock('2026-11-21T08:00:00Z');
  const sleep = ownSleep === undefined ? {} : { sleep: ownSleep };
  const svcd = await startTestDaemon({
    userKey: sandbox.key,
    home,
    flags: { remote: url },
    clock,
    pace: { burst: 120 },
    ...sleep,
  });
  return { service: serviceAt(svcd.url, sandbox.key), sandbox, reached };
}

type Ask = (service: Service) => Promise<Answer>;

const match =
  (body: object | string): Ask =>
  (service) =>
    service.post(MATCH, body);
const image =
  (body: object | string): Ask =>
  (service) =>
    service.post(IMAGES, body);
const production =
  (change: object): Ask =>
  (service) =>
    service.post(PRODUCTIONS, { ...PRODUCTION, ...change });
const search =
  (query: string): Ask =>
  (service) =>
    service.get(`${SEARCH}?${query}`);

/** A valid body of so many bytes, made up by white space. */
const padded = (body: object, sizeBytes: number) => {
  const text = JSON.stringify(body);
  return text + ' '.repeat(sizeBytes - Buffer.byteLength(text));
};
/** A prompt that was never sent before, of so many characters. */
const promptOf = (length: number) => Array.from(newPrompt().padEnd(length, '字')).slice(0, length).join('');
const drawing = () => ({ prompt: newPrompt(), size: '1024x1024' });
const words = (count: number) => Array.from({ length: count }, (_, i) => `k${i}`);

/** What is asked, what is still taken, what no longer is. */
const LIMITS: readonly (readonly [what: string, inside: readonly Ask[], outside: readonly Ask[]])[] = [
  ['the text of a match', [match({ text: '字'.repeat(2000) })], [match({ text: '字'.repeat(2001) })]],
  ['the keywords of a match', [match({ keywords: words(20) })], [match({ keywords: words(21) })]],
  ['a keyword of a match', [match({ keywords: ['🎂'.repeat(64)] })], [match({ keywords: ['a', '🎂'.repeat(65)] })]],
  [
    'the limit of a match',
    [match({ text: WORD, limit: 1 }), match({ text: WORD, limit: 50 })],
    [match({ text: WORD, limit: 0 }), match({ text: WORD, limit: 51 })],
  ],
  [
    'the body of a match',
    [match(padded({ keywords: [WORD] }, KIB_16))],
    [match(padded({ keywords: [WORD] }, KIB_16 + 1))],
  ],
  ['the query of a search', [search(`q=${'x'.repeat(500)}`)], [search(`q=${'x'.repeat(501)}`)]],
  [
    'the limit of a search',
    [search(`q=${WORD}&limit=1`), search(`q=${WORD}&limit=50`)],
    [search(`q=${WORD}&limit=0`), search(`q=${WORD}&limit=51`)],
  ],
  [
    'the prompt of an image',
    [image({ ...drawing(), prompt: promptOf(2000) })],
    [image({ ...drawing(), prompt: promptOf(2001) })],
  ],
  [
    'the size of an image',
    ['1024x1024', '1536x1024', '1024x1536'].map((size) => image({ ...drawing(), size })),
    ['1536x1536', '512x512', '2048x2048'].map((size) => image({ ...drawing(), size })),
  ],
  ['the body of an image request', [image(padded(drawing(), KIB_16))], [image(padded(drawing(), KIB_16 + 1))]],
  [
    'the template of a production',
    [production({ template: `${'n'.repeat(100)}@${'1'.repeat(50)}` })],
    [production({ template: `${'n'.repeat(101)}@1` }), production({ template: `n@${'1'.repeat(51)}` })],
  ],
  [
    'the digest of a production',
    [production({ package_sha256: 'a'.repeat(64) })],
    [production({ package_sha256: 'a'.repeat(63) }), production({ package_sha256: 'a'.repeat(65) })],
  ],
  ['the host of a production', [production({ host: 'h'.repeat(64) })], [production({ host: 'h'.repeat(65) })]],
  ['the layout of a production', [production({ layout: 'l'.repeat(32) })], [production({ layout: 'l'.repeat(33) })]],
  [
    'the duration of a production',
    [production({ duration_s: 0 }), production({ duration_s: 86_400 })],
    [production({ duration_s: -0.001 }), production({ duration_s: 86_400.001 })],
  ],
  [
    'the materials of a production',
    [production({ materials: Array(100).fill(`${'k'.repeat(32)}.${'n'.repeat(64)}`) })],
    [
      production({ materials: Array(101).fill('k.n') }),
      production({ materials: [`${'k'.repeat(33)}.n`] }),
      production({ materials: [`k.${'n'.repeat(65)}`] }),
    ],
  ],
  [
    'the body of a production',
    [(service) => service.post(PRODUCTIONS, padded(PRODUCTION, KIB_16))],
    [(service) => service.post(PRODUCTIONS, padded(PRODUCTION, KIB_16 + 1))],
  ],
];

describe.each([
  ['the sandbox', startService],
  ['the daemon', startDaemon],
] as const)('the limits, as %s reads them', (name, start) => {
  test.each(LIMITS)('%s', async (_what, inside, outside) => {
    const { service, reached, sandbox } = await start();
    for (const ask of inside) {
      const { status, body } = await ask(service);
      expect(status, JSON.stringify(body)).toBe(200);
    }
    const [before, credits] = [(await reached()).length, sandbox.credits()];
    for (const ask of outside) {
      const { status, body } = await ask(service);
      expect([status, body?.['code']]).toEqual(status === 413 ? [413, 'body_too_large'] : [400, 'invalid_request']);
    }
    expect(sandbox.credits()).toBe(credits);
    if (name === 'the daemon') expect((await reached()).length, 'it refuses by itself').toBe(before);
  });

  test('lists 12 when told no limit, and as many as it is told', async () => {
    const { service } = await start();
    for (const [limit, listed] of [
      [undefined, 12],
      [1, 1],
      [13, 13],
      [50, 50],
    ] as const) {
      const query = limit === undefined ? '' : `&limit=${limit}`;
      expect(resultsOf(await search(`q=${WORD}${query}`)(service))).toHaveLength(listed);
      const body = limit === undefined ? {} : { limit };
      expect(resultsOf(await match({ keywords: [WORD], ...body })(service))).toHaveLength(listed);
    }
  });

  test('charges 1 credit for a sticker and 10 for an image', async () => {
    const { service, sandbox } = await start();
    const bought = [await service.get(stickerPath(MIDDLE?.preset ?? '')), await service.post(IMAGES, drawing())];
    expect(bought.map(({ status }) => status)).toEqual([200, 200]);
    expect(sandbox.charges().map(({ credits }) => credits)).toEqual([1, 10]);
    if (name === 'the sandbox') return;
    // What svcd says it spent, and what its budgets count.
    expect(bought.map(({ headers }) => headers.get('X-Svcd-Cost'))).toEqual(['1', '10']);
  });
});

describe('the rate of 120 requests a minute', () => {
  test('as the sandbox reads it: the 121st is refused', async () => {
    // With the number that it has of its own.
    const { service } = await startService('its own');
    const statuses: number[] = [];
    for (let asked = 0; asked < 121; asked++) statuses.push((await service.get('/api/v1/me')).status);
    expect(statuses).toEqual([...Array<number>(120).fill(200), 429]);
  });

  test('as the daemon reads it: 120 leave, and the others wait for the rest of the minute', async () => {
    const sleepers = createSleepers(() => 0);
    const { service, reached, sandbox } = await startDaemon(120, sleepers.sleep);
    const giveUp = new AbortController();
    const init = {
      method: 'POST',
      headers: { Authorization: `Bearer ${sandbox.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(PRODUCTION),
      signal: giveUp.signal,
    };
    const sent = Array.from({ length: 125 }, () => fetch(service.url + PRODUCTIONS, init));
    const ends = Promise.allSettled(sent);
    const withKey = async () => (await reached()).filter(({ account }) => account !== null);
    // Whoever waits asks to be woken when the first of the 120 is a minute old.
    await expect
      .poll(async () => [(await withKey()).length, sleepers.list().some(({ at }) => at >= 60_000)])
      .toEqual([120, true]);
    expect((await withKey()).filter(({ status }) => status !== 200)).toEqual([]);
    giveUp.abort();
    await ends;
  });
});
