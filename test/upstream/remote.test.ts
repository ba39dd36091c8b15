// The remote with all its policies around one exchange, as the daemon puts them together.

import { describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/platform/clock.js';
import { silentLog } from '../../src/platform/log.js';
import { keyIdOf } from '../../src/model/spender.js';
import { stickerItem } from '../../src/purchases/item.js';
import { judgePaidCall } from '../../src/purchases/seller.js';
import { createExchanger, type Exchange, type Exchanger } from '../../src/upstream/exchange.js';
import type { OpenConnection } from '../../src/upstream/open-connection.js';
import { askFree, createRemote, type Remote, type RemoteOptions } from '../../src/upstream/remote.js';
import { createFakeTime, settle } from './fake-time.js';
import { answerOf, refusedUrl, startServer } from './faulty-server.js';
import { answer, lost, outcome, requestOf } from './requests.js';

describe('a remote that is away', () => {
  it('is waited for once: of hundreds, those who come later are answered at once', async () => {
    const { connect, tries } = connectNever();
    const baseUrl = 'http://127.0.0.1:1';
    const remote = createRemote({ ...QUIET, baseUrl, exchanger: createExchanger(baseUrl, connect) });
    const first = Array.from({ length: 300 }, (_, i) => remote.exchange(requestOf({ key: `sk-${i % 2}` })));
    // Some connect, some wait for their turn; those still connecting when the first gives up are called back.
    setTimeout(() => first.push(...[1, 2, 3].map(() => remote.exchange(requestOf()))), 1500);
    await first[0];
    for (const result of await Promise.all(first)) expect(outcome(result)).toEqual(['unreached', 'offline']);
    const tried = tries();
    const later = await Promise.all(Array.from({ length: 300 }, () => remote.exchange(requestOf())));
    expect(later.map(outcome)).toEqual(later.map(() => ['unreached', 'offline']));
    // But for one look whether it is back, nothing was tried.
    expect(tries() - tried).toBeLessThanOrEqual(1);
    expect(remote.reach()).toMatchObject({ offline: true, forced: false });
  });

  it('tells why in words, for people', async () => {
    const remote = remoteAt(await refusedUrl());
    await remote.exchange(requestOf());
    expect(remote.reach().why).toBe('the remote cannot be reached (ECONNREFUSED)');
  });

  it('does not keep a paid call from being journalled as not sent', async () => {
    const beforeSend = vi.fn<() => Promise<void>>(async () => undefined);
    const remote = remoteAt(await refusedUrl());
    const request = requestOf({ cost: 'paid', beforeSend });
    for (const _ of [1, 2]) expect(outcome(await remote.exchange(request))).toEqual(['unreached', 'offline']);
    expect(beforeSend).not.toHaveBeenCalled();
  });
});

describe('the policies together', () => {
  it('count each further try in the pace', async () => {
    const { remote, time, asked } = fakeRemote(() => answer(500), { pace: { limit: 2, windowMs: 1000 } });
    const result = remote.exchange(requestOf());
    await time.advance(900);
    expect(asked()).toBe(2);
    await time.advance(1000);
    expect(asked()).toBe(3);
    expect(outcome(await result)).toEqual(['answer', 500]);
  });

  it('send a paid call once, whatever becomes of it', async () => {
    for (const stumble of [lost(), answer(500), answer(503)]) {
      const { remote, asked } = fakeRemote(() => stumble);
      expect(await remote.exchange(requestOf({ cost: 'paid' }))).toBe(stumble);
      expect(asked()).toBe(1);
    }
  });

  it('tell the balance of a success and of a 402, because other answers may speak of no account', async () => {
    const told: unknown[] = [];
    const watchBalance = (keyId: string, cost: string) => (left: number) => void told.push([keyId, cost, left]);
    const credits = { 'x-service-credits-remaining': '41' };
    for (const status of [200, 402, 500, 401, 403]) {
      const { remote } = fakeRemote(() => answer(status, credits), { watchBalance });
      await remote.exchange(requestOf({ cost: 'paid' }));
    }
    expect(told).toEqual(Array.from({ length: 2 }, () => [keyIdOf('sk-one'), 'paid', 41]));
  });

  it('let nothing leave when the user wants so, from the start or from now on', async () => {
    const { remote, asked } = fakeRemote(() => answer(), { forcedOffline: true });
    expect(outcome(await remote.exchange(requestOf()))).toEqual(['unreached', 'offline']);
    remote.setForcedOffline(false);
    expect(outcome(await remote.exchange(requestOf()))).toEqual(['answer', 200]);
    remote.setForcedOffline(true);
    expect(outcome(await remote.exchange(requestOf()))).toEqual(['unreached', 'offline']);
    expect(asked()).toBe(1);
  });

  it('end with close: who waits is told so, and no timer is left', async () => {
    const { remote, time } = fakeRemote(() => answer(), { pace: { limit: 1, windowMs: 1000 } });
    const results = [1, 2, 3].map(() => remote.exchange(requestOf({ queueTimeoutMs: 5000 })));
    await settle();
    remote.close();
    expect((await Promise.all(results)).map(outcome)).toEqual([
      ['answer', 200],
      ['unreached', 'offline'],
      ['unreached', 'offline'],
    ]);
    await settle();
    expect(time.sleepers()).toEqual([]);
    expect(await remote.exchange(requestOf())).toMatchObject({ error: { message: 'svcd is stopping' } });
  });
});

describe('a refusal of a paid call', () => {
  const refusing = (balances: readonly number[]) => {
    const left = [...balances];
    const sent: number[] = [];
    const exchanger: Exchanger = async () => {
      sent.push(1);
      const headers = { 'x-service-credits-remaining': `${left.shift() ?? balances.at(-1)}`, 'retry-after': '0' };
      return answer(429, headers, '{"code":"busy"}');
    };
    const time = createFakeTime();
    const remote = createRemote({ ...QUIET, ...time, baseUrl: 'http://127.0.0.1:1', exchanger });
    const asked = remote.exchange(requestOf({ cost: 'paid', resendWithinMs: 20_000 }));
    return { asked, sent, time };
  };
  const item = stickerItem('food/cake');

  it('with which the balance falls, and again, is sent no third time, and may have been charged', async () => {
    const { asked, sent, time } = refusing([100, 90, 80, 70, 60]);
    await time.advance(30_000);
    const exchange = await asked;
    expect(sent).toHaveLength(3);
    expect((await judgePaidCall(item, exchange, 'http://127.0.0.1:1')).kind).toBe('lost');
  });

  it('is free and sent again while the balance stays, or falls once', async () => {
    const { asked, sent, time } = refusing([100, 90, 90]);
    await time.advance(30_000);
    const exchange = await asked;
    expect(sent.length).toBeGreaterThan(3);
    expect((await judgePaidCall(item, exchange, 'http://127.0.0.1:1')).kind).toBe('refused');
  });

  it('that repeats the Key is told without it', async () => {
    const body = '{"code":"invalid_request","message":"Bearer sk-one is odd"}';
    const { url } = await startServer((socket) => void socket.end(answerOf(400, body)));
    const exchange = await remoteAt(url).exchange(requestOf({ cost: 'paid' }));
    const told = exchange.kind === 'answer' ? new TextDecoder().decode(exchange.bytes) : '';
    expect(told).toBe('{"code":"invalid_request","message":"Bearer [Key] is odd"}');
  });
});

describe('a redirect', () => {
  it('is a failure of the remote to a free call, and carries the Key nowhere', async () => {
    const elsewhere = await startServer((socket) => void socket.end(answerOf(200, '{}')));
    const { url, heard } = await startServer(
      (socket) => void socket.end(answerOf(302, '', { Location: elsewhere.url })),
    );
    await expect(askFree(remoteAt(url), requestOf())).rejects.toMatchObject({
      code: 'upstream_failure',
      message: expect.stringContaining('redirects') as unknown,
    });
    expect([heard.length, elsewhere.heard.length]).toEqual([1, 0]);
  });

  it('leaves a paid call unsettled, because nothing says whether it was charged', async () => {
    const judged = await judgePaidCall(stickerItem('food/cake'), answer(307), 'http://127.0.0.1:1');
    expect(judged).toMatchObject({ kind: 'lost', error: { code: 'upstream_failure' } });
  });
});

/** Connections that never come about, and how many were tried. */
function connectNever() {
  let tried = 0;
  const connect: OpenConnection = (_base, signal) =>
    new Promise((_resolve, reject) => {
      tried += 1;
      const giveUp = () => reject(signal.reason as Error);
      if (signal.aborted) giveUp();
      signal.addEventListener('abort', giveUp);
    });
  return { connect, tries: () => tried };
}

function remoteAt(baseUrl: string): Remote {
  return createRemote({ ...QUIET, baseUrl, exchanger: createExchanger(baseUrl) });
}

function fakeRemote(result: () => Exchange, more: Partial<RemoteOptions> = {}) {
  const time = createFakeTime();
  let asked = 0;
  const exchanger: Exchanger = async (request) => {
    asked += 1;
    await request.beforeSend?.();
    return result();
  };
  const { clock } = time;
  const sleep: RemoteOptions['sleep'] = time.sleep;
  const remote = createRemote({ ...QUIET, exchanger, clock, sleep, random: () => 0.5, ...more });
  return { remote, time, asked: () => asked };
}

const QUIET = {
  baseUrl: 'http://127.0.0.1:1',
  forcedOffline: false,
  watchBalance: () => () => undefined,
  clock: systemClock,
  log: silentLog,
};
