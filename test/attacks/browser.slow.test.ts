// A real browser attacks a running daemon that has a Key and credits to lose, once as it is by default and once with
// `--trust-loopback`, where every request without a token that got through would spend. Each attack is looked for
// where it arrives, so that one the browser itself held back does not count as repelled.

import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { CAKE } from '../sandbox/tiny-catalogue.js';
import { launchChromium } from '../support/launch-chromium.js';
import { listPurchases } from '../support/purchases.js';
import { CHROMIUM, describeIf } from '../support/requires.js';
import { startPair, type Pair } from '../support/start-pair.js';
import { watchArrivals, type Arrival } from './arrivals.js';
import { FRAMED, READS, WRITES, type Attack } from './page-attacks.js';

const READ_PATHS = [
  stickerPath(CAKE),
  '/api/v1/usage',
  '/svcd/purchases',
  '/svcd/collections',
  '/svcd/events',
  '/svcd/summary',
];
const WRITE_PATHS = [
  '/api/v1/images',
  '/svcd/stop',
  '/svcd/offline',
  '/svcd/origins/http%3A%2F%2Fevil.example',
  '/svcd/collections/wanted',
  '/svcd/folder/reveal',
  '/svcd/prefetch',
];
const CREDITS = 1000;

interface Scene extends Pair {
  readonly port: number;
  readonly browser: Browser;
  /** What reached the daemon's socket. */
  readonly arrivals: readonly Arrival[];
  /** What reached the remote. */
  readonly heard: string[];
  readonly attacker: number;
}

async function setScene(trusting: boolean): Promise<Scene> {
  const heard: string[] = [];
  const faults = ({ method, path }: { method: string; path: string }) => void heard.push(`${method} ${path}`);
  const pair = await startPair({
    flags: { 'trust-loopback': trusting },
    remote: { faults: (request) => (faults(request), undefined) },
  });
  const port = Number(new URL(pair.svcd.url).port);
  // Newer browsers ask before a public page may reach loopback; svcd must not need that.
  const browser = await launchChromium(
    '--host-resolver-rules=MAP *.example 127.0.0.1',
    '--disable-features=LocalNetworkAccessChecks,LocalNetworkAccessChecksWebSockets,BlockInsecurePrivateNetworkRequests',
  );
  return { ...pair, port, browser, arrivals: watchArrivals(port), heard, attacker: await startAttacker() };
}

