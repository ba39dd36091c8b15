// A real browser and the pictures of image answers: a page of a listed origin shows them by plain tags and styles and
// spends nothing by it; every other page gets nothing, and cannot even learn whether a picture is there.

import { createServer } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { CAKE } from '../sandbox/tiny-catalogue.js';
import { launchChromium } from '../support/launch-chromium.js';
import { CHROMIUM, describeIf } from '../support/requires.js';
import { startPair, type Pair } from '../support/start-pair.js';
import { watchArrivals, type Arrival } from './arrivals.js';
import { portOf } from '../support/in-test.js';

interface Scene extends Pair {
  readonly browser: Browser;
  readonly arrivals: readonly Arrival[];
  /** Address of an owned picture, and of one that is not there. */
  readonly picture: string;
  readonly guessed: string;
  /** Credits spent before the pages come. */
  readonly spent: number;
  /** Port of a server of pages under any name; `/to?ADDRESS` redirects. */
  readonly pages: number;
}

async function setScene(): Promise<Scene> {
  const pair = await startPair();
  const { svcd, remote } = pair;
  const bought = await svcd.post('/api/v1/images', { prompt: 'a cat', size: '1024x1024' });
  const { url: picture } = (await bought.json()) as { url: string };
  expect(picture).toMatch(/\/svcd\/images\/[0-9a-f]{32}\.png$/);
  const browser = await launchChromium(
    '--host-resolver-rules=MAP *.example 127.0.0.1',
    '--disable-features=LocalNetworkAccessChecks,LocalNetworkAccessChecksWebSockets,BlockInsecurePrivateNetworkRequests',
  );
  return {
    ...pair,
    browser,
    arrivals: watchArrivals(Number(new URL(svcd.url).port)),
    picture,
    guessed: picture.replace(/[0-9a-f]{32}/, '0123456789abcdef'.repeat(2)),
    spent: remote.sandbox.charges().length,
    pages: await startPages(),
  };
}

const WORKER = `self.addEventListener('activate', (event) => event.waitUntil(clients.claim()));
self.addEventListener('fetch', (event) => { if (event.request.destination === 'image') event.respondWith(
  event.request.url.includes('again') ? fetch(event.request.url, { mode: 'no-cors' }) : fetch(event.request)) });`;

/** A server of pages, of redirects, of a style sheet that names a picture, and of a service worker. */
async function startPages(): Promise<number> {
  const server = createServer(({ url = '' }, response) => {
    const [path, query = ''] = url.split('?');
    const address = decodeURIComponent(query);
    if (path === '/to') return response.writeHead(302, { Location: address }).end();
    const [type, body] =
      path === '/worker.js'
        ? ['text/javascript', WORKER]
        : path === '/style.css'
          ? ['text/css', `body { background: url("${address}") }`]
          : ['text/html', '<!doctype html><title>a page</title><body></body>'];
    return response.writeHead(200, { 'Content-Type': type }).end(body);
  });
  return portOf(server);
}

async function list({ svcd }: Scene, origin: string, method = 'PUT'): Promise<void> {
  const headers = { Authorization: `Bearer ${svcd.token}` };
  const path = `/svcd/origins/${encodeURIComponent(origin)}`;
  expect((await svcd.call(path, { method, headers })).status).toBe(200);
}

async function openPage({ browser, pages }: Scene, host: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(`http://${host}:${pages}/`);
  return page;
}

/** The width of a picture as a page sees it; 0 when it did not come. */
async function widthOf(page: Pick<Page, 'evaluate'>, src: string, more = ''): Promise<number> {
  return (await page.evaluate(`new Promise((resolve) => {
    const image = new Image(); image.onload = () => resolve(image.naturalWidth); image.onerror = () => resolve(0);
    ${more}; image.src = ${JSON.stringify(src)}; document.body.append(image) })`)) as number;
}

/** Runs code in a page and waits for what it makes arrive; the statuses. */
async function arriveBy(scene: Scene, page: Pick<Page, 'evaluate'>, code: string, count = 1): Promise<number[]> {
  const since = scene.arrivals.length;
  await page.evaluate(`${code}; 0`);
  const answered = () => scene.arrivals.slice(since).filter(({ status }) => status !== undefined);
  await expect.poll(() => answered().length).toBeGreaterThanOrEqual(count);
  return answered().map(({ status = 0 }) => status);
}

