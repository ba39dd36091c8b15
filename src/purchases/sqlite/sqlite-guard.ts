// Nothing is bought while the user has stopped it, nor from an owned.db that went back or was taken away.

import { statSync } from 'node:fs';
import type { Clock } from '../../platform/clock.js';
import { SvcdError } from '../../model/errors.js';
import type { Database } from '../../platform/open-database.js';
import type { HighWaterMark } from './high-water-mark.js';
import { stoppedError, type SpendingGuard, type SpendingStop } from '../spending-guard.js';

const LOOK_AGAIN_MS = 1000;

export interface SpendingGuardOptions {
  readonly db: Database;
  /** Where it lies. */
  readonly file: string;
  readonly mark: HighWaterMark;
  readonly clock: Clock;
  /** Why the home cannot be written, when this is a copy. */
  readonly readOnly?: Pick<SpendingStop, 'by' | 'why'> | undefined;
  /** The database that holds the purchases, where this process does not use it. */
  readonly elsewhere?: string | undefined;
}

/** Opens the guard of an owned.db. */
export function openSpendingGuard(options: SpendingGuardOptions): SpendingGuard {
  const { db, file, mark, clock, readOnly, elsewhere } = options;
  if (readOnly !== undefined) return guardOfReadOnly(readOnly);
  const stopped = db.prepare<[], { since: number }>(`SELECT since FROM spending_stop`);
  const stop = db.prepare(`INSERT OR IGNORE INTO spending_stop (id, since) VALUES (1, ?)`);
  const lift = db.prepare(`DELETE FROM spending_stop`);
  // The log file is made by the first read.
  stopped.get();
  const opened = [file, `${file}-wal`].map((path) => ({ path, identity: identityOf(path) }));
  // Only what is missing at the start can be a loss; afterwards the marks are ours.
  let loss = mark.findLoss();
  let lookedAt = clock.monotonic();
  if (loss === undefined) mark.note();
  // Nothing in svcd makes the file smaller (no VACUUM, no auto_vacuum), and each commit reaches it.
  let [size, cut] = [sizeOf(file), false];

  const findStop = (): SpendingStop | undefined => {
    const moved = opened.find(({ path, identity }) => identity !== undefined && identityOf(path) !== identity);
    if (moved !== undefined) {
      const why = `${moved.path} was removed, moved or replaced while svcd runs`;
      return stopBy('moved', why, 'Run "svcd stop", put the file back, then run "svcd start".');
    }
    // For good: what is written to it afterwards makes it longer again.
    cut ||= sizeOf(file) < size;
    if (cut) {
      const hint = 'Run "svcd stop", restore a backup with "svcd owned restore FILE", then run "svcd start".';
      return stopBy('moved', `${file} was cut short while svcd runs`, hint);
    }
    // Another process may have accepted it. Reading all purchases for each request would be too much.
    if (loss !== undefined && clock.monotonic() - lookedAt >= LOOK_AGAIN_MS) {
      loss = mark.findLoss();
      lookedAt = clock.monotonic();
    }
    if (loss !== undefined) {
      const hint =
        'Restore a backup with "svcd owned restore FILE", ' +
        'or continue without those purchases and pay again for what is missing: "svcd doctor --accept-loss".';
      return stopBy('loss', loss, hint);
    }
    if (elsewhere !== undefined) {
      const why = `the purchases of this home are in ${elsewhere}, which is not used now`;
      return stopBy('elsewhere', why, 'Start it as the hub that it is: "svcd hub start --database postgres://…".');
    }
    const since = stopped.get()?.since;
    if (since === undefined) return undefined;
    return { by: 'user', why: 'spending is stopped', hint: 'Allow spending again with "svcd budget resume".', since };
  };
  return {
    findStop,
    check: () => {
      const found = findStop();
      if (found !== undefined) throw stoppedError(found);
    },
    // A mark of a file that went back must not replace the one that shows it.
    note: () => {
      size = Math.max(size, sizeOf(file));
      if (loss === undefined) mark.note();
    },
    setStopped: (on) => void (on ? stop.run(clock.now()) : lift.run()),
  };
}

function guardOfReadOnly({ by, why }: Pick<SpendingStop, 'by' | 'why'>): SpendingGuard {
  const hint =
    by === 'disk_full'
      ? 'Free some space there: svcd then goes on by itself.'
      : 'Make it writable; then run "svcd stop" and "svcd start".';
  const stop = stopBy(by, why, hint);
  return {
    findStop: () => stop,
    check: () => {
      throw stoppedError(stop);
    },
    note: () => undefined,
    // Nothing is bought as it is; and what is written into a copy would not hold after the next start.
    setStopped: () => {
      throw new SvcdError(by === 'disk_full' ? by : 'home_not_writable', why, { hint });
    },
  };
}

function stopBy(by: SpendingStop['by'], why: string, hint: string): SpendingStop {
  return { by, why, hint, since: null };
}

/** Which file lies at a path now; undefined when none does. */
function identityOf(path: string): string | undefined {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? undefined : `${stat.dev} ${stat.ino}`;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
