// What goes wrong around the client is told with its cause: silence, options that cannot be, answers of another shape.

import { afterEach, describe, expect, it, vi } from 'vitest';
import { connect as connectInPage } from '../../src/client/connect-in-browser.js';
import type { PrefetchEvent } from '../../src/client/client-types.js';
import type { Fetch } from '../../src/client/exchange.js';
import { openClient } from '../../src/client/open-client.js';
import { LOTTIE, readAll, startScript } from './scripted-server.js';

const REQUEST = { presets: ['x/0'], maxCredits: 1 } as const;
const BEGUN = { event: 'begun', of: 1, have: 0, buy: 1, cost: 1 } as const;
const ALIVE = { event: 'waiting', why: 'answer', seconds: 0 } as const;
const baseUrl = 'http://127.0.0.1:1';

/** svcd as a function: it says who it is, and does as told with everything else. */
function svcdThat(answer: Fetch): Fetch {
  return async (url, init) =>
    url.endsWith('/svcd/status') ? Response.json({ name: 'svcd', pid: 1 }) : answer(url, init);
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a prefetch that hears nothing', () => {
  it('waits for the answer to begin no longer than connect says', async () => {
    const { url, seen } = await startScript(['silence']);
    const client = await openClient({ baseUrl: url, deadlineMs: 100 }, {});
    await expect(readAll(client.prefetch(REQUEST))).rejects.toMatchObject({ code: 'timeout' });
    expect(seen.length).toBeLessThanOrEqual(1);
  });

  it('lives on signs of life, however short the deadline of connect, and ends when they stay away', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let told = 0;
    const fetch = svcdThat(async (_url, { signal }) => {
      const body = new ReadableStream({
        start: (stream) => {
          const tell = (event: PrefetchEvent) => stream.enqueue(new TextEncoder().encode(`${JSON.stringify(event)}\n`));
          tell(BEGUN);
          for (const after of [15_000, 30_000, 45_000]) setTimeout(() => tell(ALIVE), after);
          signal?.addEventListener('abort', () => stream.error(signal.reason));
        },
      });
      return new Response(body);
    });
    const client = await openClient({ baseUrl, fetch, deadlineMs: 2000 }, {});
    const read = async () => {
      for await (const event of client.prefetch(REQUEST)) {
        told += 1;
        // Who takes long over an event is not silence of svcd.
        if (event.event === 'begun') await new Promise((resolve) => setTimeout(resolve, 100_000));
      }
    };
    const ended = read().catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(99_000);
    expect(told).toBe(1);
    await vi.advanceTimersByTimeAsync(2000);
    expect(told).toBe(4);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await ended).toMatchObject({ code: 'timeout' });
  });

  it('ends at the deadline of the call, whatever it hears', async () => {
    const { url } = await startScript(['silence']);
    const client = await openClient({ baseUrl: url }, {});
    await expect(readAll(client.prefetch(REQUEST, { deadlineMs: 50 }))).rejects.toMatchObject({ code: 'timeout' });
  });
});

describe('options that no call could use', () => {
  it.each([-1, 0, NaN])('are refused by connect with the value: deadlineMs %s', async (deadlineMs) => {
    for (const connecting of [() => openClient({ deadlineMs }, {}), () => connectInPage({ deadlineMs })]) {
      await expect(connecting()).rejects.toMatchObject({
        code: 'invalid_argument',
        message: `deadlineMs must be more than 0, got ${deadlineMs}`,
      });
    }
  });

  it.each(['svcd_a\nb', 'svcd_ключ', 'svcd_ü', 'svcd_\u0000', 'svcd_😀'])(
    'are refused without telling a token that cannot be sent',
    async (token) => {
      const env = { SERVICE_BASE_URL: baseUrl, SERVICE_API_KEY: token };
      const remote = { baseUrl: 'https://assets.example.com', key: token };
      for (const connecting of [
        () => openClient({ baseUrl, token }, {}),
        () => openClient({}, env),
        () => openClient({ baseUrl, otherwise: 'remote', remote }, {}),
        () => connectInPage({ token }),
      ]) {
        const error = await connecting().catch((one: unknown) => one);
        expect(error).toMatchObject({ code: 'invalid_argument' });
        expect(String(error)).not.toContain(token);
      }
    },
  );

  it('are none because a token was read from a file with the end of its line', async () => {
    const sent: (string | null)[] = [];
    const fetch = svcdThat(async (_url, { headers }) => {
      sent.push(new Headers(headers).get('authorization'));
      return Response.json(LOTTIE);
    });
    await (await openClient({ baseUrl, token: 'svcd_a\n', fetch }, {})).sticker('x/cake');
    expect(sent).toEqual(['Bearer svcd_a']);
  });
});