/** A server of pages; `/worker.js` does in a service worker what it is told. */
async function startAttacker(): Promise<number> {
  const server = createServer((request, response) => {
    const isWorker = request.url === '/worker.js';
    response.setHeader('Content-Type', isWorker ? 'text/javascript' : 'text/html');
    response.end(isWorker ? WORKER : '<!doctype html><title>attack</title><body></body>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

const WORKER = `self.onmessage = ({ data, source }) => {
  const told = (what) => source.postMessage(what);
  Promise.all(data.map(({ target, mode }) => fetch(target, { mode }).then(
    async (answer) => (answer.type === 'opaque' ? 'opaque' : 'read ' + await answer.text()), () => 'failed'))).then(told);
};`;

/** Runs attacks in a page, each against each path; what the page could read comes back as `name: what`. */
async function attack(
  page: Pick<Page, 'evaluate'>,
  attacks: readonly Attack[],
  base: string,
  paths: readonly string[],
): Promise<string[]> {
  const tagged = attacks.flatMap(({ name, code }) => paths.map((path, i) => ({ name: `${name}-${i}`, code, path })));
  const steps = tagged.map(
    ({ name, code, path }) => `(() => { const TARGET = ${JSON.stringify(`${base}${path}?tag=${name}`)};
      const report = (what) => reports.push(${JSON.stringify(name)} + ': ' + what);
      try { ${code} } catch (error) { report('threw ' + error) } })();`,
  );
  await page.evaluate(`globalThis.reports = []; ${steps.join('\n')} 0`);
  return tagged.map(({ name }) => name);
}

async function reportsOf(page: Pick<Page, 'evaluate'>): Promise<string[]> {
  return (await page.evaluate('globalThis.reports')) as string[];
}

/** Waits until every tag has arrived from this page and been answered. */
async function expectArrived(scene: Scene, tags: readonly string[], since: number): Promise<void> {
  const missing = () => {
    const seen = scene.arrivals.slice(since).filter(({ status }) => status !== undefined);
    const arrived = new Set(seen.map(({ url }) => /[?&]tag=([\w-]+)/.exec(url)?.[1]));
    return tags.filter((tag) => !arrived.has(tag));
  };
  await expect.poll(missing).toEqual([]);
}

/** What was sent by others than our own page: of that a browser says so, which no page can write into a request itself. */
function foreignOf({ port, arrivals }: Scene, since: number): Arrival[] {
  const isOwn = ({ headers }: Arrival) =>
    headers['sec-fetch-site'] === 'same-origin' && headers.host === `127.0.0.1:${port}`;
  return arrivals.slice(since).filter((arrival) => !isOwn(arrival));
}

/** Nothing of it was let in, nothing was read, and nobody but the owner has moved anything. */
async function expectUnharmed(scene: Scene, reports: readonly string[], since: number): Promise<void> {
  const { svcd, remote, heard } = scene;
  const letIn = foreignOf(scene, since).filter(({ status = 0 }) => status !== 403);
  expect(letIn.map(({ method, url, status }) => `${method} ${url} ${status}`)).toEqual([]);
  expect(reports.filter((report) => / (read|loaded|threw)/.test(report))).toEqual([]);
  expect(heard).toEqual([]);
  expect(remote.sandbox.charges()).toEqual([]);
  expect(await listPurchases(svcd.get)).toEqual([]);
  expect(await (await svcd.get('/svcd/origins')).json()).toEqual({ origins: [] });
  expect(await (await svcd.get('/svcd/status')).json()).toMatchObject({ remote: { offline: false } });
  const { collections } = (await (await svcd.get('/svcd/collections')).json()) as {
    collections: { presets: string[] }[];
  };
  expect(collections.flatMap(({ presets }) => presets)).toEqual([]);
}

describeIf(CHROMIUM, 'a browser', () => {
  describe.each([
    ['as it is by default', false],
    ['that trusts callers on loopback', true],
  ])('against a daemon %s', (_what, trusting) => {
    it.each([
      ['another site', 'evil.example', '127.0.0.1'],
      ['another port of localhost', 'localhost', 'localhost'],
      ['localhost, by another name', 'localhost', '127.0.0.1'],
    ])('a page of %s gets nothing by any way there is', async (_name, from, to) => {
      const scene = await setScene(trusting);
      const page = await scene.browser.newPage();
      await page.goto(`http://${from}:${scene.attacker}/`);
      const base = `http://${to}:${scene.port}`;
      const reads = await attack(page, READS, base, READ_PATHS);
      await expectArrived(scene, reads, 0);
      const reports = await reportsOf(page);
      const writes = await attack(page, WRITES, base, WRITE_PATHS);
      await expectArrived(scene, writes, 0);
      // Something must have been reported, or nothing could have been told.
      expect(reports.length).toBeGreaterThan(READS.length);
      await expectUnharmed(scene, [...reports, ...(await reportsOf(page))], 0);
    });

    it('a name that was rebound to loopback gets nothing', async () => {
      const scene = await setScene(trusting);
      const page = await scene.browser.newPage();
      const base = `http://rebound.example:${scene.port}`;
      // The page came from the attacker's address; now the name leads to the daemon, and all is of one origin.
      const body = '<!doctype html><body></body>';
      await page.route(`${base}/page`, (route) => route.fulfill({ contentType: 'text/html', body }));
      await page.goto(`${base}/page`);
      const ways = [...READS.filter(({ name }) => !CROSS_ONLY.includes(name)), ...WRITES];
      const tags = await attack(page, ways, base, [...READ_PATHS, ...WRITE_PATHS]);
      await expectArrived(scene, tags, 0);
      expect(scene.arrivals.every(({ headers }) => headers.host === `rebound.example:${scene.port}`)).toBe(true);
      const reports = await reportsOf(page);
      // Being of one origin, the page may read the refusals; they hold nothing.
      const refused = reports.filter((report) => /: read .*"code":"forbidden_host"/.test(report));
      expect(refused.length).toBeGreaterThan(0);
      expect(refused.join('')).not.toMatch(/credit|svcd_|purchase|balance/i);
      const rest = reports.filter((report) => !refused.includes(report) && !/: (loaded|read )$/.test(report));
      await expectUnharmed(scene, rest, 0);
    });

    it('a sandboxed frame, whose origin is null, gets nothing', async () => {
      const scene = await setScene(trusting);
      const page = await scene.browser.newPage();
      await page.goto(`http://localhost:${scene.attacker}/`);
      await page.evaluate(`const frame = document.createElement('iframe'); frame.sandbox = 'allow-scripts allow-forms'; frame.srcdoc = '<body></body>';
      new Promise((resolve) => { frame.onload = resolve; document.body.append(frame) })`);
      const jail = page.frames()[1];
      if (jail === undefined) throw new Error('there is no frame');
      const ways = [...READS, ...WRITES].filter(({ name }) => FRAMED.includes(name));
      const tags = await attack(jail, ways, `http://127.0.0.1:${scene.port}`, [...READ_PATHS, ...WRITE_PATHS]);
      await expectArrived(scene, tags, 0);
      expect(scene.arrivals.some(({ headers }) => headers.origin === 'null')).toBe(true);
      await expectUnharmed(scene, await reportsOf(jail), 0);
    });

    it('navigation, by link, script or form, gets nothing', async () => {
      const scene = await setScene(trusting);
      const base = `http://127.0.0.1:${scene.port}`;
      const target = (tag: string) => JSON.stringify(`${base}${stickerPath(CAKE)}?tag=${tag}`);
      const ways: Record<string, string> = {
        location: `location.href = ${target('location')}; 0`,
        link: `const link = document.createElement('a'); link.href = ${target('link')}; document.body.append(link); link.click(); 0`,
        post: `const form = document.createElement('form'); form.method = 'post'; form.action = ${target('post')};
        document.body.append(form); form.submit(); 0`,
      };
      for (const [tag, code] of Object.entries(ways)) {
        const page = await scene.browser.newPage();
        await page.goto(`http://evil.example:${scene.attacker}/`);
        await page.evaluate(code);
        await expectArrived(scene, [tag], 0);
        await page.close();
      }
      const favicons = scene.arrivals.filter(({ url }) => url === '/favicon.ico').length;
      expect(scene.arrivals.length - favicons).toBe(3);
      await expectUnharmed({ ...scene, arrivals: scene.arrivals.filter(({ url }) => url !== '/favicon.ico') }, [], 0);
    });

    it('a service worker gets nothing', async () => {
      const scene = await setScene(trusting);
      const page = await scene.browser.newPage();
      await page.goto(`http://localhost:${scene.attacker}/`);
      const tags = ['cors', 'no-cors'].flatMap((mode) =>
        READ_PATHS.map((path, i) => ({ mode, path, tag: `${mode}-${i}` })),
      );
      const orders = tags.map(({ mode, path, tag }) => ({
        mode,
        target: `http://127.0.0.1:${scene.port}${path}?tag=${tag}`,
      }));
      const reports = (await page.evaluate(`navigator.serviceWorker.register('/worker.js')
      .then(() => navigator.serviceWorker.ready)
      .then(({ active }) => new Promise((resolve) => {
        navigator.serviceWorker.onmessage = ({ data }) => resolve(data);
        active.postMessage(${JSON.stringify(orders)});
      }))`)) as string[];
      await expectArrived(
        scene,
        tags.map(({ tag }) => tag),
        0,
      );
      expect(reports).toHaveLength(tags.length);
      await expectUnharmed(
        scene,
        reports.map((report) => `worker: ${report}`),
        0,
      );
    });

    it.each([
      ['another site', 'evil.example', false],
      ['another port of this machine, which browsers send our cookies to', '127.0.0.1', true],
    ])('a page of %s cannot ride on a session of our own pages', async (_name, from, getsCookie) => {
      const scene = await setScene(trusting);
      const { svcd, remote, arrivals, heard } = scene;
      const context = await scene.browser.newContext();
      const own = await context.newPage();
      // Its scripts ask for things by themselves: without them, what the remote hears is the attacker's doing.
      await own.route('**/*.js', (route) => route.abort());
      const { url } = (await (await svcd.post('/svcd/session-code', {})).json()) as { url: string };
      await own.goto(url);
      const [, secret = ''] = own.url().split('#session=');
      expect(await own.evaluate(`document.cookie`)).toBe('');
      // The session is a real one, and there is something to ride on; the cookie alone is not enough of it.
      const usage = (headers: object) =>
        own.evaluate(`fetch('/api/v1/usage', ${JSON.stringify({ headers })}).then(({ status }) => status)`);
      expect(await usage({ 'X-Svcd-Session': secret })).toBe(200);
      expect(await usage({})).toBe(401);
      heard.length = 0;
      const since = arrivals.length;

      const page = await context.newPage();
      const origin = `http://${from}:${scene.attacker}`;
      await page.goto(origin);
      const reads = await attack(page, READS, svcd.url, READ_PATHS);
      await expectArrived(scene, reads, since);
      const reports = await reportsOf(page);
      const writes = await attack(page, WRITES, svcd.url, WRITE_PATHS);
      await expectArrived(scene, writes, since);
      const cookies = foreignOf(scene, since).filter(({ headers }) => headers.cookie !== undefined);
      expect(cookies.length > 0).toBe(getsCookie);
      await expectUnharmed(scene, [...reports, ...(await reportsOf(page))], since);

      // On the list it may ask, but still not as if it were ours.
      const headers = { Authorization: `Bearer ${svcd.token}` };
      await svcd.call(`/svcd/origins/${encodeURIComponent(origin)}`, { method: 'PUT', headers });
      const listed = arrivals.length;
      for (const path of READ_PATHS) {
        const target = JSON.stringify(`${svcd.url}${path}?tag=listed`);
        await page.evaluate(`fetch(${target}, { credentials: 'include' }).catch(() => 0).then(() => 0)`);
      }
      expect(foreignOf(scene, listed).map(({ status }) => status)).toEqual([200, 401, 401, 401, 401, 401]);
      expect([heard, remote.sandbox.charges()]).toEqual([[], []]);
    });

    it('the same page works once its origin is listed, and spends with the token only', async () => {
      const scene = await setScene(trusting);
      const { svcd, remote, heard } = scene;
      const page = await scene.browser.newPage();
      const origin = `http://evil.example:${scene.attacker}`;
      await page.goto(origin);
      const listed = `/svcd/origins/${encodeURIComponent(origin)}`;
      const headers = { Authorization: `Bearer ${svcd.token}` };
      const ask = async (path: string, options = {}): Promise<Seen> =>
        (await page.evaluate(`fetch(${JSON.stringify(svcd.url + path)}, ${JSON.stringify(options)}).then(
        async (answer) => ({ status: answer.status, text: await answer.text(), headers: Object.fromEntries(answer.headers) }),
        () => 'failed')`)) as Seen;
      const search = '/api/v1/stickers/search?q=cake';
      expect(await ask(search)).toBe('failed');

      expect((await svcd.call(listed, { method: 'PUT', headers })).status).toBe(200);
      expect(await ask(search)).toMatchObject({ status: 200 });
      const match = {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"text":"cake"}',
      };
      expect(await ask('/api/v1/stickers/match', match)).toMatchObject({ status: 200 });

      const tokenless = await ask(stickerPath(CAKE));
      expect(tokenless).toMatchObject({ headers: { 'x-svcd-source': 'default', 'x-svcd-reason': 'no_key' } });
      for (const path of ['/api/v1/usage', '/api/v1/me', '/svcd/purchases', '/svcd/spending', '/svcd/origins']) {
        expect(await ask(path)).toMatchObject({ status: 401 });
      }
      // A library that is not complete asks for those whom it answers; that is free.
      const free = ['GET /api/v1/stickers/search', 'POST /api/v1/stickers/match'];
      expect(heard.filter((call) => !free.includes(call))).toEqual([]);
      expect(remote.sandbox.charges()).toEqual([]);

      const bought = await ask(stickerPath(CAKE), { headers });
      const balance = `${CREDITS - 1}`;
      expect(bought).toMatchObject({
        headers: { 'x-svcd-source': 'remote', 'x-svcd-cost': '1', 'x-service-credits-remaining': balance },
      });
      expect(remote.sandbox.charges()).toHaveLength(1);
      // Now that a balance is known, it is still told to nobody without the token.
      const after = await ask(search);
      expect(after).toMatchObject({ status: 200 });
      expect((after as Exclude<Seen, string>).headers).not.toHaveProperty('x-service-credits-remaining');

      expect((await svcd.call(listed, { method: 'DELETE', headers })).status).toBe(200);
      expect(await ask(search)).toBe('failed');
      // What it had before is in the browser's own cache; anew it gets nothing.
      expect(await ask(stickerPath(CAKE), { headers, cache: 'no-store' })).toBe('failed');
    });
  });
});

describeIf(CHROMIUM, 'our own page, signed in,', () => {
  it('buys by no address that a browser reads by itself, and buys by POST', async () => {
    const { svcd, remote, browser, arrivals } = await setScene(false);
    const page = await browser.newPage();
    const signIn = async () =>
      page.goto(((await (await svcd.post('/svcd/session-code', {})).json()) as { url: string }).url);
    const sticker = svcd.url + stickerPath(CAKE);
    const ways: Record<string, (target: string) => Promise<unknown>> = {
      typed: (target) => page.goto(target),
      // It leaves the page: the next way must not begin before it has arrived.
      link: async (target) => {
        const click = `const a = document.createElement('a'); a.href = '${target}'; document.body.append(a); a.click(); 0`;
        await Promise.all([page.waitForNavigation(), page.evaluate(click)]);
      },
      image: (target) => page.evaluate(`new Image().src = '${target}'`),
      prefetch: (target) =>
        page.evaluate(
          `const b = document.createElement('link'); b.rel = 'prefetch'; b.href = '${target}'; document.head.append(b); 0`,
        ),
      fetch: (target) => page.evaluate(`fetch('${target}').then(() => 0)`),
      head: (target) => page.evaluate(`fetch('${target}', { method: 'HEAD' }).then(() => 0)`),
    };
    await signIn();
    for (const [tag, way] of Object.entries(ways)) {
      await page.goto(`${svcd.url}/`);
      await way(`${sticker}?tag=${tag}`);
      const find = () => arrivals.find((one) => one.url.endsWith(`=${tag}`) && one.status !== undefined);
      await expect.poll(find, { message: tag }).toBeDefined();
      expect([find()?.headers.cookie === undefined, find()?.status], tag).toEqual([
        false,
        tag === 'prefetch' ? 403 : 200,
      ]);
    }
    expect(remote.sandbox.charges()).toEqual([]);
    await signIn();
    const order = `{ method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Svcd-Session': sessionStorage.getItem('svcd.session').split(' ')[1] }, body: '{"prompt":"a cat","size":"1024x1024"}' }`;
    const shown =
      await page.evaluate(`fetch('/api/v1/images', ${order}).then((answer) => answer.json()).then(({ url }) =>
      new Promise((resolve) => { const image = new Image(); image.onload = () => resolve(image.naturalWidth); image.src = url }))`);
    expect(shown).toBe(1024);
    expect(remote.sandbox.charges()).toHaveLength(1);
  });
});

type Seen = 'failed' | { status: number; text: string; headers: Record<string, string> };

// Of one origin with its target, a page has no need of these, and some are answered by the browser itself.
const CROSS_ONLY = ['open', 'iframe', 'object', 'embed', 'meta-refresh', 'form-get'];
