// Where the client finds svcd, and where its token goes.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ConnectOptions } from '../../src/client/client-types.js';
import type { Fetch } from '../../src/client/exchange.js';
import { openClient } from '../../src/client/open-client.js';
import { startTestDaemon, temporaryHome } from '../support/start-daemon.js';
import { LOTTIE, startScript } from './scripted-server.js';

const TOKEN = 'svcd_of-this-home';
const GOOD = [{ body: LOTTIE }] as const;

/** A home whose file tells of a daemon. */
function homeOf(runtime: object): string {
  const home = temporaryHome();
  writeFileSync(join(home, 'runtime.json'), JSON.stringify({ pid: process.pid, token: TOKEN, ...runtime }));
  return home;
}

async function bearerSent(options: ConnectOptions, env: Record<string, string>, server: { seen: readonly object[] }) {
  const client = await openClient(options, env);
  await client.sticker('x/cake');
  const seen = server.seen as { headers: { authorization?: string } }[];
  return seen.at(-1)?.headers.authorization;
}

describe('svcd is found', () => {
  it('at baseUrl, else SERVICE_BASE_URL, else where the daemon of the home is', async () => {
    const [given, named, running] = [await startScript(GOOD), await startScript(GOOD), await startScript(GOOD)];
    const env = { SVCD_HOME: homeOf({ url: running.url }), SERVICE_BASE_URL: named.url };
    const ask = async (options: ConnectOptions, variables: Record<string, string>) =>
      (await openClient(options, variables)).sticker('x/cake');
    await ask({ baseUrl: given.url }, env);
    await ask({}, env);
    await ask({}, { SVCD_HOME: env.SVCD_HOME });
    await ask({ home: env.SVCD_HOME }, {});
    expect([given, named, running].map(({ seen }) => seen.length)).toEqual([1, 1, 2]);
  });

  it('by a real home, with its token, and again after a restart on another port', async () => {
    const first = await startTestDaemon({ flags: { offline: true } });
    const client = await openClient({ home: first.home }, {});
    expect((await client.status()).url).toBe(first.url);
    expect((await client.spending()).spent).toBe(0);
    await first.daemon.close();
    const second = await startTestDaemon({ flags: { offline: true }, home: first.home });
    expect((await client.status()).url).toBe(second.url);
  });

  it('not at the address of a process that is gone, or of another process', async () => {
    const other = await startScript(GOOD, { status: { name: 'svcd', pid: process.pid + 1 } });
    const stranger = await startScript(GOOD, { status: { name: 'another' } });
    for (const runtime of [{ url: other.url }, { url: stranger.url }, { url: other.url, pid: null }]) {
      // What is at the usual port of this machine is no concern of this test.
      const fetchHere: Fetch = (url, init) =>
        url.includes(':7823') ? Promise.reject(new TypeError('away')) : fetch(url, init);
      const client = await openClient({ home: homeOf(runtime), fetch: fetchHere }, {});
      expect(await client.sticker('x/cake')).toMatchObject({ reason: 'no_svcd' });
    }
    expect([...other.seen, ...stranger.seen]).toEqual([]);
    for (const { headers } of [...other.asked, ...stranger.asked]) expect(headers).not.toHaveProperty('authorization');
  });

  it('on its own home where one is named: another svcd at the usual port is not asked', async () => {
    const urls: string[] = [];
    const away: Fetch = (url) => {
      urls.push(url);
      return Promise.reject(new TypeError('away'));
    };
    const gone = homeOf({ url: 'http://127.0.0.1:1' });
    const named: [ConnectOptions, Record<string, string>][] = [
      [{ home: gone }, {}],
      [{}, { SVCD_HOME: gone }],
      [{ home: temporaryHome() }, {}],
    ];
    for (const [options, env] of named) {
      const client = await openClient({ ...options, fetch: away }, env);
      const home = options.home ?? gone;
      await expect(client.search({ q: 'a' })).rejects.toMatchObject({
        code: 'not_running',
        message: expect.stringContaining(home) as string,
        hint: expect.stringContaining(`--home`) as string,
      });
    }
    expect(urls.filter((url) => url.includes(':7823'))).toEqual([]);
    const usual = await openClient({ fetch: away }, { XDG_DATA_HOME: temporaryHome() });
    await expect(usual.search({ q: 'a' })).rejects.toMatchObject({ code: 'not_running' });
    expect(urls.filter((url) => url.includes(':7823'))).not.toEqual([]);
  });

  it.each(['nowhere', 'ftp://127.0.0.1', 'http://user:word@127.0.0.1', 'http://127.0.0.1/?q=1'])(
    'at no such address: %s',
    async (baseUrl) => {
      await expect(openClient({ baseUrl }, {})).rejects.toMatchObject({ code: 'invalid_argument' });
    },
  );
});

