// When the client sends a call again: each row of the table in src/client/README.md, with a server that breaks there.

import { describe, expect, it } from 'vitest';
import type { Client } from '../../src/client/client-types.js';
import type { Fetch } from '../../src/client/exchange.js';
import { openClient } from '../../src/client/open-client.js';
import type { SvcdError } from '../../src/client/svcd-error.js';
import { LOTTIE, readAll, startScript, type Act, type ScriptOptions } from './scripted-server.js';

const PICTURE = { status: 200, headers: { 'Content-Type': 'image/png' }, body: 'png' };
const IMAGE = { url: '/picture.png', size: '1024x1024', width: 1024, height: 1024 };
const ENDED = { event: 'ended', cost: 0, uncertain: [], defaults: 0, failed: [] };
const BEGUN = { event: 'begun', of: 1, have: 0, buy: 1, cost: 1 };
const ASKED = { prompt: 'a lamp', size: '1024x1024' } as const;

/** In the shape of each answer that costs nothing, as far as the client looks. */
const ANY = { results: [], completions: [], slots: [], problems: [], name: 'svcd', budgets: [] };

type Call = (client: Client) => Promise<unknown>;
const FREE: Record<string, Call> = {
  search: (client) => client.search({ q: '生日' }),
  match: (client) => client.match({ text: '生日' }),
  complete: (client) => client.complete({ q: '生' }),
  related: (client) => client.related('x/cake'),
  plan: (client) => client.plan({ slots: [{ id: 'one', text: '生日' }] }),
  facts: (client) => client.facts('x/cake'),
  status: (client) => client.spending(),
};
const STRICT = { fallback: 'error' } as const;
const JOINED: Record<string, Call> = {
  sticker: (client) => client.sticker('x/cake', STRICT),
  image: (client) => client.image(ASKED, STRICT),
  prefetch: (client) => readAll(client.prefetch({ presets: ['x/cake'], maxCredits: 1 })),
};
const FRESH: Call = (client) => client.image({ ...ASKED, fresh: true }, STRICT);

/** What each call takes for a right answer. */
function rightAnswer(name: string): readonly [Act, ...Act[]] {
  if (name === 'sticker') return [{ body: LOTTIE }];
  if (name === 'image') return [{ body: IMAGE }, PICTURE];
  return name === 'prefetch' ? [{ body: `${JSON.stringify(BEGUN)}\n${JSON.stringify(ENDED)}\n` }] : [{ body: ANY }];
}

async function attempt(call: Call, acts: readonly [Act, ...Act[]], options: ScriptOptions = {}) {
  const server = await startScript(acts, options);
  const client = await openClient({ baseUrl: server.url, otherwise: 'error' }, {});
  const failure = await call(client).then(
    () => undefined,
    (error: unknown) => error as SvcdError,
  );
  return { failure, sent: server.seen.length };
}

describe('a connection that is refused', () => {
  /** The server is there again when the connection is tried for this time; how often it was tried, and the failure. */
  async function openAt(time: number, name: string, call: Call) {
    const server = await startScript(rightAnswer(name));
    await server.close();
    let tries = 0;
    const counted: Fetch = async (...request) => {
      tries += 1;
      if (tries === time) await server.open();
      return fetch(...request);
    };
    const client = await openClient({ baseUrl: server.url, otherwise: 'error', fetch: counted }, {});
    const failure = await call(client).then(
      () => undefined,
      (error: unknown) => error as SvcdError,
    );
    return { tries, code: failure?.code };
  }

  it.each(Object.entries({ ...FREE, ...JOINED, fresh: FRESH }))(
    'is tried twice more, whatever the call may cost: %s',
    async (name, call) => {
      const { code } = await openAt(3, name === 'fresh' ? 'image' : name, call);
      expect(code).toBeUndefined();
    },
  );

  it.each(Object.entries({ search: FREE['search']!, sticker: JOINED['sticker']!, fresh: FRESH }))(
    'is not tried a third time more: %s',
    async (name, call) => {
      expect(await openAt(4, name, call)).toEqual({ tries: 3, code: 'not_running' });
    },
  );

  it('is met with the daemon gone in between, too', async () => {
    const server = await startScript([{ body: ANY }]);
    const client = await openClient({ baseUrl: server.url, otherwise: 'error' }, {});
    await client.search({ q: 'a' });
    await server.close();
    await expect(client.search({ q: 'a' })).rejects.toMatchObject({ code: 'not_running' });
    await server.open();
    await client.search({ q: 'a' });
    expect(server.seen).toHaveLength(2);
  });
});

