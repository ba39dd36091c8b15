// Exchanges through a real CONNECT proxy with a TLS remote of an authority of its own: what the proxy sees, and what is known of
// a request when the proxy refuses, is away, or dies at some point of it.

import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createExchanger, type RemoteRequest } from '../../src/upstream/exchange.js';
import { createConnector } from '../../src/upstream/open-connection.js';
import { readTrusted } from '../../src/upstream/trusted-certificates.js';
import { answerWith, startConnectProxy, type ConnectProxy, type Refusal } from '../support/connect-proxy.js';
import { makeAuthority, startTlsFront } from '../support/tls-front.js';
import { answerOf, refusedUrl, startServer } from './faulty-server.js';

const REQUEST: RemoteRequest = {
  method: 'GET',
  path: '/api/v1/stickers/cake',
  key: 'sk-right',
  cost: 'paid',
  timeoutMs: 60_000,
  maxBytes: 1000,
};

interface Stage {
  readonly proxy: ConnectProxy;
  /** What the remote heard, one text for each connection. */
  readonly heard: string[];
  readonly exchange: (more?: Partial<RemoteRequest>) => ReturnType<ReturnType<typeof createExchanger>>;
  /** Whether the request was written down as sent. */
  readonly sent: () => boolean;
}

async function setStage(
  answer: (socket: Socket, proxy: ConnectProxy) => void = (socket) => void socket.end(answerOf(200, '{"a":1}')),
  {
    password = '',
    by = (proxy: ConnectProxy) => proxy.url,
  }: { password?: string; by?: (proxy: ConnectProxy) => string } = {},
): Promise<Stage> {
  const proxy = await startConnectProxy();
  const behind = await startServer((socket) => answer(socket, proxy));
  const front = await startTlsFront(behind.url);
  const address = by(proxy).replace('//', password === '' ? '//' : `//${password}@`);
  const certificates = readTrusted(makeAuthority().file, undefined);
  const exchanger = createExchanger(front.url, createConnector({ proxy: address, certificates }));
  let sent = false;
  const beforeSend = async () => void (sent = true);
  return {
    proxy,
    heard: behind.heard,
    exchange: (more = {}) => exchanger({ ...REQUEST, beforeSend, ...more }),
    sent: () => sent,
  };
}

describe('an exchange through a proxy', () => {
  it('brings the answer, and the proxy learns the name and the port of the remote alone', async () => {
    const { proxy, heard, exchange } = await setStage(undefined, { password: 'me:pass%20word' });
    proxy.password = 'me:pass word';
    expect(await exchange()).toMatchObject({ kind: 'answer', status: 200 });
    expect(proxy.asked).toEqual([expect.stringMatching(/^assets\.test:\d+$/)]);
    expect(heard.join('')).toContain('authorization: Bearer sk-right');
    expect(proxy.heard()).toContain('proxy-authorization');
    expect(proxy.heard()).not.toMatch(/sk-right|stickers\/cake/);
    expect(heard.join('')).not.toMatch(/proxy|pass/i);
  });

  it('leaves no connection behind', async () => {
    const { proxy, exchange } = await setStage();
    await exchange();
    await vi.waitFor(() => expect(proxy.open()).toBe(0));
  });

  it('speaks TLS to a proxy that wants it', async () => {
    const { key, cert } = makeAuthority();
    const proxy = await startConnectProxy({ key, cert });
    const behind = await startServer((socket) => void socket.end(answerOf(200, 'all')));
    const front = await startTlsFront(behind.url);
    const certificates = readTrusted(makeAuthority().file, undefined);
    const exchange = createExchanger(front.url, createConnector({ proxy: proxy.url, certificates }));
    expect(await exchange(REQUEST)).toMatchObject({ kind: 'answer', status: 200 });
  });

  it('trusts no remote whose authority it does not know, and says what to do', async () => {
    const proxy = await startConnectProxy();
    const front = await startTlsFront((await startServer(() => undefined)).url);
    const result = await createExchanger(front.url, createConnector({ proxy: proxy.url }))(REQUEST);
    expect(result).toMatchObject({ kind: 'unreached', error: { code: 'offline' } });
    expect(JSON.stringify(messageOf(result))).toMatch(/UNABLE_TO_VERIFY_LEAF_SIGNATURE.+config set caFile/);
  });
});

