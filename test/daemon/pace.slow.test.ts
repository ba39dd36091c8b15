// The pace as a user meets it: the daemon, the sandbox with its 120 requests a minute, and real minutes.

import { expect, it } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { listPurchases } from '../support/purchases.js';
import { startTestDaemon } from '../support/start-daemon.js';

const CALLERS = 6;
/** More than a minute has room for; with SVCD_ALL_STICKERS=1 (npm run test:long) more than two. */
const STICKERS = process.env['SVCD_ALL_STICKERS'] === '1' ? 300 : 160;
const MINUTE_MS = 60_000;

it(
  `${STICKERS} stickers, six at a time, with the default deadline: all right, none bought twice`,
  { timeout: 600_000 },
  async () => {
    const svcd = await startTestDaemon({ flags: { sandbox: true, 'deadline-ms': 8000 } });
    const presets = await findPresets(svcd.get);
    const sources: (string | null)[] = [];
    const answeredAt: number[] = [];
    const wanted = [...presets];
    const call = async (): Promise<void> => {
      for (let preset = wanted.pop(); preset !== undefined; preset = wanted.pop()) {
        const answer = await svcd.get(stickerPath(preset));
        await answer.arrayBuffer();
        sources.push(answer.headers.get('x-svcd-source'));
        answeredAt.push(performance.now());
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, call));
    expect(sources).toEqual(presets.map(() => 'remote'));
    const purchases = await listPurchases(svcd.get);
    expect(purchases.map(({ state, cost }) => [state, cost])).toEqual(presets.map(() => ['paid', 1]));
    const inMinuteFrom = (from: number) => answeredAt.filter((at) => at >= from && at < from + MINUTE_MS).length;
    expect(Math.max(...answeredAt.map(inMinuteFrom))).toBeLessThanOrEqual(120);
  },
);

async function findPresets(get: (path: string) => Promise<Response>): Promise<string[]> {
  const presets = new Set<string>();
  for (const word of ['heart', 'star', 'food', 'cat', 'music', 'car', 'tree', 'face', 'hand', 'house', 'sun', 'dog']) {
    const answer = await get(`/api/v1/stickers/search?q=${word}&limit=50`);
    const { results } = (await answer.json()) as { results: { preset: string }[] };
    for (const { preset } of results) presets.add(preset);
  }
  expect(presets.size).toBeGreaterThanOrEqual(STICKERS);
  return [...presets].slice(0, STICKERS);
}
