// Several hubs on one PostgreSQL that all have more to buy than the Key's rate allows: whether turns come evenly, so that
// nobody waits past a deadline for a pause that the hubs made themselves. In real time: the database has no other.

import { setTimeout as wait } from 'node:timers/promises';
import { startHub } from '../../faults/farm/hub.js';
import { presetOf } from '../../faults/farm/service.js';
import { startPostgres } from '../../support/postgres.js';
import { makeHome } from '../../support/run-svcd.js';
import type { Stand } from './stand.js';

const HUBS = 2;
const MACHINES = 6;
const AT_ONCE = 40;
const PER_MINUTE = 120;
const WINDOW_MS = 61_000;
/** The first begins with a burst and ends with a pause. */
const WINDOWS = 3;
/** Nobody gives up meanwhile. */
const DEADLINE_MS = 5 * 60_000;

export async function measureSeveralHubs(stand: Stand): Promise<object> {
  const stickers = HUBS * MACHINES * AT_ONCE;
  const service = await stand.service({ stickers, requestsPerMinute: PER_MINUTE });
  const postgres = await startPostgres();
  stand.last(() => postgres.remove());
  const identity = makeHome();
  stand.last(identity.remove);
  const machines = [];
  for (let nth = 0; nth < HUBS; nth++) {
    const hub = await startHub({
      remote: service.url,
      key: service.key,
      database: postgres.url,
      identity: identity.home,
    });
    stand.last(() => hub.remove());
    machines.push(...(await stand.machines(await hub.invite('promo', ['--uses', '100']), MACHINES)));
  }
  const begun = Date.now();
  for (const [nth, machine] of machines.entries())
    for (let one = 0; one < AT_ONCE; one++)
      void machine
        .ask(presetOf(nth * AT_ONCE + one), { deadlineMs: DEADLINE_MS, timeoutMs: DEADLINE_MS })
        .catch(() => undefined);
  await wait(WINDOWS * WINDOW_MS);
  const answers = (await service.answers()).filter(({ at }) => at >= begun && at < begun + WINDOWS * WINDOW_MS);
  const later = answers.map(({ at }) => at - begun).filter((at) => at >= WINDOW_MS);
  const ends = [WINDOW_MS, ...later.toSorted((a, b) => a - b), WINDOWS * WINDOW_MS];
  return {
    hubs: HUBS,
    turns: answers.length,
    share_of_rate: Math.round((answers.length / ((PER_MINUTE * WINDOWS * WINDOW_MS) / 60_000)) * 1000) / 1000,
    again_429: answers.filter(({ status }) => status === 429).length,
    longest_pause_ms: Math.max(...ends.slice(1).map((at, nth) => at - (ends[nth] ?? 0))),
  };
}
