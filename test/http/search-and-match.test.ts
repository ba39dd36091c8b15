// Search and match over HTTP: the document's rules, each at its edge, and what is said to whoever breaks one.

import { describe, expect, it } from 'vitest';
import { beforeAll, afterAll } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/config.js';
import { startDaemon, type Daemon } from '../../src/daemon/daemon.js';
import { silentLog } from '../../src/platform/log.js';

let daemon: Daemon;
const home = mkdtempSync(join(tmpdir(), 'svcd-http-'));

beforeAll(async () => {
  daemon = await startDaemon(await loadConfig({ home, port: 0 }, {}), { log: silentLog, listens: true });
});

afterAll(async () => {
  await daemon.close();
  rmSync(home, { recursive: true, force: true });
});

const search = (query: string) => fetch(`${daemon.info.url}/api/v1/stickers/search${query}`);
const match = (body: unknown, type = 'application/json') =>
  fetch(`${daemon.info.url}/api/v1/stickers/match`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'Content-Type': type },
  });

describe('search', () => {
  it('answers from the shipped pack when nothing is configured, with addresses on this daemon', async () => {
    const answer = await search('?q=生日');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-svcd-source')).toBe('library');
    const { total, results } = (await answer.json()) as { total: number; results: { file: string; title: string }[] };
    expect(total).toBeGreaterThan(0);
    expect(results.map(({ title }) => title).join()).toMatch('生日');
    const file = await fetch(results[0]?.file ?? '');
    expect(file.status).toBe(200);
    expect(await file.json()).toMatchObject({ layers: expect.any(Array) as unknown });
  });

  it('succeeds with an empty list when nothing fits', async () => {
    const answer = await search('?q=qqqqzzzz');
    expect([answer.status, await answer.json()]).toMatchObject([200, { total: 0, results: [] }]);
  });

  it('gives the same answer to the same question', async () => {
    const [one, two] = await Promise.all([search('?q=蛋糕&limit=5'), search('?q=蛋糕&limit=5')]);
    expect(await one.text()).toBe(await two.text());
  });

  it.each([
    ['', 'q: is required'],
    ['?q=', 'q: is empty'],
    ['?q=%20%20', 'q: is empty'],
    [`?q=${'x'.repeat(501)}`, 'q: has 501 characters, at most 500 are allowed; longer text belongs to match'],
    ['?q=a&q=b', 'q: is given 2 times, once is enough'],
    ['?q=a&limit=0', 'limit: must be a whole number from 1 to 50, got "0"'],
    ['?q=a&limit=51', 'limit: must be a whole number from 1 to 50, got "51"'],
    ['?q=a&limit=1.5', 'limit: must be a whole number from 1 to 50, got "1.5"'],
    ['?q=a&limit=ten', 'limit: must be a whole number from 1 to 50, got "ten"'],
    ['?q=a&limit=', 'limit: must be a whole number from 1 to 50, got ""'],
  ])('refuses %s', async (query, message) => {
    const answer = await search(query);
    expect([answer.status, await answer.json()]).toEqual([400, { code: 'invalid_request', message }]);
  });

  it.each([`?q=${'x'.repeat(500)}`, `?q=${encodeURIComponent('🎂'.repeat(500))}`, '?q=a&limit=1', '?q=a&limit=50'])(
    'accepts what lies just inside its limits (%#)',
    async (query) => {
      expect((await search(query)).status).toBe(200);
    },
  );
});

