// Credit lines through a real daemon: in search, on deliveries, of defaults, of the user's own, and after a move.

import { describe, expect, it } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { tinyLottie } from '../sandbox/tiny-catalogue.js';
import { startForeignRemote } from '../support/foreign-remote.js';
import { startTestDaemon, type StartedDaemon } from '../support/start-daemon.js';

const TWEMOJI = 'twemoji/sun-with-face';
const FREE = 'iconpark-outline/sun';
const LINE = /^Twemoji graphics %C2%A9 Twitter, Inc\. .*CC-BY 4\.0 \(https:/;

describe('of the sandbox', () => {
  it('the licence and line of each sticker are in search, on its file, and on nothing that needs none', async () => {
    const svcd = await startTestDaemon({ flags: { sandbox: true } });
    const results = await search(svcd, '太阳', 50);
    const licences = new Map(results.map(({ preset, licence }) => [String(preset).split('/')[0], licence]));
    expect(licences.get('twemoji')).toMatch(/^CC-BY-4\.0/);
    for (const { preset, attribution } of results) {
      expect(attribution === null).toBe(!String(preset).startsWith('twemoji/'));
    }
    for (const source of ['remote', 'owned']) {
      const { headers } = await svcd.get(stickerPath(TWEMOJI));
      expect(headers.get('x-svcd-source')).toBe(source);
      expect(headers.get('x-svcd-attribution')).toMatch(LINE);
    }
    expect((await svcd.get(stickerPath(FREE))).headers.get('x-svcd-attribution')).toBeNull();
  });

  it('a default brings its own credit, not that of what was wanted', async () => {
    const svcd = await startTestDaemon({ flags: { sandbox: true } });
    const { headers } = await svcd.call(stickerPath(TWEMOJI));
    expect(headers.get('x-svcd-source')).toBe('default');
    expect(headers.get('x-svcd-attribution')).toBeNull();
  });
});

describe('of another remote', () => {
  it('what it tells of licences is kept, exported and imported; what it does not tell is unknown', async () => {
    const remote = await startForeignRemote();
    remote.stickers = [
      { preset: 'r/1', label: '雨伞甲', license: 'CC-BY-4.0', author: 'Jané' },
      { preset: 'r/2', label: '雨伞乙' },
    ];
    remote.files.set('r/1', tinyLottie('r/1'));
    const first = await startTestDaemon({ userKey: 'sk_test_key', flags: { remote: remote.url } });
    await first.get(`/api/v1/stickers/search?q=${encodeURIComponent('雨伞')}`);
    await expect.poll(() => credits(first)).toEqual(EXPECTED);
    const file = await (await first.get('/svcd/library/export')).text();

    const second = await startTestDaemon({ flags: { remote: remote.url, offline: true } });
    const body = await second.send('POST', '/svcd/library/import', file, { 'Content-Type': 'application/x-ndjson' });
    expect(body.status).toBe(200);
    await expect.poll(() => credits(second)).toEqual(EXPECTED);
  });

  const EXPECTED = [
    ['r/1', 'CC-BY-4.0', '“雨伞甲” by Jané (CC-BY-4.0)'],
    ['r/2', 'unknown', null],
  ];
  const credits = async (svcd: StartedDaemon) =>
    (await search(svcd, '雨伞', 50))
      .filter(({ preset }) => String(preset).startsWith('r/'))
      .map(({ preset, licence, attribution }) => [preset, licence, attribution])
      .toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1));
});

describe("of the user's own", () => {
  it('licence and line are what the user gave', async () => {
    const svcd = await startTestDaemon();
    const added = await svcd.send('PUT', `/svcd/library/stickers/${encodeURIComponent('own/logo')}`, {
      title: '片头',
      licence: 'CC-BY-4.0',
      attribution: 'Logo © Wang; 2026',
      lottie: tinyLottie('x'),
    });
    expect(added.status).toBe(200);
    const answer = await svcd.get(stickerPath('own/logo'));
    expect(answer.headers.get('x-svcd-attribution')).toBe('Logo %C2%A9 Wang%3B 2026');
  });
});

async function search(svcd: StartedDaemon, q: string, limit: number): Promise<Record<string, unknown>[]> {
  const answer = await svcd.get(`/svcd/search?q=${encodeURIComponent(q)}&limit=${limit}`);
  return ((await answer.json()) as { results: Record<string, unknown>[] }).results;
}
