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
} from './file-checks.js';
import { type Finding, findingsOf, type Found, runCheck } from './finding.js';
import { checkDisk, checkHome, checkToken } from './folder-checks.js';
import {
  checkAudit,
  checkBackup,
  checkCertificate,
  checkHubClock,
  checkHubDatabase,
  checkHubKey,
  checkHubUnsettled,
} from './hub-checks.js';
import { checkLock } from './lock-checks.js';
import type { HomePlace, HubFacts, RemotePlace, SystemPlace } from './place.js';
import { checkRemote } from './remote-checks.js';
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
  { name: 'certificate', needs: 'daemon', run: checkCertificate },
  { name: 'Key', needs: 'daemon', run: checkHubKey },
  { name: 'unsettled', needs: 'daemon', run: checkHubUnsettled },
  { name: 'clock', needs: 'daemon', run: checkHubClock },
  { name: 'backup', needs: 'daemon', run: checkBackup },
  { name: 'database', needs: 'daemon', run: checkHubDatabase },
  { name: 'audit', needs: 'daemon', run: checkAudit },
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
      tell(
        await runCheck(
          name,
          CHECK_MS,
          isLeft ? () => findingsOf(name).warn('not_examined', [away]) : () => look(place),
        ),
      );
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
    const found = findingsOf(name)[i === 0 ? 'bad' : 'warn'];
    return why === 'timeout' ? found('check_unfinished', [limitMs / 1000]) : found('check_crashed', [why]);
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
