// What every answer carries, good ones and refusals, whoever wrote them; and what pages of a listed origin may read.

import { describe, expect, it } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { CAKE } from '../sandbox/tiny-catalogue.js';
import { launchChromium } from '../support/launch-chromium.js';
import { CHROMIUM, itIf } from '../support/requires.js';
import { exchangeRaw, head, parseAnswer, type RawAnswer } from '../support/raw-socket.js';
import { startTestDaemon } from '../support/start-daemon.js';
import { startPair, type Pair, type PairOptions } from '../support/start-pair.js';

const LISTED = 'http://localhost:3000';

async function startListed(options: PairOptions = {}): Promise<Pair & { port: number }> {
  const pair = await startPair(options);
  await pair.svcd.send('PUT', `/svcd/origins/${encodeURIComponent(LISTED)}`);
  return { ...pair, port: Number(new URL(pair.svcd.url).port) };
}

async function ask(
  { svcd, port }: { svcd: Pair['svcd']; port: number },
  line: string,
  ...more: string[]
): Promise<RawAnswer> {
  const own = [`Host: 127.0.0.1:${port}`, `Authorization: Bearer ${svcd.token}`, 'Connection: close'];
  return parseAnswer(await exchangeRaw(port, head(`${line} HTTP/1.1`, ...own, ...more)));
}

const ANYTHING: readonly (readonly [status: number, line: string, headers: readonly string[]])[] = [
  [200, 'GET /', []],
  [200, 'GET /', ['Accept: text/html']],
  [200, 'HEAD /svcd/status', []],
  [200, 'GET /api/v1/stickers/search?q=a', []],
  [200, `GET ${stickerPath(CAKE)}`, []],
  [206, `GET ${stickerPath(CAKE)}`, ['Range: bytes=0-3']],
  [304, `GET ${stickerPath(CAKE)}`, ['If-None-Match: *']],
  [416, `GET ${stickerPath(CAKE)}`, ['Range: bytes=9999999-']],
  [200, 'GET /api/v1/usage', []],
  [400, 'GET /api/v1/stickers/search', []],
  [400, 'OPTIONS *', []],
  [403, 'GET /', ['Host: again']],
  [403, 'GET /', ['Sec-Fetch-Mode: no-cors']],
  [404, 'GET /nowhere', []],
  [404, 'GET /api/v1/nowhere', []],
  [405, 'DELETE /svcd/status', []],
  [405, 'OPTIONS /svcd/status', []],
  [413, 'POST /api/v1/images', ['Content-Type: application/json', 'Content-Length: 20000']],
  [415, 'POST /api/v1/images', ['Content-Type: text/plain', 'Content-Length: 0']],
  [400, 'CONNECT x:1', []],
  [431, 'GET /', [`A: ${'b'.repeat(20_000)}`]],
];

describe('every answer', () => {
  it('forbids sniffing, frames, use by other sites, referrers and scripts, and varies by Origin', async () => {
    const pair = await startListed();
    // So that it is owned, and has a tag and a length.
    await pair.svcd.get(stickerPath(CAKE));
    for (const [status, line, headers] of ANYTHING) {
      const answer = await ask(pair, line, ...headers);
      const what = `${line} ${headers.join()}`;
      expect(answer.status, what).toBe(status);
      expect(answer.headers.get('x-content-type-options'), what).toBe('nosniff');
      expect(answer.headers.get('x-frame-options'), what).toBe('DENY');
      expect(answer.headers.get('cross-origin-resource-policy'), what).toBe('same-origin');
      expect(answer.headers.get('referrer-policy'), what).toBe('no-referrer');
      expect(answer.headers.get('content-security-policy'), what).toMatch(
        /^default-src 'none'; .*frame-ancestors 'none'/,
      );
      expect(answer.headers.get('vary'), what).toMatch(/(^|, )Origin$/);
      expect(answer.headers.has('access-control-allow-origin'), what).toBe(false);
    }
  });

  it('to a listed page may be read by it, errors included, and never lets cookies in', async () => {
    const pair = await startListed();
    await pair.svcd.get(stickerPath(CAKE));
    const inTheApp = ANYTHING.filter(
      ([status, line]) => status !== 403 && status !== 431 && !line.startsWith('CONNECT'),
    );
    for (const [status, line, headers] of inTheApp) {
      const answer = await ask(pair, line, `Origin: ${LISTED}`, ...headers);
      expect([answer.status, answer.headers.get('access-control-allow-origin')], line).toEqual([status, LISTED]);
      expect(answer.headers.get('access-control-expose-headers')).toContain('X-Service-Credits-Remaining');
      expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
    }
  });

  it('keeps what else it varies by', async () => {
    const pair = await startListed({ remote: { faults: () => ({ replace: () => new Response(LOTTIE) }) } });
    const answer = await ask(pair, `GET ${stickerPath(CAKE)}`, 'Accept-Encoding: br');
    expect(answer.headers.get('vary')).toBe('Accept-Encoding, Origin');
  });
});

