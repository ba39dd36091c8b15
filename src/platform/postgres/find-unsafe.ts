// What makes a database forget what it has confirmed, or its clock useless, each as a sentence.

import type { Clock } from '../clock.js';
import type { Postgres } from './transaction.js';

export interface Unsafe {
  readonly what:
    | 'old_server'
    | 'fsync_off'
    | 'full_page_writes_off'
    | 'synchronous_commit_off'
    | 'asynchronous_standby'
    | 'clock_off';
  /** What is wrong, with the value, and what to do. */
  readonly why: string;
  /** Whether no hub starts with it. */
  readonly isFatal: boolean;
}

const OLDEST = 14;
const CLOCK_OFF_MS = 1000;

interface Settings {
  readonly version: number;
  readonly fsync: string;
  readonly pages: string;
  readonly commit: string;
  readonly names: string;
  readonly standbys: number;
  readonly confirming: number;
  readonly hidden: number;
}

/** Looks at the settings of the server, its standbys, and its clock beside this one. Throws `database_away`. */
export async function findUnsafe(db: Postgres, clock: Clock): Promise<Unsafe[]> {
  // Who may not read pg_stat_replication as a whole sees a standby, but not how it is kept.
  const settings = await db.one<Settings>(
    `SELECT current_setting('server_version_num')::int / 10000 AS version, current_setting('fsync') AS fsync,
       current_setting('full_page_writes') AS pages, current_setting('synchronous_commit') AS commit,
       current_setting('synchronous_standby_names') AS names, count(pid)::int AS standbys,
       count(*) FILTER (WHERE sync_state IN ('sync', 'quorum'))::int AS confirming,
       count(*) FILTER (WHERE pid IS NOT NULL AND sync_state IS NULL)::int AS hidden
     FROM (SELECT 1) AS one LEFT JOIN pg_stat_replication ON coalesce(application_name, '') NOT IN ('pg_basebackup', 'pg_receivewal')`,
  );
  const found = settings === undefined ? [] : judge(settings);
  const offMs = await clockOff(db, clock);
  if (Math.abs(offMs) > CLOCK_OFF_MS) {
    found.push({
      what: 'clock_off',
      why: `the clock of PostgreSQL is ${Math.abs(offMs / 1000).toFixed(1)} s ${offMs > 0 ? 'ahead of' : 'behind'} the hub's; set both by NTP`,
      isFatal: false,
    });
  }
  return found;
}

function judge({ version, fsync, pages, commit, names, standbys, confirming, hidden }: Settings): Unsafe[] {
  const found: Unsafe[] = [];
  const add = (what: Unsafe['what'], why: string, isFatal = false) => void found.push({ what, why, isFatal });
  if (version < OLDEST) add('old_server', `PostgreSQL ${version} is too old; ${OLDEST} or newer is needed`, true);
  if (fsync === 'off') {
    add('fsync_off', 'fsync is off: a power cut forgets purchases that were confirmed; set fsync = on', true);
  }
  if (pages === 'off') {
    add(
      'full_page_writes_off',
      'full_page_writes is off: a power cut may leave half a page; set full_page_writes = on',
    );
  }
  if (['off', 'local'].includes(commit)) {
    add(
      'synchronous_commit_off',
      `synchronous_commit is ${commit}; svcd sets it on for its own commits, but what else writes here may lose rows`,
    );
  }
  if (standbys > 0 && names.trim() === '') {
    add(
      'asynchronous_standby',
      `${standbysOf(standbys)} asynchronous: purchases that were confirmed are gone when it is promoted; set synchronous_standby_names = 'ANY 1 (*)'`,
      true,
    );
    // A name that no standby bears: commits wait for ever, but nothing is lost.
  } else if (standbys > 0 && confirming === 0 && hidden === 0) {
    add(
      'asynchronous_standby',
      `no standby confirms commits, though synchronous_standby_names is ${JSON.stringify(names)}; correct the names`,
    );
  }
  return found;
}

const standbysOf = (count: number): string => (count === 1 ? 'the standby is' : `all ${count} standbys are`);

/** By how much the server's clock is ahead, in milliseconds, beyond what the way there may have taken. */
async function clockOff(db: Postgres, clock: Clock): Promise<number> {
  const before = clock.now();
  const told = await db.one<{ now: number }>('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now');
  const after = clock.now();
  const now = told?.now ?? before;
  if (now < before) return now - before;
  return Math.max(0, now - after);
}