function expectNothingSpent({ remote, spent }: Scene): void {
  expect(remote.sandbox.charges()).toHaveLength(spent);
}

describeIf(CHROMIUM, 'a browser', () => {
  it('shows a picture on a page of a listed origin, by tag, style and worker, and fetches a sticker', async () => {
    const scene = await setScene();
    const { svcd, picture, arrivals } = scene;
    const page = await openPage(scene, 'localhost');
    await list(scene, `http://localhost:${scene.pages}`);
    expect(await widthOf(page, picture)).toBe(1024);
    expect(await widthOf(page, `${picture}?v=2`)).toBe(1024);
    expect(await widthOf(page, `${picture}?v=3`, `image.crossOrigin = 'anonymous'`)).toBe(1024);
    expect(await widthOf(page, `${picture}?v=4`, `image.referrerPolicy = 'origin'`)).toBe(1024);
    const style = `const box = document.createElement('div'); box.textContent = 'x';
      box.style.background = 'url("${picture}?v=5")'; document.body.append(box)`;
    expect(await arriveBy(scene, page, style)).toEqual([200]);
    const sheet = `const link = document.createElement('link'); link.rel = 'stylesheet';
      link.href = '/style.css?${encodeURIComponent(`${picture}?v=6`)}'; document.head.append(link)`;
    expect(await arriveBy(scene, page, sheet)).toEqual([200]);

    await page.evaluate(`navigator.serviceWorker.register('/worker.js').then(() => new Promise((resolve) =>
      navigator.serviceWorker.controller ? resolve(0) : navigator.serviceWorker.addEventListener('controllerchange', () => resolve(0))))`);
    expect(await widthOf(page, `${picture}?v=7`)).toBe(1024);
    expect(await widthOf(page, `${picture}?again`)).toBe(1024);
    // The same picture again is asked for again, so that the list decides each time.
    const since = arrivals.length;
    await page.reload();
    expect(await widthOf(page, picture)).toBe(1024);
    expect(arrivals.slice(since).map(({ status }) => status)).toEqual([304]);

    const sticker = await page.evaluate(`fetch(${JSON.stringify(svcd.url + stickerPath(CAKE))}).then(async (answer) =>
      [answer.status, answer.headers.get('x-svcd-reason'), 'layers' in await answer.json()])`);
    expect(sticker).toEqual([200, 'no_key', true]);
    expectNothingSpent(scene);
    await list(scene, `http://localhost:${scene.pages}`, 'DELETE');
    await page.reload();
    expect(await widthOf(page, picture)).toBe(0);
  });

  it('shows the default picture on a listed page too, at an address of its own', async () => {
    const scene = await setScene();
    await list(scene, `http://localhost:${scene.pages}`);
    await scene.remote.stop();
    const answer = await scene.svcd.post('/api/v1/images', { prompt: 'a dog', size: '1024x1536' });
    const { url } = (await answer.json()) as { url: string };
    expect(answer.headers.get('x-svcd-source')).toBe('default');
    expect(await widthOf(await openPage(scene, 'localhost'), url)).toBe(1024);
  });

  it.each([
    ['another site', 'evil.example'],
    ['another port of this machine', '127.0.0.1'],
  ])('shows nothing on a page of %s that is not listed, and tells no difference', async (_what, host) => {
    const scene = await setScene();
    const { picture, guessed, arrivals } = scene;
    await list(scene, `http://localhost:${scene.pages}`);
    // A listed page of the same browser has loaded it: what that left in the cache must not tell either.
    expect(await widthOf(await openPage(scene, 'localhost'), picture)).toBe(1024);
    const page = await openPage(scene, host);
    const listed = `http://localhost:${scene.pages}`;
    const ways = [
      '',
      `image.crossOrigin = 'anonymous'`,
      `image.crossOrigin = 'use-credentials'`,
      `image.referrerPolicy = 'unsafe-url'`,
      `image.referrerPolicy = 'no-referrer'`,
      `history.replaceState(0, '', '/?${listed}/')`,
    ];
    const since = arrivals.length;
    for (const way of ways) {
      expect([await widthOf(page, picture, way), await widthOf(page, guessed, way)], way).toEqual([0, 0]);
    }
    const through = (address: string) => `${listed}/to?${encodeURIComponent(address)}`;
    expect([await widthOf(page, through(picture)), await widthOf(page, through(guessed))]).toEqual([0, 0]);
    // What arrived was refused in the same words, whichever it was.
    expect(arrivals.slice(since).map(({ status }) => status)).toEqual(Array(14).fill(403));
    const told =
      (await page.evaluate(`Promise.all([${JSON.stringify(picture)}, ${JSON.stringify(guessed)}].map((target) =>
      fetch(target, { mode: 'no-cors' }).then(() => 'came', () => 'failed')))`)) as string[];
    expect(told[0]).toBe(told[1]);
    expectNothingSpent(scene);
  });

  it('cannot be told another page as the one that asks', async () => {
    const scene = await setScene();
    const listed = `http://localhost:${scene.pages}`;
    await list(scene, listed);
    const page = await openPage(scene, 'evil.example');
    const target = JSON.stringify(scene.picture);
    const tag = `<img src=${target}>`;
    const ways: Record<string, string> = {
      referrer: `fetch(${target}, { mode: 'no-cors', referrer: '${listed}/' }).catch(() => fetch(${target}, { mode: 'no-cors' })).catch(() => 0)`,
      header: `fetch(${target}, { mode: 'no-cors', headers: { Referer: '${listed}/' } }).catch(() => 0)`,
      srcdoc: `const a = document.createElement('iframe'); a.srcdoc = ${JSON.stringify(tag)}; document.body.append(a)`,
      jail: `const b = document.createElement('iframe'); b.sandbox = 'allow-scripts'; b.srcdoc = ${JSON.stringify(tag)}; document.body.append(b)`,
      data: `const c = document.createElement('iframe'); c.src = 'data:text/html,' + encodeURIComponent(${JSON.stringify(tag)}); document.body.append(c)`,
      blob: `const d = document.createElement('iframe'); d.src = URL.createObjectURL(new Blob([${JSON.stringify(tag)}], { type: 'text/html' })); document.body.append(d)`,
      blank: `const e = document.createElement('iframe'); document.body.append(e); e.contentDocument.write(${JSON.stringify(tag)})`,
    };
    for (const [name, code] of Object.entries(ways)) {
      expect(new Set(await arriveBy(scene, page, code)), name).toEqual(new Set([403]));
    }
    // A frame of the listed page does not lend its name to the page around it.
    const around = `const f = document.createElement('iframe'); f.src = '${listed}/'; f.onload = () => {
      try { f.contentWindow.fetch(${target}) } catch { fetch(${target}, { mode: 'no-cors' }).catch(() => 0) } }; document.body.append(f)`;
    expect(await arriveBy(scene, page, around)).toEqual([403]);
    expectNothingSpent(scene);
  });

  it('gets from a listed origin no more than pictures whose address it was given', async () => {
    const scene = await setScene();
    const { svcd, picture, guessed } = scene;
    await list(scene, `http://localhost:${scene.pages}`);
    const page = await openPage(scene, 'localhost');
    const sticker = JSON.stringify(svcd.url + stickerPath(CAKE));
    const target = JSON.stringify(picture);
    const ways: [string, string, number][] = [
      ['a guessed address', `new Image().src = ${JSON.stringify(guessed)}`, 404],
      ['no referrer', `const a = new Image(); a.referrerPolicy = 'no-referrer'; a.src = ${target}`, 403],
      ['a sticker as picture', `new Image().src = ${sticker}`, 403],
      [
        'a sticker ahead of time',
        `const b = document.createElement('link'); b.rel = 'prefetch'; b.href = ${sticker}; document.head.append(b)`,
        403,
      ],
      [
        'a sticker ahead of time, by CORS',
        `const c = document.createElement('link'); c.rel = 'prefetch'; c.crossOrigin = 'anonymous'; c.href = ${sticker}; document.head.append(c)`,
        403,
      ],
      ['HEAD', `fetch(${target}, { mode: 'no-cors', method: 'HEAD' }).catch(() => 0)`, 403],
      ['POST', `fetch(${target}, { mode: 'no-cors', method: 'POST', body: 'x' }).catch(() => 0)`, 403],
      ['a script', `const d = document.createElement('script'); d.src = ${target}; document.head.append(d)`, 403],
      ['a frame', `const e = document.createElement('iframe'); e.src = ${target}; document.body.append(e)`, 403],
      [
        'a frame without origin',
        `const f = document.createElement('iframe'); f.sandbox = 'allow-scripts';
         f.srcdoc = '<script>fetch(' + ${JSON.stringify(target)} + ').catch(() => 0)</' + 'script>'; document.body.append(f)`,
        403,
      ],
      [
        'a form',
        `const g = document.createElement('iframe'); g.name = 'g'; document.body.append(g); const h = document.createElement('form');
         Object.assign(h, { method: 'post', action: ${target}, target: 'g' }); document.body.append(h); h.submit()`,
        403,
      ],
      ['a part', `fetch(${target}, { headers: { Range: 'bytes=0-9' } }).catch(() => 0)`, 206],
    ];
    for (const [name, code, status] of ways) {
      const statuses = await arriveBy(scene, page, `{ ${code} }`);
      expect(new Set(statuses.filter((one) => one !== 204)), name).toEqual(new Set([status]));
    }
    // The name of another origin that leads here, as a rebound one does.
    const rebound = picture.replace('127.0.0.1', 'rebound.example');
    expect(await arriveBy(scene, page, `new Image().src = ${JSON.stringify(rebound)}`)).toEqual([403]);
    // A redirect of a page that is not listed keeps the name of the page that asked.
    const detour = `http://evil.example:${scene.pages}/to?${encodeURIComponent(picture)}`;
    expect(await widthOf(page, detour)).toBe(1024);
    expectNothingSpent(scene);
  });
});

