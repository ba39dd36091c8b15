// One ranking: the pages of /svcd/search continue each other and the mirrored search, whatever the size of a page.

import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { FindAnswer } from '../../src/api/find.js';
import { openLibrary } from '../../src/library/library.js';
import { silentLog } from '../../src/platform/log.js';
import { readCatalogue, SHIPPED_SYNONYMS } from '../library/scratch-library.js';
import { startTestDaemon, temporaryHome, type StartedDaemon } from '../support/start-daemon.js';

const REMOTE = 'http://127.0.0.1:9';
const MOST = 200;
const QUERIES = ['脸', '生日快乐', '红色 气球', 'home', 'shengri', '下载文件'];
const FILTERS = [{}, { aspect: 'square', max_duration: '1.5' }, { color: '#ff0000', distance: '40' }];

/** For half of the queries the remote listed others too, and some of what fits is gone. */
function homeThatLearned(): string {
  const home = temporaryHome();
  const stickers = readCatalogue().filter((_, i) => i % 2 === 0);
  const library = openLibrary({
    file: join(home, 'library.db'),
    scope: REMOTE,
    synonyms: () => SHIPPED_SYNONYMS,
    log: silentLog,
  });
  library.importStickers(stickers, 'a test');
  for (const [i, words] of QUERIES.entries()) {
    const { hits } = library.search(words, 50);
    const found = hits.filter((_, place) => place % 9 === 4).map(({ sticker }) => sticker);
    const others = stickers.filter((_, place) => place % 997 === i);
    const candidates = [...others, ...found].map((sticker) => ({ sticker, original: {}, reasons: [] }));
    if (i % 2 === 0) library.learn({ shape: 'search', words: [words], candidates }, 1);
    for (const { sticker } of hits.slice(2, 4)) library.markGone(sticker.preset, 2);
  }
  library.prepare();
  library.close();
  return home;
}

async function presetsOf(svcd: StartedDaemon, path: string, query: Record<string, string>) {
  const answer = await svcd.get(`${path}?${new URLSearchParams(query).toString()}`);
  expect(answer.status).toBe(200);
  const { total, results } = (await answer.json()) as FindAnswer;
  return { total, presets: results.map(({ preset }) => preset) };
}

async function pagesOf(svcd: StartedDaemon, query: Record<string, string>, limit: number) {
  const presets: string[] = [];
  for (let offset = 0, total = Infinity; offset < Math.min(total, MOST); offset += limit) {
    const page = await presetsOf(svcd, '/svcd/search', { ...query, limit: `${limit}`, offset: `${offset}` });
    if (total < Infinity) expect(page.total).toBe(total);
    ({ total } = page);
    expect(page.presets).toHaveLength(Math.min(limit, total - offset));
    presets.push(...page.presets);
  }
  return presets.slice(0, MOST);
}

const LIBRARIES = [
  ['with all that the remote has', () => ({ flags: { sandbox: true } })],
  ['that learned from the remote', () => ({ flags: { remote: REMOTE, offline: true }, home: homeThatLearned() })],
] as const;

it.each(LIBRARIES)(
  'a library %s lists every sticker once, in one order',
  async (_name, options) => {
    const svcd = await startTestDaemon(options());
    let longest = 0;
    for (const q of QUERIES) {
      for (const filter of FILTERS) {
        const large = await pagesOf(svcd, { q, ...filter }, 50);
        longest = Math.max(longest, large.length);
        expect(new Set(large).size, q).toBe(large.length);
        expect(await pagesOf(svcd, { q, ...filter }, 12), q).toEqual(large);
        if (Object.keys(filter).length > 0) continue;
        for (const limit of [1, 12, 50]) {
          const mirrored = await presetsOf(svcd, '/api/v1/stickers/search', { q, limit: `${limit}` });
          expect(mirrored.presets, q).toEqual(large.slice(0, limit));
        }
      }
    }
    expect(longest).toBe(MOST);
  },
  60_000,
);
