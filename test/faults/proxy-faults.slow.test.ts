// A proxy between svcd and a remote that charges, which dies or refuses at each point of a purchase: what the journal says, who
// paid what, and that nothing is paid for twice.

import { describe, expect, it } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { answerWith, startConnectProxy, type ConnectProxy } from '../support/connect-proxy.js';
import { listPurchases, statesOf } from '../support/purchases.js';
import { startTestDaemon, type StartedDaemon } from '../support/start-daemon.js';
import { makeAuthority, startTlsFront } from '../support/tls-front.js';
import { startFaultyRemote, type FaultyRemote } from './faulty-remote.js';

const WANTED = 'food/cake';

interface Stage {
  readonly proxy: ConnectProxy;
  readonly remote: FaultyRemote;
  readonly svcd: StartedDaemon;
  readonly buy: () => Promise<Response>;
}

async function setStage(): Promise<Stage> {
  const proxy = await startConnectProxy();
  const remote = await startFaultyRemote();
  const front = await startTlsFront(remote.url);
  const svcd = await startTestDaemon({
    userKey: remote.key,
    settleGraceMs: 50,
    flags: { remote: front.url, proxy: proxy.url, 'ca-file': makeAuthority().file },
  });
  return { proxy, remote, svcd, buy: () => svcd.get(stickerPath(WANTED)) };
}

type Break = (stage: Stage) => void | Promise<void>;

describe('a purchase through a proxy', () => {
  it('is bought once, and the proxy saw neither the Key nor the sticker', async () => {
    const { proxy, remote, svcd, buy } = await setStage();
    expect((await buy()).headers.get('x-svcd-source')).toBe('remote');
    expect(remote.account.timesCharged(`sticker:${WANTED}`)).toBe(1);
    expect(proxy.heard()).not.toMatch(new RegExp(`${remote.key}|cake`));
    const { remote: told } = (await (await svcd.get('/svcd/status')).json()) as { remote: { proxy: string } };
    expect(told.proxy).toBe(proxy.url);
  });

  it.each<[string, Break]>([
    ['is away', ({ proxy }) => proxy.stop()],
    ['wants a password', ({ proxy }) => void (proxy.password = 'me:hush')],
    ['forbids the remote', ({ proxy }) => void (proxy.refuse = answerWith(403))],
    ['cannot reach the remote', ({ proxy }) => void (proxy.refuse = answerWith(502))],
    ['hangs up when asked', ({ proxy }) => void (proxy.refuse = (client) => client.end())],
    ['opens the tunnel and resets it', ({ proxy }) => void (proxy.refuse = opensAndResets)],
    ['answers in the place of the remote', ({ proxy }) => void (proxy.refuse = answersItself)],
    ['dies in the handshake', ({ proxy }) => void (proxy.onPiece = (before) => before === 0 && proxy.cut('reset'))],
  ])('costs nothing and is free to be sent again when the proxy %s', async (_what, breakIt) => {
    const stage = await setStage();
    const { remote, svcd, buy } = stage;
    await breakIt(stage);
    const answer = await buy();
    expect([answer.headers.get('x-svcd-reason'), answer.headers.get('x-svcd-cost')]).toEqual(['offline', '0']);
    expect(new Set(await statesOf(svcd.get, WANTED))).toEqual(new Set(['refused']));
    expect([remote.seen, remote.account.spent()]).toEqual([[], 0]);
  });

  it('is bought when the proxy lets it through again, without a restart', async () => {
    const { proxy, remote, buy } = await setStage();
    proxy.refuse = answerWith(502);
    expect((await buy()).headers.get('x-svcd-reason')).toBe('offline');
    proxy.refuse = undefined;
    await expect.poll(async () => (await buy()).headers.get('x-svcd-source')).not.toBe('default');
    expect(remote.account.timesCharged(`sticker:${WANTED}`)).toBe(1);
  });

  it.each([
    ['charged', 'reset'],
    ['charged', 'close'],
    ['not charged', 'reset'],
    ['not charged', 'close'],
  ] as const)(
    'is in doubt, and not sent again, when the remote had it and %s and the proxy dies by a %s',
    async (charged, how) => {
      const { proxy, remote, svcd, buy } = await setStage();
      remote.trouble = () => ({
        ...(charged === 'charged' ? { inBody: async () => proxy.cut(how) } : { until: async () => proxy.cut(how) }),
        ...(charged === 'charged' ? {} : { cut: { how: 'reset', after: 'request' } as const }),
      });
      const answer = await buy();
      expect([answer.headers.get('x-svcd-reason'), answer.headers.get('x-svcd-cost')]).toEqual([
        'unsettled',
        'unknown',
      ]);
      remote.trouble = () => undefined;
      const times = charged === 'charged' ? 1 : 0;
      const paid = remote.seen.filter((line) => line.includes('/stickers/')).length;
      expect(remote.account.timesCharged(`sticker:${WANTED}`)).toBe(times);
      for (let i = 0; i < 3; i++) await buy();
      // What was charged is never charged again; what was settled as free by the balance may be bought, once.
      expect(remote.account.timesCharged(`sticker:${WANTED}`)).toBeLessThanOrEqual(1);
      const purchases = await listPurchases(svcd.get, WANTED);
      expect(purchases[0]?.state).not.toBe('intent');
      if (charged === 'charged') expect(remote.seen.filter((line) => line.includes('/stickers/')).length).toBe(paid);
    },
  );
});

const opensAndResets: ConnectProxy['refuse'] = (client) =>
  void client.write('HTTP/1.1 200 OK\r\n\r\n', () => client.resetAndDestroy());

const answersItself: ConnectProxy['refuse'] = (client) =>
  void client.end('HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
