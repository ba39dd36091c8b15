// However fast the remote answers and whoever searches meanwhile: no minute sees more of the harvest than its share,
// nor more in all than the service allows, and people never wait for it.

import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { Harvest } from '../../src/harvest/harvest.js';
import { createHarvester } from '../../src/harvest/harvester.js';
import { silentLog } from '../../src/platform/log.js';
import { createRemote, PACE_WINDOW_MS } from '../../src/upstream/remote.js';
import { createRandom } from '../faults/random.js';
import { scratchLibrary } from '../library/scratch-library.js';
import { answerSearch, inventStickers } from '../support/word-remote.js';
import { createFakeTime } from '../upstream/fake-time.js';
import { requestOf } from '../upstream/requests.js';

interface Departure {
  readonly at: number;
  readonly isHarvest: boolean;
}

const MINUTE_MS = 60_000;
const MINUTES = 4;
const PERSON = '/api/v1/me';

interface Life {
  /** Of the service's 120 a minute. */
  readonly share: number;
  readonly latencyMs: number;
  /** Requests of people a minute. */
  readonly people: number;
}

async function live({ share, latencyMs, people }: Life): Promise<{ departures: Departure[]; waits: number[] }> {
  const time = createFakeTime();
  const scratch = scratchLibrary();
  const library = scratch.open('一 丁 七 万 丈 三 上 下');
  const stickers = inventStickers(400, 200, createRandom(7));
  const departures: Departure[] = [];
  const remote = createRemote({
    baseUrl: 'http://remote',
    exchanger: async (request) => {
      await time.sleep(1);
      await request.beforeSend?.();
      departures.push({ at: time.clock.monotonic(), isHarvest: request.path !== PERSON });
      await time.sleep(latencyMs);
      return answerSearch(stickers, request);
    },
    forcedOffline: false,
    watchBalance: () => () => undefined,
    log: silentLog,
    pace: { windowMs: PACE_WINDOW_MS, backgroundShare: share / 120 },
    ...time,
  });
  const harvester = createHarvester({
    library,
    harvest: new Harvest(library),
    remote,
    userKey: () => 'sk-one',
    clock: time.clock,
    sleep: time.sleep,
    log: silentLog,
    background: true,
    pace: { allowed: share, windowMs: PACE_WINDOW_MS },
    // So that it never runs out of work.
    refreshAfterMs: -1,
  });
  harvester.begin();
  const waits: number[] = [];
  for (let i = 0; i < MINUTES * people; i++) {
    const askedAt = time.clock.monotonic();
    void remote
      .exchange(requestOf({ path: PERSON }))
      .then(() => waits.push(time.clock.monotonic() - askedAt - latencyMs - 1));
    await time.advance(MINUTE_MS / people);
  }
  await time.advance(MINUTE_MS);
  const closed = harvester.close();
  remote.close();
  await time.advance(MINUTE_MS);
  await closed;
  library.close();
  scratch.remove();
  return { departures, waits };
}

function mostInAMinute(departures: readonly Departure[]): number {
  return Math.max(
    0,
    ...departures.map(({ at: from }) => departures.filter(({ at }) => at >= from && at < from + MINUTE_MS).length),
  );
}

it('keeps to its share in every minute, and people wait for nothing', async () => {
  const lives = fc.record({
    share: fc.integer({ min: 1, max: 100 }),
    latencyMs: fc.integer({ min: 1, max: 3000 }),
    people: fc.integer({ min: 1, max: 20 }),
  });
  const keepsTo = async (life: Life) => {
    const { departures, waits } = await live(life);
    const harvest = departures.filter(({ isHarvest }) => isHarvest);
    expect(mostInAMinute(harvest)).toBeLessThanOrEqual(life.share);
    expect(mostInAMinute(departures)).toBeLessThanOrEqual(120);
    expect(harvest.length).toBeGreaterThan(0);
    expect(waits).toHaveLength(MINUTES * life.people);
    expect(Math.max(...waits)).toBeCloseTo(0, 6);
  };
  await fc.assert(fc.asyncProperty(lives, keepsTo), { numRuns: 6 });
});