describe('a connection that breaks after the call was sent', () => {
  it.each(Object.entries(FREE))('is tried twice more by what costs nothing: %s', async (_name, call) => {
    expect(await attempt(call, ['break', 'break-in-body', { body: ANY }])).toEqual({ failure: undefined, sent: 3 });
    const { failure, sent } = await attempt(call, ['break']);
    expect({ code: failure?.code, status: failure?.status, sent }).toEqual({
      code: 'not_running',
      status: undefined,
      sent: 3,
    });
  });

  it.each(Object.entries(JOINED))('is tried once more by what svcd joins: %s', async (name, call) => {
    const right = rightAnswer(name);
    expect(await attempt(call, ['break', ...right])).toEqual({ failure: undefined, sent: 1 + right.length });
    const { failure, sent } = await attempt(call, ['break', 'break', ...right]);
    expect({ code: failure?.code, sent }).toEqual({ code: 'not_running', sent: 2 });
    expect((await attempt(call, ['break-in-body', 'break-in-body', ...right])).sent).toBe(2);
  });

  it('is never tried again for a fresh image, for what may be charged twice', async () => {
    for (const act of ['break', 'break-in-body'] as const) {
      const { failure, sent } = await attempt(FRESH, [act, ...rightAnswer('image')]);
      expect({ code: failure?.code, sent }).toEqual({ code: 'not_running', sent: 1 });
    }
  });

  it.each(Object.entries(JOINED))('is never tried again where it is not svcd that answers: %s', async (name, call) => {
    for (const status of [{}, { name: 'another' }]) {
      const { failure, sent } = await attempt(call, ['break', ...rightAnswer(name)], { status });
      expect({ code: failure?.code, sent }).toEqual({ code: 'not_running', sent: 1 });
    }
  });
});

describe('429 and 503', () => {
  const busy = (status: number, after?: number): Act => ({
    status,
    headers: after === undefined ? {} : { 'Retry-After': String(after) },
    body: { code: 'busy', message: 'very busy', hint: 'wait' },
  });

  it.each(Object.entries(FREE))('are tried twice more by what costs nothing: %s', async (_name, call) => {
    expect(await attempt(call, [busy(429, 0), busy(503), { body: ANY }])).toEqual({ failure: undefined, sent: 3 });
    const { failure, sent } = await attempt(call, [busy(503, 0)]);
    expect(sent).toBe(3);
    expect(failure).toMatchObject({ code: 'busy', status: 503, message: 'very busy', hint: 'wait', retryAfterS: 0 });
  });

  it.each(Object.entries({ ...JOINED, fresh: FRESH }))('are told at once by what may cost: %s', async (_name, call) => {
    for (const status of [429, 503]) {
      const { failure, sent } = await attempt(call, [busy(status, 0)]);
      expect({ code: failure?.code, status: failure?.status, sent }).toEqual({ code: 'busy', status, sent: 1 });
    }
  });

  it('are told at once when Retry-After is longer than the call may take', async () => {
    const { failure, sent } = await attempt(
      (client) => client.search({ q: 'a' }, { deadlineMs: 30_000 }),
      [busy(429, 31)],
    );
    expect({ sent, after: failure?.retryAfterS }).toEqual({ sent: 1, after: 31 });
  });

  it.each([400, 401, 402, 403, 404, 409, 500, 502, 504])('%i is told at once', async (status) => {
    expect((await attempt(FREE['search']!, [busy(status)])).sent).toBe(1);
    expect((await attempt(JOINED['sticker']!, [busy(status)])).sent).toBe(1);
  });
});

describe('what svcd does not know yet', () => {
  it('is told, and never forced', async () => {
    const server = await startScript([
      'break',
      { status: 409, body: { code: 'unsettled', message: 'it may have been charged' } },
    ]);
    const client = await openClient({ baseUrl: server.url }, {});
    await expect(client.sticker('x/cake')).rejects.toMatchObject({ code: 'unsettled', status: 409 });
    expect(server.seen).toHaveLength(2);
    for (const { headers } of server.seen) expect(headers).not.toHaveProperty('x-svcd-allow-repay');
  });

  it('keeps its code, be it one that nobody has heard of', async () => {
    const { failure } = await attempt(JOINED['sticker']!, [{ status: 418, body: { code: 'teapot' } }]);
    expect(failure).toMatchObject({ code: 'teapot', status: 418, name: 'SvcdError' });
  });

  it.each([
    [200, '<html>', 'search'],
    [502, '<html>Bad Gateway', 'search'],
    [200, '[]x', 'sticker'],
    [200, '{"no":"layers"}', 'sticker'],
    [200, 'null', 'sticker'],
    [500, '', 'sticker'],
    [200, '{"size":"1024x1024"}', 'image'],
  ])('is upstream_failure with its status where it is not what was asked for: %i %s', async (status, body, name) => {
    const { failure, sent } = await attempt({ ...FREE, ...JOINED }[name]!, [{ status, body }]);
    expect(failure).toMatchObject({ code: 'upstream_failure', status });
    expect(sent).toBe(1);
  });

  it('is no answer where it leads elsewhere: a redirect is not followed', async () => {
    const elsewhere = await startScript([{ body: LOTTIE }]);
    for (const status of [301, 302, 307, 308]) {
      const act = { status, headers: { Location: `${elsewhere.url}/x` }, body: '' };
      const { failure, sent } = await attempt(JOINED['sticker']!, [act]);
      expect(failure).toMatchObject({ code: 'upstream_failure', status });
      expect(sent).toBe(1);
    }
    expect(elsewhere.seen).toEqual([]);
  });
});