describe('match', () => {
  it('finds stickers for copy and keywords, and says why', async () => {
    const answer = await match({ text: '今天是妈妈的生日，我们一起吹蜡烛吃蛋糕', keywords: ['礼物'], limit: 5 });
    expect(answer.status).toBe(200);
    const body = (await answer.json()) as {
      extracted_keywords: string[];
      total: number;
      results: Record<string, unknown>[];
    };
    expect(body.extracted_keywords[0]).toBe('礼物');
    expect(body.extracted_keywords).toContain('生日');
    expect(body.total).toBeGreaterThanOrEqual(body.results.length);
    expect(Object.keys(body.results[0] ?? {})).toEqual([
      'preset',
      'title',
      'score',
      'reasons',
      'width',
      'height',
      'duration',
      'style_kind',
      'file',
      'fit',
      'titles',
      'translated',
    ]);
    expect(body.results[0]?.['reasons']).toContainEqual({ keyword: '礼物', field: 'title', source: 'direct' });
  });

  it('succeeds with an empty list when nothing fits', async () => {
    const answer = await match({ keywords: ['qqqqzzzz'] });
    expect([answer.status, await answer.json()]).toMatchObject([200, { total: 0, results: [] }]);
  });

  it.each([
    ['neither text nor keywords', {}, 'body: nothing to match: give text, keywords or both'],
    ['blank text alone', { text: '  ' }, 'body: nothing to match: give text, keywords or both'],
    ['text that is too long', { text: '字'.repeat(2001) }, 'text: has 2001 characters, at most 2000 are allowed'],
    ['text of another type', { text: 5 }, 'text: must be a string, got 5'],
    ['null text', { text: null }, 'text: must be a string, got null'],
    ['too many keywords', { keywords: Array(21).fill('a') }, 'keywords: has 21 entries, at most 20 are allowed'],
    ['a keyword too long', { keywords: ['x'.repeat(65)] }, 'keywords.0: has 65 characters, at most 64 are allowed'],
    ['a keyword of another type', { keywords: [1] }, 'keywords.0: must be a string, got 1'],
    ['keywords of another type', { keywords: '生日' }, 'keywords: must be an array, got "生日"'],
    ['limit 0', { text: 'a', limit: 0 }, 'limit: must be a whole number from 1 to 50, got 0'],
    ['limit 51', { text: 'a', limit: 51 }, 'limit: must be a whole number from 1 to 50, got 51'],
    ['limit 1.5', { text: 'a', limit: 1.5 }, 'limit: must be a whole number from 1 to 50, got 1.5'],
    ['limit as text', { text: 'a', limit: '5' }, 'limit: must be a number, got "5"'],
    ['an unknown field', { text: 'a', color: 'red' }, 'unknown field "color"'],
    ['a list', [], 'body: must be a JSON object, got an array'],
    ['nothing', '', 'body: is empty, a JSON object is needed'],
    ['broken JSON', '{"text":', 'body: is not valid JSON (line 1, column 9)'],
  ])('refuses %s', async (_what, body, message) => {
    const answer = await match(body);
    expect([answer.status, await answer.json()]).toEqual([400, { code: 'invalid_request', message }]);
  });

  it('refuses another content type', async () => {
    const answer = await match('text=a', 'application/x-www-form-urlencoded');
    expect([answer.status, await answer.json()]).toMatchObject([415, { code: 'unsupported_media_type' }]);
  });

  it('takes 16 KiB exactly and refuses a byte more', async () => {
    const padded = (size: number) => `{"text":"生日"${' '.repeat(size - Buffer.byteLength('{"text":"生日"}'))}}`;
    expect((await match(padded(16_384))).status).toBe(200);
    const answer = await match(padded(16_385));
    expect([answer.status, await answer.json()]).toMatchObject([413, { code: 'body_too_large' }]);
  });

  it('counts characters as people do: 2000 emoji are 2000', async () => {
    expect((await match({ text: '🎂'.repeat(2000) })).status).toBe(200);
  });
});

describe('what the document does not have', () => {
  it.each([
    ['POST', '/api/v1/stickers/search', 'GET, HEAD'],
    ['GET', '/api/v1/stickers/match', 'POST'],
    ['DELETE', '/api/v1/stickers/x', 'GET, HEAD'],
    ['GET', '/api/v1/images', 'POST'],
    ['POST', '/api/v1/me', 'GET, HEAD'],
    ['GET', '/svcd/stop', 'POST'],
  ])('%s %s is 405 with what is allowed', async (method, path, allow) => {
    const answer = await fetch(daemon.info.url + path, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
    expect(await answer.json()).toMatchObject({ code: 'method_not_allowed' });
  });

  it('a path of nobody is 404', async () => {
    const answer = await fetch(`${daemon.info.url}/nowhere`);
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'not_found' }]);
  });

  it('a page of another origin is refused', async () => {
    const answer = await fetch(`${daemon.info.url}/svcd/status`, { headers: { Origin: 'https://evil.example' } });
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'forbidden_origin' }]);
  });

  it.each(['127.0.0.1', '[::1]', 'localhost'])('listens at %s', async (host) => {
    const { port } = new URL(daemon.info.url);
    expect((await fetch(`http://${host}:${port}/svcd/status`)).status).toBe(200);
  });
});