describeIf(CHROMIUM, 'a page without an origin', () => {
  const CONTENT = '<!doctype html><body></body>';

  it('such as a local file or set content is refused, and told what works', async () => {
    const scene = await setScene();
    const { browser, picture, svcd } = scene;
    const folder = mkdtempSync(join(tmpdir(), 'svcd-page-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'page.html'), CONTENT);
    const file = await browser.newPage();
    await file.goto(pathToFileURL(join(folder, 'page.html')).href);
    const set = await browser.newPage();
    await set.setContent(CONTENT);
    for (const page of [file, set]) {
      const search = `fetch(${JSON.stringify(`${svcd.url}/api/v1/stickers/search?q=a`)}).catch(() => 0)`;
      expect(await arriveBy(scene, page, search)).toEqual([403]);
      expect(await widthOf(page, picture)).toBe(0);
      expect(await widthOf(page, picture, `image.crossOrigin = 'anonymous'`)).toBe(0);
    }
    expectNothingSpent(scene);
  });

  // What the README recommends.
  it('is given what it needs by the program that renders it', async () => {
    const { browser, picture, svcd } = await setScene();
    const bytes = Buffer.from(await (await fetch(picture)).arrayBuffer());
    const lottie = await (await svcd.get(stickerPath(CAKE))).json();
    const page = await browser.newPage();
    await page.setContent(`<!doctype html><body><img src="data:image/png;base64,${bytes.toString('base64')}"></body>`);
    expect(await page.evaluate(`document.images[0].decode().then(() => document.images[0].naturalWidth)`)).toBe(1024);
    const pass = `(${JSON.stringify(lottie)}).layers.length`;
    expect(await page.evaluate(pass)).toBeGreaterThan(0);
  });

  it('is better served from a port of this machine that is listed, and its content then set', async () => {
    const scene = await setScene();
    await list(scene, `http://localhost:${scene.pages}`);
    const page = await openPage(scene, 'localhost');
    await page.setContent(`<!doctype html><body><img src="${scene.picture}"></body>`);
    expect(await page.evaluate(`document.images[0].decode().then(() => document.images[0].naturalWidth)`)).toBe(1024);
  });
});
