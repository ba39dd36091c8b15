// Pages of a command that runs: let in with its lease and gone with it, by a wildcard only with the token of the run; and what is
// refused is counted for the owner.

import { expect, it } from 'vitest';
import { createRefusedPages } from '../../src/http/refused-pages.js';
import { PICTURES } from '../../src/upstream/relay-address.js';
import { silentLog } from '../../src/platform/log.js';
import { exchangeRaw, head, parseAnswer } from '../support/raw-socket.js';
import { startTestDaemon, type StartedDaemon } from '../support/start-daemon.js';

const PAGE = 'http://localhost:5173';
type Asked = Omit<RequestInit, 'headers'> & { readonly headers?: Record<string, string> };

const page = (svcd: StartedDaemon, origin: string, init: Asked = {}) => {
  const headers = { Origin: origin, 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Site': 'cross-site', ...init.headers };
  return svcd.call('/svcd/status', { ...init, headers });
};
const preflight = (svcd: StartedDaemon, origin: string) =>
  page(svcd, origin, { method: 'OPTIONS', headers: { 'Access-Control-Request-Method': 'GET' } });

async function lease(svcd: StartedDaemon, origins: readonly string[]) {
  const over = new AbortController();
  const answer = await svcd.post('/svcd/tokens/lease', { origins }, {}, over.signal);
  if (answer.status !== 200) return { status: answer.status, token: '', end: () => undefined };
  const { value } = await answer.body!.getReader().read();
  const { token } = JSON.parse(new TextDecoder().decode(value).split('\n', 1)[0] ?? '') as { token: string };
  return { status: 200, token, end: () => over.abort() };
}

it('come in while the command has its token, and not after', async () => {
  const svcd = await startTestDaemon();
  expect((await page(svcd, PAGE)).status).toBe(403);
  const { end } = await lease(svcd, [PAGE]);
  const answer = await page(svcd, PAGE);
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, PAGE]);
  expect((await page(svcd, 'http://localhost:5174')).status).toBe(403);
  end();
  await expect.poll(async () => (await page(svcd, PAGE)).status).toBe(403);
  expect(await (await svcd.get('/svcd/origins')).json()).toEqual({ origins: [] });
});

it('show pictures by a tag, which names its page in Referer alone', async () => {
  const svcd = await startTestDaemon();
  const { host, port } = new URL(svcd.url);
  // By hand, for fetch sets these headers itself.
  const picture = async (from: string) =>
    parseAnswer(
      await exchangeRaw(
        Number(port),
        head(
          `GET ${PICTURES}/${'0'.repeat(32)}.png HTTP/1.1`,
          `Host: ${host}`,
          `Referer: ${from}/`,
          'Sec-Fetch-Mode: no-cors',
          'Sec-Fetch-Site: cross-site',
          'Sec-Fetch-Dest: image',
          'Connection: close',
        ),
      ),
    );
  expect((await picture(PAGE)).status).toBe(403);
  const { end } = await lease(svcd, [PAGE]);
  // The gate lets it in; there is no such picture.
  expect((await picture(PAGE)).status).toBe(404);
  expect((await picture('http://localhost:5174')).status).toBe(403);
  end();
});

it('come in by a wildcard with the token of the run alone', async () => {
  const svcd = await startTestDaemon();
  const { token, end } = await lease(svcd, ['http://localhost:*']);
  expect((await preflight(svcd, PAGE)).status).toBe(204);
  expect((await page(svcd, PAGE)).status).toBe(403);
  expect((await page(svcd, PAGE, { headers: { Authorization: `Bearer ${svcd.token}` } })).status).toBe(403);
  expect((await page(svcd, PAGE, { headers: { Authorization: `Bearer ${token}` } })).status).toBe(200);
  // Of these the one with another token counts; a client's own question who answers does not.
  const told = (await (await svcd.get('/svcd/status')).json()) as { refused: unknown };
  expect(told.refused).toEqual([{ origin: PAGE, requests: 1 }]);
  for (const origin of [
    'http://localhost.evil.example:80',
    'http://localhost:5173@evil',
    'https://localhost:5173',
    'null',
  ]) {
    expect([origin, (await preflight(svcd, origin)).status]).toEqual([origin, 403]);
  }
  end();
});

it.each(['*', 'http://*', 'http://localhost:*/', 'https://*.example', 'file://', 'null', 'localhost'])(
  'are refused in one sentence for the origin %s',
  async (origin) => {
    const svcd = await startTestDaemon();
    expect((await lease(svcd, [origin])).status).toBe(400);
  },
);

it('keep no wildcard on the list', async () => {
  const svcd = await startTestDaemon();
  const path = `/svcd/origins/${encodeURIComponent('http://localhost:*')}`;
  expect((await svcd.send('PUT', path)).status).toBe(400);
});

it('are counted where they are refused, for the owner alone', async () => {
  const svcd = await startTestDaemon();
  for (let i = 0; i < 3; i++) await page(svcd, PAGE);
  await page(svcd, 'null');
  const told = (await (await svcd.get('/svcd/status')).json()) as { refused: unknown };
  expect(told.refused).toEqual([
    { origin: PAGE, requests: 3 },
    { origin: 'null', requests: 1 },
  ]);
  expect(await (await svcd.call('/svcd/status')).json()).not.toHaveProperty('refused');
});

it('are counted for twenty origins, logged once a minute, and nothing that is no origin', () => {
  let now = 0;
  const lines: unknown[] = [];
  const log = { ...silentLog, info: (_: string, fields?: object) => void lines.push(fields) };
  const pages = createRefusedPages({ monotonic: () => now }, log);
  for (let i = 0; i < 30; i++) pages.note(`http://localhost:${5000 + i}`);
  for (const bad of ['', 'x', 'http://a/b', 'javascript:alert(1)', '\u001b[31m']) pages.note(bad);
  // The rest is one row, so that a strict run sees that there was more.
  expect(pages.list()).toHaveLength(21);
  expect(pages.list().at(-1)).toEqual({ origin: 'others', requests: 10 });
  expect(lines).toHaveLength(21);
  pages.note('http://localhost:5000');
  now = 60_000;
  pages.note('http://localhost:5000');
  expect(lines.slice(21)).toEqual([{ origin: 'http://localhost:5000', requests: 3 }]);
});