describe('another program at the address of svcd', () => {
  const other = { status: {} };
  it.each([
    ['its page for everything', { body: '<!doctype html>', status: 200 }],
    ['no such page', { body: '<h1>404</h1>', status: 404 }],
    ['no such method, as JSON', { body: { detail: 'Method Not Allowed' }, status: 405 }],
    ['a method it does not know', { body: '', status: 501 }],
  ])('is no reason to stop a render, and is told: %s', async (_what, act) => {
    const { url: at, seen } = await startScript([act], other);
    const svcd = await openClient({ baseUrl: at }, {});
    const plain = { source: 'default', reason: 'no_svcd', warnings: ['another_program'] };
    expect(await svcd.sticker('x/cake')).toMatchObject(plain);
    expect(await svcd.image({ prompt: 'a cake', size: '1024x1024' })).toMatchObject(plain);
    expect(seen).toHaveLength(2);
    const strict = await openClient({ baseUrl: at, otherwise: 'error' }, {});
    await expect(strict.sticker('x/cake')).rejects.toMatchObject({ code: 'upstream_failure' });
    await expect(svcd.sticker('x/cake', { fallback: 'error' })).rejects.toMatchObject({ code: 'upstream_failure' });
  });

  it.each([
    ['svcd', 404, { code: 'unknown_preset', message: 'no' }, {}],
    ['the service', 404, { code: 'unknown_preset', message: 'no' }, other],
    ['the service, which fails', 502, '<html>', other],
  ])('is not %s, whose own words are thrown', async (_who, status, body, options) => {
    const { url: at } = await startScript([{ status, body }], options);
    const code = status === 404 ? 'unknown_preset' : 'upstream_failure';
    await expect((await openClient({ baseUrl: at }, {})).sticker('x/cake')).rejects.toMatchObject({ code });
  });

  it('may have charged for what it answered and nobody can read', async () => {
    const { url: at } = await startScript([{ body: 'x' }, { status: 404, body: 'x' }], other);
    const svcd = await openClient({ baseUrl: at, token: 'a-key' }, {});
    expect([(await svcd.sticker('x/cake')).cost, (await svcd.sticker('x/cake')).cost]).toEqual(['unknown', 0]);
  });
});

it('json() of a file without size, rate or frames is upstream_failure, and its bytes are there all the same', async () => {
  const { url: at } = await startScript([{ body: { layers: [], w: 9, h: 9 } }, { body: LOTTIE }]);
  const svcd = await openClient({ baseUrl: at }, {});
  const cake = await svcd.sticker('x/cake');
  expect(cake).toMatchObject({ facts: undefined, bytes: expect.any(Uint8Array) });
  expect(() => cake.json()).toThrow(expect.objectContaining({ code: 'upstream_failure' }));
  expect((await svcd.sticker('x/cake')).json()).toEqual(LOTTIE);
});

describe('a fetch of the caller', () => {
  it.each([
    new ReferenceError('proxy is not defined'),
    new TypeError("Cannot read properties of undefined (reading 'url')"),
    new TypeError('agent is not a function'),
  ])('that is a wrong program is told, with its error as the cause, and no plain asset hides it: %s', async (wrong) => {
    const broken: Fetch = () => Promise.reject(wrong);
    for (const fetch of [broken, svcdThat(broken)]) {
      const client = await openClient({ baseUrl, fetch }, {});
      for (const call of [() => client.sticker('x/cake'), () => client.search({ q: 'a' })]) {
        await expect(call()).rejects.toMatchObject({ code: 'invalid_argument', cause: wrong });
      }
    }
  });

  it('that finds nobody is not_running, with the cause', async () => {
    const away = new TypeError('Failed to fetch');
    const client = await openClient({ baseUrl, fetch: () => Promise.reject(away) }, {});
    await expect(client.search({ q: 'a' })).rejects.toMatchObject({ code: 'not_running', cause: away });
    expect(await client.sticker('x/cake')).toMatchObject({ reason: 'no_svcd' });
  });
});

describe('a page', () => {
  it('is told that its origin may not be listed, and a program on Node.js is not', async () => {
    const fetch: Fetch = () => Promise.reject(new TypeError('Failed to fetch'));
    const hintOf = async () => {
      const client = await connectInPage({ fetch });
      return client.search({ q: 'a' }).catch(({ hint }: { hint: string }) => hint);
    };
    expect(await hintOf()).not.toContain('origins');
    vi.stubGlobal('location', { origin: 'http://localhost:5173' });
    expect(await hintOf()).toContain('svcd config origins add http://localhost:5173');
  });
});

describe('an answer of another shape', () => {
  it('may name a credit line that is not well encoded', async () => {
    const { url } = await startScript([{ body: LOTTIE, headers: { 'X-Svcd-Attribution': 'by %zz' } }]);
    const client = await openClient({ baseUrl: url }, {});
    expect(await client.sticker('x/cake')).toMatchObject({ attribution: 'by %zz' });
  });

  it('is upstream_failure', async () => {
    const { url } = await startScript([{ body: { url: 'nowhere', name: 7, results: 'many' } }]);
    const client = await openClient({ baseUrl: url }, {});
    const slots = [{ id: 'one', text: undefined, preset: 'x/cake' }];
    for (const call of [
      () => client.search({ q: 'a' }),
      () => client.match({ text: 'a' }),
      () => client.related('x/cake'),
      () => client.complete({ q: 'a' }),
      () => client.plan({ slots }),
      () => client.facts('x/cake'),
      () => client.spending(),
      () => client.image({ prompt: 'a lamp', size: '1024x1024' }),
      () => readAll(client.searchAll({ q: 'a' })),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'upstream_failure', status: 200 });
    }
  });

  it('whose next page is not further on is the last', async () => {
    for (const next of [0, 1, undefined]) {
      const { url, seen } = await startScript([{ body: { results: [{ preset: 'x/a' }], next } }]);
      const client = await openClient({ baseUrl: url }, {});
      await readAll(client.searchAll({ q: 'a', offset: 1 }));
      expect(seen).toHaveLength(1);
    }
  });
});

describe('a sticker', () => {
  it('can be cloned, and lasts as long as its facts say', async () => {
    const { url } = await startScript([{ body: { ...LOTTIE, fr: 30, op: 100 } }]);
    const cake = await (await openClient({ baseUrl: url }, {})).sticker('x/cake');
    const { bytes, facts, sha256 } = structuredClone(cake);
    expect({ bytes, facts, sha256 }).toEqual({ bytes: cake.bytes, facts: cake.facts, sha256: cake.sha256 });
    expect(cake.json()).toMatchObject({ op: 100 });
    expect(facts?.duration_s).toBe(3.333);
  });
});
