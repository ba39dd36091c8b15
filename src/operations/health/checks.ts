// Every check of what svcd needs, a row each, in the order in which they are told. `needs` says who runs one:
// - `system`: the doctor, in a process of its own, for what it looks at may hang, or take the process along;
// - `home`: the daemon, in a thread; where none answers, the doctor: a damaged owned.db keeps the daemon from starting;
// - `remote`: the same, without a thread;
// - `daemon`: a hub alone, which is asked what it knows.
// To add one: a row here, its code and sentence in words.ts.

import {
  checkDatabase,
  checkDates,
  checkFileDates,
  checkLog,
  checkLoss,
  checkPaid,
  checkSettings,
  checkSpending,
  checkUnsettled,
  hasTable,
  inOwned,
} from './file-checks.js';
import { bad, type Finding, type Found, ok, runCheck, type Told, warn } from './finding.js';
import { shellWord } from '../../platform/files/shell-word.js';
import { checkDisk, checkHome, checkToken } from './folder-checks.js';
import type { HomePlace, HubFacts, RemotePlace, SystemPlace } from './place.js';
import { checkRemote, SET_CLOCK } from './remote-checks.js';
import {
  checkDaemon,
  checkMemory,
  checkNode,
  checkOpenFiles,
  checkPath,
  checkPort,
  checkProxy,
  checkService,
  checkSqlite,
} from './system-checks.js';
import { minutesOpen } from '../../purchases/journal.js';
import { DUMP } from '../../purchases/sqlite/owned-backup.js';
import { dirname } from 'node:path';
import { filesOf, type Lock } from '../../api/lock.js';
import { isSvcdError } from '../../model/errors.js';
import type { Database } from '../../platform/open-database.js';
import { readLock } from '../../video/lock/read-lock.js';
import { verifyFiles } from '../../video/lock/verify-files.js';

/** What the checks of a kind look at. */
export interface Places {
  readonly system: SystemPlace;
  readonly home: HomePlace;
  readonly remote: RemotePlace;
  readonly daemon: HubFacts;
}
export type Needs = keyof Places;

type CheckOf<N extends Needs> = N extends Needs
  ? {
      readonly name: string;
      readonly needs: N;
      readonly run: (place: Places[N]) => Found | Promise<Found>;
      /** Whether it opens files of the home, which must not be done with one that svcd refuses. */
      readonly opens?: true;
      /** Further names that it answers for. */
      readonly also?: readonly string[];
    }
  : never;
export type Check<N extends Needs = Needs> = CheckOf<N>;

export const CHECKS: readonly Check[] = [
  { name: 'node', needs: 'system', run: checkNode },
  { name: 'better-sqlite3', needs: 'system', run: checkSqlite },
  { name: 'PATH', needs: 'system', run: checkPath },
  { name: 'home', needs: 'system', run: ({ home }) => checkHome(home) },
  { name: 'disk', needs: 'system', run: ({ home }) => checkDisk(home) },
  { name: 'settings', needs: 'home', run: checkSettings, opens: true },
  { name: 'token', needs: 'system', run: checkToken, opens: true },
  { name: 'log', needs: 'home', run: checkLog, opens: true },
  { name: 'owned.db', needs: 'home', run: (place) => checkDatabase(place, 'owned.db'), opens: true },
  { name: 'purchases', needs: 'home', run: checkLoss, opens: true },
  { name: 'spending', needs: 'home', run: checkSpending, opens: true },
  { name: 'paid', needs: 'home', run: checkPaid, opens: true },
  { name: 'unsettled', needs: 'home', run: checkUnsettled, opens: true },
  { name: 'dates', needs: 'home', run: checkDates, opens: true },
  { name: 'library.db', needs: 'home', run: (place) => checkDatabase(place, 'library.db'), opens: true },
  { name: 'daemon', needs: 'system', run: checkDaemon },
  { name: 'service', needs: 'system', run: checkService, opens: true },
  { name: 'port', needs: 'system', run: checkPort },
  { name: 'open files', needs: 'system', run: checkOpenFiles },
  { name: 'memory', needs: 'system', run: checkMemory },
  { name: 'proxy', needs: 'system', run: checkProxy },
  { name: 'remote', needs: 'remote', run: checkRemote, also: ['Key', 'keychain'] },
  { name: 'clock', needs: 'home', run: checkFileDates, opens: true },
  { name: 'lock', needs: 'system', run: checkLock, opens: true },
  { name: 'disk', needs: 'daemon', run: ({ home }) => checkDisk(home) },
  { name: 'certificate', needs: 'daemon', run: checkCertificate },
  { name: 'Key', needs: 'daemon', run: checkHubKey },
  { name: 'unsettled', needs: 'daemon', run: checkHubUnsettled },
  { name: 'clock', needs: 'daemon', run: checkHubClock },
  { name: 'backup', needs: 'daemon', run: checkBackup },
  { name: 'database', needs: 'daemon', run: checkHubDatabase },
  { name: 'audit', needs: 'daemon', run: checkAudit },
  { name: 'machines', needs: 'daemon', run: checkMachines },
];

