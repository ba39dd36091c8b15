// Whether anything may be bought at all: not while the user has stopped it, and not from an owned.db that went back or was
// taken away. Looked at before each intent and again before each call leaves.

import { statSync } from 'node:fs';
import type { Clock } from '../platform/clock.js';
import { SvcdError } from '../model/errors.js';
import type { Database } from '../platform/open-database.js';
import type { HighWaterMark } from './high-water-mark.js';

/** Why nothing is bought. */
export interface SpendingStop {
  /**
   * `user`: by command; `loss`: owned.db lacks purchases; `moved`: owned.db was moved, replaced or cut short under svcd;
   * `read_only`: the home cannot be written; `elsewhere`: the purchases are in a database that this process does not use.
   */
  readonly by: 'user' | 'loss' | 'moved' | 'read_only' | 'elsewhere';
  readonly why: string;
  /** What to do. */
  readonly hint: string;
  /** Milliseconds since the epoch; null when it is not known. */
  readonly since: number | null;
}

export interface SpendingGuard {
  /** Throws `spending_stopped` when nothing may be bought. */
  check(): void;
  /** Why nothing may be bought; undefined when buying is allowed. */
  findStop(): SpendingStop | undefined;
  /** Writes down what was bought, after each commit that moved money; never throws. */
  note(): void;
  /** Stops all spending until it is lifted, also after a restart. */
  setStopped(stopped: boolean): void;
}

const LOOK_AGAIN_MS = 1000;

export interface SpendingGuardOptions {
  readonly db: Database;
  /** Where it lies. */
  readonly file: string;
  readonly mark: HighWaterMark;
  readonly clock: Clock;
  /** Why the home cannot be written, when this is a copy. */
  readonly readOnly?: string | undefined;
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
      return {
        by: 'moved',
        why: `${moved.path} was removed, moved or replaced while svcd runs`,
        hint: 'Run "svcd stop", put the file back, then run "svcd start".',
        since: null,
      };
    }
    // For good: what is written to it afterwards makes it longer again.
    cut ||= sizeOf(file) < size;
    if (cut) {
      return {
        by: 'moved',
        why: `${file} was cut short while svcd runs`,
        hint: 'Run "svcd stop", restore a backup with "svcd owned restore FILE", then run "svcd start".',
        since: null,
      };
    }
    // Another process may have accepted it. Reading all purchases for each request would be too much.
    if (loss !== undefined && clock.monotonic() - lookedAt >= LOOK_AGAIN_MS) {
      loss = mark.findLoss();
      lookedAt = clock.monotonic();
    }
    if (loss !== undefined) {
      return {
        by: 'loss',
        why: loss,
        hint:
          'Restore a backup with "svcd owned restore FILE", or continue without those purchases and pay again for what is missing: ' +
          '"svcd doctor --accept-loss".',
        since: null,
      };
    }
    if (elsewhere !== undefined) {
      return {
        by: 'elsewhere',
        why: `the purchases of this home are in ${elsewhere}, which is not used now`,
        hint: 'Start it as the hub that it is: "svcd hub start --database postgres://…".',
        since: null,
      };
    }
    const since = stopped.get()?.since;
    if (since === undefined) return undefined;
    return {
      by: 'user',
      why: 'spending is stopped',
      hint: 'Allow spending again with "svcd budget resume".',
      since,
    };
  };
  return {
    findStop,
    check: () => {
      const found = findStop();
      if (found !== undefined) throw refusalOf(found);
    },
    // A mark of a file that went back must not replace the one that shows it.
    note: () => {
      size = Math.max(size, sizeOf(file));
      if (loss === undefined) mark.note();
    },
    setStopped: (on) => void (on ? stop.run(clock.now()) : lift.run()),
  };
}

function guardOfReadOnly(why: string): SpendingGuard {
  const hint = 'Make it writable or free some space there; then run "svcd stop" and "svcd start".';
  const stop = { by: 'read_only', why, hint, since: null } as const;
  return {
    findStop: () => stop,
    check: () => {
      throw refusalOf(stop);
    },
    note: () => undefined,
    // Nothing is bought as it is; and what is written into a copy would not hold after the next start.
    setStopped: () => {
      throw new SvcdError('home_not_writable', why, { hint });
    },
  };
}

function refusalOf({ why, hint }: SpendingStop): SvcdError {
  return new SvcdError('spending_stopped', `nothing is bought: ${why}`, { hint });
}

/** Which file lies at a path now; undefined when none does. */
function identityOf(path: string): string | undefined {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? undefined : `${stat.dev} ${stat.ino}`;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
