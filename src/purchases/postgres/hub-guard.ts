// Whether this hub may buy at all: not while somebody has stopped it on any hub, and not while the database lacks what was sent.

import type { Log } from '../../platform/log.js';
import type { Postgres } from '../../platform/postgres/transaction.js';
import { IS_NEWER, STOPPED_BY_NEWER, STOPPED_BY_USER } from './ledger.js';
import type { TimelineGuard } from './timeline.js';
import { stoppedError, type SpendingGuard, type SpendingStop } from '../spending-guard.js';

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

interface Stopped {
  readonly stoppedAt: number | null;
}

const STOPPED = 'stopped_at AS "stoppedAt"';

export function createHubGuard({ db, local, timeline, log }: HubGuardParts): HubGuard {
  let stoppedAt: number | null = null;
  let isNewer = false;
  /** What the database was not told yet. Until then this hub's own file has it, also over a restart. */
  let untold = local.findStop()?.by === 'user' ? true : undefined;
  let telling: Promise<void> = Promise.resolve();

  const tell = async (): Promise<void> => {
    const stopped = untold;
    if (stopped === undefined) return;
    const at = stopped ? 'coalesce(stopped_at, svcd_ms())' : 'NULL';
    const { value } = await db.transaction((tx) =>
      tx.one<Stopped>(`UPDATE studio SET stopped_at = ${at} RETURNING ${STOPPED}`),
    );
    stoppedAt = value?.stoppedAt ?? null;
    if (untold !== stopped) return tell();
    untold = undefined;
    // From now on the database says it, and another hub may lift it.
    local.setStopped(false);
  };
  /** One after the other, or what was said first could be written last. */
  const tellOthers = (): Promise<void> => (telling = telling.catch(() => undefined).then(tell));

  const findStop = (): SpendingStop | undefined => {
    const stop = local.findStop() ?? timeline.findStop() ?? (isNewer ? STOPPED_BY_NEWER : undefined);
    if (stop !== undefined || stoppedAt === null) return stop;
    return { ...STOPPED_BY_USER, since: stoppedAt };
  };
  return {
    findStop,
    check: () => {
      const stop = findStop();
      if (stop !== undefined) throw stoppedError(stop);
    },
    note: () => local.note(),
    // This hub stops at once, the others with their next transaction.
    setStopped: (stopped) => {
      local.setStopped(stopped);
      untold = stopped;
      tellOthers().catch((error: unknown) => {
        log.warn('the other hubs could not be told yet whether to spend', { stopped, why: String(error) });
      });
    },
    refresh: async () => {
      await tellOthers();
      const found = await db.one<Stopped & { newer: boolean }>(`SELECT ${STOPPED}, ${IS_NEWER} AS newer FROM studio`);
      if (found?.newer === true && !isNewer) log.error(STOPPED_BY_NEWER.why, { hint: STOPPED_BY_NEWER.hint });
      isNewer = found?.newer === true;
      stoppedAt = found?.stoppedAt ?? null;
    },
  };
}