const ORDER = [...new Set(CHECKS.flatMap(({ name, also = [] }) => [name, ...also]))];

/** How long one check may take; all together take little longer. */
const CHECK_MS = 8000;

/** Runs the checks of a kind at once, and tells what each finds as it ends. `away`: why the home's files are left alone. */
export async function runChecks<N extends Needs>(
  needs: N,
  place: Places[N],
  tell: (findings: readonly Finding[]) => void,
  { names, away }: { readonly names?: readonly string[]; readonly away?: string | undefined } = {},
): Promise<void> {
  const wanted = CHECKS.filter((one) => one.needs === needs && (names === undefined || names.includes(one.name)));
  await Promise.all(
    wanted.map(async ({ name, run, opens }) => {
      const isLeft = opens === true && away !== undefined;
      // What a row takes is what its `needs` says.
      const look = run as (from: Places[N]) => ReturnType<Check['run']>;
      tell(await runCheck(name, CHECK_MS, () => (isLeft ? warn('not_examined', [away]) : look(place))));
    }),
  );
}

/** What was not told of the checks of these kinds: the first one hung, or ended the process that ran it. `why` is a signal, or `timeout`. */
export function findMissing(
  kinds: readonly Needs[],
  told: readonly { readonly name: string }[],
  why: string,
  limitMs: number,
): Finding[] {
  const expected = CHECKS.filter(({ needs }) => kinds.includes(needs)).map(({ name }) => name);
  const missing = [...new Set(expected)].filter((name) => told.every((one) => one.name !== name));
  return missing.map((name, i) => {
    const tell = i === 0 ? bad : warn;
    return { name, ...(why === 'timeout' ? tell('check_unfinished', [limitMs / 1000]) : tell('check_crashed', [why])) };
  });
}

/** In the order of the list; that all is well is said of a name once, and not where anything else is. */
export function inOrder<F extends { readonly name: string; readonly status: Finding['status'] }>(
  found: readonly F[],
): F[] {
  const isSpare = (one: F, i: number) =>
    one.status === 'ok' && found.some((other, at) => other.name === one.name && (other.status !== 'ok' || at < i));
  const place = ({ name }: F) => ORDER.indexOf(name);
  return found.filter((one, i) => !isSpare(one, i)).toSorted((a, b) => place(a) - place(b));
}

const DAY_MS = 24 * 60 * 60_000;
const BACKUP_OLD_MS = 7 * DAY_MS;
/** A Date has seconds, and an answer takes some. */
const CLOCK_OFF_MS = 10_000;

function checkCertificate({ certificate: { isOwn, expiresAt, isNearEnd }, now }: HubFacts): Told {
  const days = Math.floor((expiresAt - now) / DAY_MS);
  if (!isNearEnd) return ok('certificate_ok', [days]);
  return bad('certificate_ends', [days, isOwn ? '@hub_restarts' : '@hub_renews'], 'svcd restart');
}

/** Whether the hub has a Key that the service takes. */
function checkHubKey({ hasKey, keyProblem }: HubFacts): Told {
  if (!hasKey) return bad('key_none', [], 'svcd key set');
  if (keyProblem === undefined) return ok('hub_key_ok');
  const advice = keyProblem === 'key_limit_exceeded' ? '@raise_limit' : '@enable_key';
  return bad('hub_key_refused', [keyProblem, advice], 'svcd key set');
}

/** Whether nobody knows yet of purchases whether they were charged; its journal may be in PostgreSQL. */
function checkHubUnsettled({ unknown, now }: HubFacts): Told {
  if (unknown === undefined) return ok('unsettled_none');
  return warn('unsettled', [unknown.purchases, minutesOpen(unknown, now)], `svcd purchases settle ${unknown.id}`);
}

