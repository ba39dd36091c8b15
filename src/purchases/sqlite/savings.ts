// Credits that were not spent because something was owned already. Counted in memory and written now and then: this
// figure is not worth a write per request.

import type { Database } from '../../platform/open-database.js';

export interface Savings {
  note(credits: number): void;
  /** Credits not spent so far. */
  total(): number;
  close(): void;
}

const WRITE_EVERY_MS = 10_000;

/** Opens the savings of one scope; `day` is the day to count on. */
export function openSavings(db: Database, scope: string, day: () => string): Savings {
  const add = db.prepare(
    `INSERT INTO saved (scope, day, credits) VALUES (?, ?, ?)
     ON CONFLICT (scope, day) DO UPDATE SET credits = credits + excluded.credits`,
  );
  const sum = db.prepare<[string], { credits: number }>(
    `SELECT coalesce(sum(credits), 0) AS credits FROM saved WHERE scope = ?`,
  );
  let unwritten = 0;
  const write = () => {
    if (unwritten === 0) return;
    try {
      add.run(scope, day(), unwritten);
      unwritten = 0;
    } catch {
      // A full disk must not trouble a request that only reads; the figure waits in memory for the next time.
    }
  };
  const timer = setInterval(write, WRITE_EVERY_MS);
  timer.unref();
  return {
    note: (credits) => (unwritten += credits),
    total: () => (sum.get(scope)?.credits ?? 0) + unwritten,
    close: () => {
      clearInterval(timer);
      write();
    },
  };
}
