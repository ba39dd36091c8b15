// All checks of the doctor, in a process of its own: one that hangs in the system or crashes (a network disk that is gone,
// a module built for another Node.js) must not take the doctor with it. Each finding is a line of JSON on stdout.

import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, loadConfig, settleSettings } from '../../config/config.js';
import { nameHome } from '../../config/find-home.js';
import { chooseRemote } from '../../config/remote-choice.js';
import { systemClock } from '../../platform/clock.js';
import { remoteOf } from '../connection/running-daemon.js';
import { checkDaemon, checkPort, checkService, type DaemonState, findDaemonState } from './doctor-daemon.js';
import { type Finding, findingsOf, runCheck } from './doctor-finding.js';
import { checkDisk, checkFileDates, checkHome, checkLog, checkSettings, checkToken } from './doctor-home.js';
import { checkLock } from './doctor-lock.js';
import { checkDatabase, checkDates, checkLoss, checkPaid, checkSpending, checkUnsettled } from './doctor-money.js';
import { checkProxy } from './doctor-proxy.js';
import { checkRemote } from './doctor-remote.js';
import { checkMemory, checkNode, checkOpenFiles, checkPath, checkSqlite } from './doctor-system.js';
import { printJson } from '../terminal/output.js';

/** What the user wants mended. */
export interface Mends {
  readonly mendDates: boolean;
  readonly acceptLoss: boolean;
}

/** What one line says. */
export type Told =
  { readonly home: string } | { readonly findings: readonly Finding[] } | { readonly settings: object };

/** How long one check may take, and all of them. */
const CHECK_MS = 8000;

/** The checks in the order in which they are told; the process may end before all of them are. */
export const CHECK_NAMES = [
  'node',
  'better-sqlite3',
  'PATH',
  'home',
  'disk',
  'settings',
  'token',
  'log',
  'owned.db',
  'purchases',
  'spending',
  'paid',
  'unsettled',
  'dates',
  'library.db',
  'daemon',
  'service',
  'port',
  'open files',
  'memory',
  'proxy',
  'remote',
  'Key',
  'keychain',
  'clock',
  'lock',
] as const;

type CheckName = (typeof CHECK_NAMES)[number];

/** Runs all checks and tells what they find. `typed` is the home that was typed. */
export async function examine(typed: string | undefined, { mendDates, acceptLoss }: Mends): Promise<void> {
  const told: Finding[] = [];
  const run = async (name: CheckName, check: Parameters<typeof runCheck>[2]) => {
    const findings = await runCheck(name, CHECK_MS, check);
    told.push(...findings);
    await tell({ findings });
    return findings;
  };
  await run('node', checkNode);
  const [sqlite] = await run('better-sqlite3', checkSqlite);
  await run('PATH', checkPath);
  let home: string;
  try {
    home = await nameHome({ home: typed });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return void (await run('home', () => findingsOf('home').bad('home_relative', [message])));
  }
  await tell({ home });
  const homeFindings = await run('home', () => checkHome(home));
  await run('disk', () => checkDisk(home));
  const away = findWhyAway(home, homeFindings, sqlite?.state === 'ok');
  /** A check that needs the home's files. */
  const inHome = (name: CheckName, check: Parameters<typeof runCheck>[2]) =>
    run(name, away === undefined ? check : () => findingsOf(name).warn('not_examined', [away]));
  await inHome('settings', () => checkSettings(home));
  const config = await readConfig(home);
  const daemon = await findDaemonState(home).catch((): DaemonState => ({
    running: undefined,
    silent: undefined,
    holder: undefined,
  }));
  await inHome('token', () =>
    checkToken(home, daemon.running !== undefined, daemon.silent === undefined ? daemon.holder : undefined),
  );
  await inHome('log', () => checkLog(home));
  const remote = daemon.running === undefined ? await remoteIn(home) : remoteOf(daemon.running.status);
  await Promise.all([
    inHome('owned.db', () => checkDatabase(home, 'owned.db', daemon.running !== undefined)),
    inHome('purchases', () => checkLoss(home, acceptLoss)),
    inHome('spending', () => checkSpending(home)),
    inHome('paid', () => checkPaid(home, remote ?? 'none')),
    inHome('unsettled', () => checkUnsettled(home, remote ?? 'none')),
    inHome('dates', () => checkDates(home, mendDates)),
    inHome('library.db', () => checkDatabase(home, 'library.db', daemon.running !== undefined)),
    run('daemon', () => checkDaemon(home, daemon)),
    inHome('service', () => checkService(home)),
    run('open files', () => checkOpenFiles(daemon.running?.pid)),
    run('memory', checkMemory),
    inHome('lock', () => checkLock(home)),
    ...(config === undefined || remote === undefined
      ? []
      : [
          run('port', () => checkPort(config, daemon)),
          run('proxy', () => checkProxy(config, remote)),
          run('remote', () => checkRemote({ config, remote, daemon })),
        ]),
  ]);
  if (!told.some(({ code }) => code === 'clock_off')) {
    const late = away === undefined ? checkFileDates(home) : undefined;
    if (late !== undefined || !told.some(({ name }) => name === 'clock')) {
      await run('clock', () => late ?? findingsOf('clock').ok('clock_ok', [new Date(systemClock.now()).toISOString()]));
    }
  }
  await tell({ settings: await settingsOf(home) });
}

/** Why the files of the home cannot be looked at, or must not be; undefined where they can. */
function findWhyAway(home: string, found: readonly Finding[], hasSqlite: boolean): string | undefined {
  if (!hasSqlite) return 'better-sqlite3';
  if (found.some(({ code }) => code === 'home_owner' || code === 'home_writable' || code === 'home_no_folder'))
    return 'home';
  try {
    if (existsSync(home)) accessSync(join(home), constants.R_OK | constants.X_OK);
    return undefined;
  } catch {
    return 'home';
  }
}

/** The settings; undefined where they cannot be read, which the check of them tells. */
async function readConfig(home: string): Promise<Config | undefined> {
  return loadConfig({ home }).catch(() => undefined);
}

async function remoteIn(home: string): Promise<string | undefined> {
  return chooseRemote({ home }).then(
    ({ remote }) => remote,
    () => undefined,
  );
}

async function settingsOf(home: string): Promise<object> {
  try {
    const settled = await settleSettings({ home });
    return Object.fromEntries(settled.map(({ setting, value, from }) => [setting.name, { value, from }]));
  } catch (error) {
    return { unreadable: String(error) };
  }
}

function tell(told: Told): Promise<void> {
  return printJson(told);
}
