// Counts the requests of pages that were refused, by origin: a page sees no more of a refusal than that nobody answered, so
// that somebody else must tell a person.

import type { Clock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';

export interface RefusedPages {
  note(origin: string): void;
  list(): { readonly origin: string; readonly requests: number }[];
}

const MOST_ORIGINS = 20;
/** Of whatever further origin: a strict run must see them too. */
const OTHERS = 'others';
const LOG_EVERY_MS = 60_000;

export function createRefusedPages(clock: Pick<Clock, 'monotonic'>, log: Log): RefusedPages {
  const counts = new Map<string, { requests: number; toldAt: number }>();
  return {
    note: (origin) => {
      // What is no origin may hold anything.
      if (origin !== 'null' && (!URL.canParse(origin) || new URL(origin).origin !== origin)) return;
      const key = counts.has(origin) || counts.size < MOST_ORIGINS ? origin : OTHERS;
      const known = counts.get(key);
      const { requests, toldAt } = known ?? { requests: 0, toldAt: -Infinity };
      const now = clock.monotonic();
      const isDue = now - toldAt >= LOG_EVERY_MS;
      counts.set(key, { requests: requests + 1, toldAt: isDue ? now : toldAt });
      if (isDue) log.info('pages of an origin were refused', { origin: key, requests: requests + 1 });
    },
    list: () => [...counts].map(([origin, { requests }]) => ({ origin, requests })),
  };
}