describe('X-Svcd-Remote', () => {
  it('names the sandbox on every answer while that is the remote, refusals by every hand included', async () => {
    const svcd = await startTestDaemon({ flags: { sandbox: true } });
    const port = Number(new URL(svcd.url).port);
    const there = stickerPath('fluent-emoji-flat/birthday-cake');
    await svcd.get(there);
    for (const [status, line, headers] of ANYTHING) {
      const answer = await ask({ svcd, port }, line.replace(stickerPath(CAKE), there), ...headers);
      expect([answer.status, answer.headers.get('x-svcd-remote')], line).toEqual([status, 'sandbox']);
    }
  });

  it('is not there with any other remote, and pages may read it', async () => {
    const pair = await startListed();
    const answer = await ask(pair, `GET ${stickerPath(CAKE)}`, `Origin: ${LISTED}`);
    expect(answer.headers.has('x-svcd-remote')).toBe(false);
    expect(answer.headers.get('access-control-expose-headers')).toContain('X-Svcd-Remote');
  });
});

const layer = { ty: 4, ip: 0, op: 60, st: 0, ks: {}, shapes: [] };
const LOTTIE = JSON.stringify({
  v: '5.9.0',
  fr: 30,
  ip: 0,
  op: 60,
  w: 9,
  h: 9,
  layers: Array.from({ length: 99 }, () => layer),
});

describe('a preflight', () => {
  it('of a listed page is told the methods and headers, before any token', async () => {
    const { port } = await startListed();
    const lines = [
      `Host: 127.0.0.1:${port}`,
      `Origin: ${LISTED}`,
      'Access-Control-Request-Method: PUT',
      'Connection: close',
    ];
    const asked = [
      ...lines,
      'Access-Control-Request-Headers: authorization',
      'Access-Control-Request-Private-Network: true',
    ];
    const answer = parseAnswer(await exchangeRaw(port, head('OPTIONS /svcd/budget HTTP/1.1', ...asked)));
    expect([answer.status, answer.body]).toEqual([204, '']);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': LISTED,
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-max-age': '600',
      'access-control-allow-private-network': 'true',
    });
    for (const name of ['Authorization', 'Content-Type', 'X-Svcd-Deadline-Ms', 'If-None-Match', 'Range']) {
      expect(answer.headers.get('access-control-allow-headers')).toContain(name);
    }
    const plain = parseAnswer(await exchangeRaw(port, head('OPTIONS /svcd/budget HTTP/1.1', ...lines)));
    expect(plain.headers.has('access-control-allow-private-network')).toBe(false);
  });

  it('of any other page is told nothing', async () => {
    const { port } = await startListed();
    const lines = [`Host: 127.0.0.1:${port}`, 'Origin: https://evil.example', 'Access-Control-Request-Method: GET'];
    const asked = [...lines, 'Access-Control-Request-Private-Network: true', 'Connection: close'];
    const answer = parseAnswer(await exchangeRaw(port, head('OPTIONS /api/v1/me HTTP/1.1', ...asked)));
    expect(answer.status).toBe(403);
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('what a remote sends as a page', () => {
  itIf(CHROMIUM, 'is shown as it is and runs nothing, though it comes from our address', async () => {
    const html =
      '<!doctype html><title>quiet</title><script>document.title = "loud"</script><script src="/svcd/files/a.js"></script>';
    const replace = () => new Response(html, { headers: { 'content-type': 'text/html' } });
    const { svcd, remote } = await startPair({
      remote: { faults: ({ path }) => ({ replace: path === '/api/v1/naming' ? naming : replace }) },
    });
    const naming = () => Response.json({ page: `${remote.url}/page.html` });
    await svcd.get('/api/v1/naming');
    const browser = await launchChromium();
    const page = await browser.newPage();
    await page.goto(`${svcd.url}/svcd/files/page.html`);
    expect(await page.title()).toBe('quiet');
    expect(await page.evaluate('origin')).toBe('null');
  });
});

describe('the page at /', () => {
  itIf(CHROMIUM, 'opens in a browser, also by a link from elsewhere, and says where to go', async () => {
    const { svcd } = await startPair();
    const browser = await launchChromium();
    const page = await browser.newPage();
    const troubles: string[] = [];
    page.on('console', (message) => void troubles.push(message.text()));
    await page.goto('data:text/html,<a>elsewhere</a>');
    await page.evaluate(`location.href = ${JSON.stringify(svcd.url)}; 0`);
    await page.waitForURL(`${svcd.url}/`);
    expect(await page.title()).toBe('svcd');
    expect(troubles).toEqual([]);
  });
});