/** Whether the clock agrees with that of the service, more closely than a home alone needs it. */
function checkHubClock({ aheadMs = 0, now }: HubFacts): Told {
  const shown = new Date(now).toISOString();
  if (Math.abs(aheadMs) <= CLOCK_OFF_MS) return ok('clock_ok', [shown]);
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  return warn('clock_off', [shown, seconds, aheadMs > 0 ? '@behind' : '@ahead', '@the_service'], SET_CLOCK);
}

function checkBackup({ lastBackup, database, now }: HubFacts): Told {
  const make = database === undefined ? 'svcd owned backup FILE' : DUMP;
  if (lastBackup === undefined) return warn('backup_old', ['@never', make], make);
  const isOld = now - lastBackup > BACKUP_OLD_MS;
  if (isOld) return warn('backup_old', [new Date(lastBackup).toISOString(), make], make);
  return ok('backup_ok', [Math.floor((now - lastBackup) / DAY_MS)]);
}

/** What makes its PostgreSQL forget, or keeps it away. */
function checkHubDatabase({ database }: HubFacts): Told[] {
  if (database === undefined) return [];
  if (database.length === 0) return [ok('database_ok')];
  return database.map(({ why, hint = '' }) => bad('database_unsafe', [why, hint]));
}

function checkAudit({ isAuditRight }: HubFacts): Told[] {
  if (isAuditRight === undefined) return [];
  if (isAuditRight === null) return [warn('audit_away')];
  return [isAuditRight ? ok('audit_ok') : bad('audit_wrong', [], 'svcd hub audit')];
}

function checkMachines({ clones }: HubFacts): Told[] {
  return clones.length === 0 ? [] : [warn('machines_cloned', [clones.join(', ')], 'svcd hub machines')];
}

const NAMED = 3;

/** The lock that `svcd verify` would take here: whether its files are there, and where not, whether they could be brought back. */
function checkLock({ home, lockFile: file }: SystemPlace): Told {
  if (file === undefined) return ok('lock_none');
  let lock: Lock;
  try {
    ({ lock } = readLock(file));
  } catch (error) {
    if (!isSvcdError(error)) throw error;
    return warn('lock_unreadable', [error.message, error.hint ?? '']);
  }
  const problems = verifyFiles(lock, dirname(file));
  const files = new Set(
    Object.values(lock.assets)
      .flatMap(filesOf)
      .map((one) => one.file),
  ).size;
  if (problems.length === 0) return ok('lock_ok', [file, files]);
  const wrong = [...new Set(problems.map((problem) => problem.file))];
  const names = [...wrong.slice(0, NAMED), ...(wrong.length > NAMED ? ['…'] : [])].join(', ');
  const lost = countLost(home, lock, new Set(problems.map(({ slot }) => slot)));
  const fetch = `svcd fetch --locked --lock ${shellWord(file)}`;
  if (lost === 0) return warn('lock_unmet', [file, names], fetch);
  return warn('lock_lost', [file, names, lost], `svcd owned import FILE && ${fetch}`);
}

/** How many files of these slots svcd has nothing to make from. */
function countLost(home: string, lock: Lock, slots: ReadonlySet<string>): number {
  const wanted = Object.entries(lock.assets).filter(([slot]) => slots.has(slot));
  const owned = inOwned(home, readOwned);
  const lost = wanted.filter(([, asset]) => {
    if (owned === undefined) return true;
    if (owned.digests.has(asset.sha256)) return false;
    // Those come with svcd or are registered; another form is made from what is owned.
    if (asset.source === 'default' || asset.source === 'shipped') return false;
    return !(asset.kind === 'sticker' && asset.form !== 'as-bought' && owned.presets.has(asset.preset));
  });
  return new Set(lost.map(([, { sha256 }]) => sha256)).size;
}

function readOwned(db: Database): { digests: ReadonlySet<string>; presets: ReadonlySet<string> } {
  const rows = db.prepare<[], { item: string; sha256: string }>('SELECT item, sha256 FROM owned').all();
  const own = hasTable(db, 'own_sticker')
    ? db.prepare<[], { preset: string; sha256: string }>('SELECT preset, sha256 FROM own_sticker').all()
    : [];
  return {
    digests: new Set([...rows, ...own].map(({ sha256 }) => sha256)),
    presets: new Set([...rows.map(({ item }) => item.replace(/^sticker:/, '')), ...own.map(({ preset }) => preset)]),
  };
}