describe('the token', () => {
  it('is what was given, else that of the environment if it goes with the address, else that of the home', async () => {
    const server = await startScript(GOOD);
    const baseUrl = server.url;
    const home = homeOf({ url: baseUrl });
    const env = { SERVICE_BASE_URL: baseUrl, SERVICE_API_KEY: 'svcd_of-a-run' };
    expect(await bearerSent({ baseUrl, home, token: 'svcd_given' }, env, server)).toBe('Bearer svcd_given');
    expect(await bearerSent({ baseUrl, home }, env, server)).toBe('Bearer svcd_of-a-run');
    expect(await bearerSent({ home }, env, server)).toBe('Bearer svcd_of-a-run');
    expect(await bearerSent({ baseUrl, home }, { SERVICE_API_KEY: 'key of elsewhere' }, server)).toBe(
      `Bearer ${TOKEN}`,
    );
    expect(await bearerSent({ home }, {}, server)).toBe(`Bearer ${TOKEN}`);
    expect(await bearerSent({ baseUrl }, { SVCD_HOME: temporaryHome() }, server)).toBeUndefined();
    for (const { headers } of server.asked) expect(headers).not.toHaveProperty('authorization');
  });

  it('of a home does not go to another program that has its port', async () => {
    const server = await startScript(GOOD, { status: {} });
    expect(await bearerSent({ baseUrl: server.url, home: homeOf({ url: server.url }) }, {}, server)).toBeUndefined();
  });

  it('goes to addresses of this machine alone', async () => {
    const sent: [string, string | null][] = [];
    const record: Fetch = async (url, init) => {
      sent.push([new URL(url).hostname, new Headers(init?.headers).get('authorization')]);
      const isStatus = url.endsWith('/svcd/status');
      return new Response(JSON.stringify(isStatus ? { name: 'svcd', pid: 1 } : LOTTIE));
    };
    const hosts = ['127.0.0.1', '127.1.2.3', 'localhost', '[::1]', '10.0.0.1', '127.0.0.1.example.com', 'localhost.x'];
    for (const host of hosts) {
      const client = await openClient({ baseUrl: `http://${host}:1234`, token: 'svcd_secret', fetch: record }, {});
      await client.sticker('x/cake');
    }
    const told = sent.filter(([, bearer]) => bearer !== null).map(([host]) => host);
    expect(told).toEqual(hosts.slice(0, 4));
  });

  it('does not go where an answer of svcd leads', async () => {
    const elsewhere = await startScript([{ headers: { 'Content-Type': 'image/png' }, body: 'png' }]);
    const svcd = await startScript([
      { body: { url: `${elsewhere.url}/picture.png`, size: '1024x1024', width: 1024, height: 1024 } },
    ]);
    const client = await openClient({ baseUrl: svcd.url, token: 'svcd_secret' }, {});
    await client.image({ prompt: 'a lamp', size: '1024x1024' });
    expect(svcd.seen[0]?.headers.authorization).toBe('Bearer svcd_secret');
    expect(elsewhere.seen[0]?.headers).not.toHaveProperty('authorization');
  });
});

describe('the Key', () => {
  const open = (remote: ConnectOptions['remote'], env: Record<string, string>, fetched?: Fetch) =>
    openClient({ home: temporaryHome(), otherwise: 'remote', remote, fetch: fetched }, env);

  it('goes to the service alone, and is never a token of svcd', async () => {
    const sent = new Map<string, string | null>();
    const record: Fetch = async (url, init) => {
      const { hostname } = new URL(url);
      if (hostname === '127.0.0.1') throw new TypeError('', { cause: { syscall: 'connect' } });
      sent.set(hostname, new Headers(init?.headers).get('authorization'));
      return new Response(JSON.stringify(LOTTIE));
    };
    const ask = async (remote: ConnectOptions['remote'], env: Record<string, string>) => {
      sent.clear();
      await (await open(remote, env, record)).sticker('x/cake');
      return sent.get('assets.example.com');
    };
    const baseUrl = 'https://assets.example.com';
    expect(await ask({ baseUrl, key: 'its key' }, {})).toBe('Bearer its key');
    expect(await ask({ baseUrl }, { SERVICE_API_KEY: 'its key' })).toBe('Bearer its key');
    expect(await ask({ baseUrl }, { SERVICE_API_KEY: TOKEN })).toBeNull();
    expect(await ask({ baseUrl }, { SERVICE_BASE_URL: 'http://127.0.0.1:1', SERVICE_API_KEY: 'another' })).toBeNull();
  });

  it('is not sent in clear text, and the address of the service is not guessed', async () => {
    await expect(open({ baseUrl: 'http://assets.example.com', key: 'k' }, {})).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    await expect(open(undefined, {})).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(open(undefined, { SERVICE_BASE_URL: 'http://127.0.0.1:7823' })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });
});
