// Whether this hub may buy at all: not while somebody has stopped it on any hub, and not while the database lacks what was sent.

import type { Log } from '../../platform/log.js';
import type { Postgres } from '../../platform/postgres/transaction.js';
import { SvcdError } from '../../model/errors.js';
import type { SpendingGuard, SpendingStop } from '../spending-guard.js';
import type { TimelineGuard } from './timeline.js';

export interface HubGuard extends SpendingGuard {
  /** Looks whether another hub has stopped or allowed spending. Throws `database_away`. */
  refresh(): Promise<void>;
}

export interface HubGuardParts {
  readonly db: Postgres;
  /** The guard over this hub's own file. */
  readonly local: SpendingGuard;
  readonly timeline: Pick<TimelineGuard, 'findStop'>;
  readonly log: Log;
}

export function createHubGuard({ db, local, timeline, log }: HubGuardParts): HubGuard {
  let stoppedAt: number | null = null;
  const findStop = (): SpendingStop | undefined => {
    const stop = local.findStop() ?? timeline.findStop();
    if (stop !== undefined || stoppedAt === null) return stop;
    const hint = 'Allow spending again with "svcd stop-spending --lift" on a hub.';
    return { by: 'user', why: 'spending is stopped', hint, since: stoppedAt };
  };
  return {
    findStop,
    check: () => {
      const stop = findStop();
      if (stop !== undefined)
        throw new SvcdError('spending_stopped', `nothing is bought: ${stop.why}`, { hint: stop.hint });
    },
    note: () => local.note(),
    // This hub stops at once, the others with their next transaction.
    setStopped: (stopped) => {
      local.setStopped(stopped);
      const at = stopped ? 'coalesce(stopped_at, svcd_ms())' : 'NULL';
      void db
        .transaction((tx) => tx.run(`UPDATE studio SET stopped_at = ${at}`))
        .then(
          () => (stoppedAt = stopped ? (stoppedAt ?? 0) : null),
          (error: unknown) =>
            log.error('the other hubs could not be told whether to spend', { stopped, why: String(error) }),
        );
    },
    refresh: async () => {
      const found = await db.one<{ stoppedAt: number | null }>('SELECT stopped_at AS "stoppedAt" FROM studio');
      stoppedAt = found?.stoppedAt ?? null;
    },
  };
}