describe('a request that never left because of its proxy', () => {
  const RUDE: readonly [string, Refusal, RegExp][] = [
    [
      'wants a password',
      answerWith(407, ['Proxy-Authenticate: Basic realm="x"']),
      /wants a user and a password \(407\)/,
    ],
    ['wants Kerberos', answerWith(407, ['Proxy-Authenticate: Negotiate']), /407 Negotiate\); svcd knows Basic only/],
    ['forbids it', answerWith(403), /does not let svcd reach assets\.test:\d+ \(403\)/],
    ['cannot reach it', answerWith(502), /cannot reach assets\.test:\d+ \(502\)/],
    ['redirects', answerWith(302, ['Location: http://elsewhere.test']), /does not let svcd reach .+ \(302\)/],
    ['speaks no HTTP', (client) => void client.end('SSH-2.0-hello\r\n'), /did not open a tunnel \(HPE_/],
    ['hangs up', (client) => void client.end(), /did not open a tunnel \(ECONNRESET/],
    ['resets', (client) => void client.resetAndDestroy(), /did not open a tunnel \(ECONNRESET\)/],
    ['answers for the remote', (client) => void client.end(`HTTP/1.1 200 OK\r\n\r\n${answerOf(200, '{}')}`), /./],
    ['opens it and hangs up', (client) => void client.end('HTTP/1.1 200 OK\r\n\r\n'), /./],
  ];

  it.each(RUDE)('is unreached when it %s', async (_what, refuse, words) => {
    const { proxy, heard, exchange, sent } = await setStage();
    proxy.refuse = refuse;
    const result = await exchange();
    expect(result).toMatchObject({ kind: 'unreached', error: { code: 'offline' } });
    expect(messageOf(result)).toMatch(words);
    expect([sent(), heard]).toEqual([false, []]);
  });

  it('is unreached when the proxy is away, and no message or cause holds its password', async () => {
    const away = (await refusedUrl()).replace('//', '//me:hush@');
    const { heard, exchange, sent } = await setStage(undefined, { by: () => away });
    const result = await exchange();
    expect(messageOf(result)).toMatch(/the proxy http:\/\/127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)/);
    expect(inspected(result)).not.toContain('hush');
    expect([result.kind, sent(), heard]).toEqual(['unreached', false, []]);
  });

  it('is unreached with a wrong password, which nothing repeats', async () => {
    const { proxy, exchange } = await setStage(undefined, { password: 'me:hush' });
    proxy.password = 'me:other';
    const result = await exchange();
    expect(messageOf(result)).toMatch(/does not accept the user and password \(407\)/);
    expect(inspected(result)).not.toMatch(/hush|bWU6aHVzaA/);
  });

  it.each<[string, Refusal]>([
    ['says nothing', () => undefined],
    ['opens the tunnel and passes nothing on', (client) => void client.write('HTTP/1.1 200 OK\r\n\r\n')],
  ])('is unreached after two seconds when the proxy %s', async (_what, refuse) => {
    const { proxy, exchange, sent } = await setStage();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const refused = new Promise<void>((resolve) => {
      proxy.refuse = (client, request) => {
        refuse(client, request);
        resolve();
      };
    });
    const result = exchange();
    await refused;
    vi.advanceTimersByTime(2000);
    expect(messageOf(await result)).toMatch(/no connection in 2000 ms through the proxy http:/);
    expect(sent()).toBe(false);
  });

  it('is unreached when the proxy dies in the handshake with the remote', async () => {
    const { proxy, heard, exchange, sent } = await setStage();
    proxy.onPiece = (before) => before === 0 && proxy.cut('reset');
    expect(await exchange()).toMatchObject({ kind: 'unreached' });
    expect([sent(), heard]).toEqual([false, []]);
  });

  it('is unreached when the proxy dies while the request is written down', async () => {
    const { proxy, heard, exchange } = await setStage();
    const beforeSend = async () => {
      await proxy.stop();
      // The end is seen a turn later.
      await vi.waitFor(() => expect(proxy.open()).toBe(0));
      await new Promise((resolve) => setTimeout(resolve, 50));
    };
    expect(await exchange({ beforeSend })).toMatchObject({ kind: 'unreached' });
    expect(heard.join('')).toBe('');
  });
});

describe('a request that may have left through its proxy', () => {
  it.each(['reset', 'close'] as const)('is lost when the proxy dies by a %s after the remote has it', async (how) => {
    const { heard, exchange, sent } = await setStage((_socket, proxy) => proxy.cut(how));
    expect(await exchange()).toMatchObject({ kind: 'lost', error: { code: 'upstream_failure' } });
    expect(sent()).toBe(true);
    expect(heard.join('').match(/GET /g)).toHaveLength(1);
  });

  it.each(['reset', 'close'] as const)(
    'is lost when the proxy dies by a %s in the middle of the answer',
    async (how) => {
      const { heard, exchange } = await setStage((socket, proxy) => {
        const whole = answerOf(200, '{"a":1234567}');
        socket.write(whole.slice(0, -5), () => setTimeout(() => proxy.cut(how), 50));
      });
      expect(await exchange()).toMatchObject({ kind: 'lost' });
      expect(heard.join('').match(/GET /g)).toHaveLength(1);
    },
  );

  it('is lost when the proxy dies as the request comes to it, for nobody knows what it passed on', async () => {
    const { proxy, exchange } = await setStage();
    const result = exchange({
      beforeSend: async () => {
        proxy.onPiece = () => proxy.cut('reset');
      },
    });
    expect(await result).toMatchObject({ kind: 'lost' });
  });
});

describe('certificates to trust besides', () => {
  it('are all those of the file, and those that Node.js trusts', () => {
    const own = readFileSync(makeAuthority().file, 'utf8').trim();
    const trusted = readTrusted(makeAuthority().file, undefined);
    expect(trusted).toContain(own);
    expect(trusted.length).toBeGreaterThan(50);
    expect(readTrusted(makeAuthority().file, '/no/such').length).toBe(trusted.length);
  });
});

function messageOf(result: Awaited<ReturnType<Stage['exchange']>>): string {
  return result.kind === 'answer' ? '' : result.error.message;
}

/** All that a log of it could show. */
function inspected(result: object): string {
  const parts: string[] = [];
  let one: unknown = (result as { error?: unknown }).error;
  while (one instanceof Error) {
    parts.push(one.message, one.stack ?? '', JSON.stringify(one));
    one = one.cause;
  }
  return parts.join('\n');
}
