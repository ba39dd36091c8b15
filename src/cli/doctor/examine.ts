// What the doctor looks at, in a process of its own: a check that hangs in the system or crashes (a network disk that is gone,
// a module built for another Node.js) must not take the doctor with it. Each line of JSON on stdout is what it came to.
// Files and remote are the daemon's to look at (GET /svcd/health), where one answers.

import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Health, HealthRow, Language } from '../../api/health.js';
import { type Config, loadConfig, settleSettings } from '../../config/config.js';
import { nameHome } from '../../config/find-home.js';
import { chooseRemote } from '../../config/remote-choice.js';
import { checkMember } from '../../hub/member/check-member.js';
import { isSvcdError } from '../../model/errors.js';
import { findLockHolder } from '../../platform/files/find-process.js';
import { findRuntime } from '../../platform/files/runtime-file.js';
import { CHECKS, type Needs, runChecks } from '../../operations/health/checks.js';
import { type Finding, tellFailure } from '../../operations/health/finding.js';
import type { DaemonState, Mends } from '../../operations/health/place.js';
import { toRow } from '../../operations/health/to-row.js';
import {
  askDaemon,
  findRunningDaemon,
  findStatus,
  remoteOf,
  type RunningDaemon,
} from '../connection/running-daemon.js';
import { driftOf, findService, stateOf } from '../service/systems.js';
import { printJson } from '../terminal/output.js';
import { USUAL_LOCKS } from '../../video/lock/find-lock.js';

/** What one line says. */
export type Told = { readonly home: string } | { readonly rows: readonly HealthRow[] } | { readonly settings: object };

/** A daemon that lives answers its status in milliseconds. */
const PATIENCE_MS = 3000;
/** Runs all checks and tells what they find. `typed` is the home that was typed. */
export async function examine(typed: string | undefined, mends: Mends, language: Language): Promise<void> {
  const told: Finding[] = [];
  const tell = (findings: readonly Finding[]) => {
    told.push(...findings);
    void print({ rows: findings.map((finding) => toRow(finding, language)) });
  };
  const lockFile = USUAL_LOCKS.find((file) => existsSync(file));
  const nothing = { config: undefined, remote: undefined, daemon: NO_DAEMON, lockFile };
  const first = { home: '', ...nothing, findService: async () => undefined, findSvcdAt };
  for (const name of BEFORE_HOME) await runChecks('system', first, tell, { names: [name] });
  let home: string;
  try {
    home = await nameHome({ home: typed });
  } catch (error) {
    return tell([{ name: 'home', ...tellFailure(error) }]);
  }
  await print({ home });
  for (const name of OF_FOLDER) await runChecks('system', { ...first, home }, tell, { names: [name] });
  const away = findWhyAway(home, told);
  const daemon = await findDaemon(home).catch(() => NO_DAEMON);
  const running = daemon.running;
  const config = away === undefined ? await loadConfig({ home }).catch((): Config | undefined => undefined) : undefined;
  const remote = running === undefined ? await remoteIn(home) : remoteOf(running.status);
  /** What the daemon is not asked of its home: its answer is of another shell, and mends nothing. */
  const own = ['settings', ...(mends.acceptLoss ? ['purchases'] : []), ...(mends.mendDates ? ['dates'] : [])];
  const files = { home, remote, isRunning: running !== undefined, mends };
  const askOrLook = async () => {
    const known = running?.status.remote;
    const asked = running && askDaemon<Health>(running, 'GET', `/svcd/health?lang=${language}`);
    // One of another version cannot tell.
    const health = await asked?.catch(() => undefined);
    if (health !== undefined) return print({ rows: health.checks.filter(({ name }) => !own.includes(name)) });
    const findHub = async () => config && checkMember(config, known?.forced === true);
    await Promise.all([
      runChecks('home', files, tell, { names: namesOf('home').filter((name) => !own.includes(name)), away }),
      config && remote !== undefined ? runChecks('remote', { config, remote, known, findHub }, tell) : undefined,
    ]);
  };
  const place = { config, remote, daemon, findService: () => serviceOf(home), findSvcdAt, home, lockFile };
  const rest = namesOf('system').filter((name) => ![...BEFORE_HOME, ...OF_FOLDER].includes(name));
  // None waits for another: together they have less time than two that hang one after the other would take.
  await Promise.all([
    runChecks('home', files, tell, { names: own, away }),
    askOrLook(),
    runChecks('system', place, tell, { names: rest, away }),
  ]);
  await print({ settings: await settingsOf(home) });
}

const NO_DAEMON = { running: undefined, silent: undefined, holder: undefined };
const BEFORE_HOME = ['node', 'better-sqlite3', 'PATH'];
const OF_FOLDER = ['home', 'disk'];

function namesOf(needs: Needs): string[] {
  return CHECKS.filter((one) => one.needs === needs).map(({ name }) => name);
}

interface FoundDaemon extends Omit<DaemonState, 'running'> {
  readonly running: (RunningDaemon & { readonly version: string }) | undefined;
}

/** Looks once for what runs on a home. */
async function findDaemon(home: string): Promise<FoundDaemon> {
  const holder = findLockHolder(join(home, 'daemon.lock'))?.pid;
  const runtime = findRuntime(home);
  try {
    const running = await findRunningDaemon(home, PATIENCE_MS);
    return { running: running && { ...running, version: running.status.version }, silent: undefined, holder };
  } catch (error) {
    const { url = '', pid = null } = runtime ?? {};
    // `busy` is what it says of a daemon that closes each connection.
    if (pid === null || !(isSvcdError(error, 'timeout') || isSvcdError(error, 'busy'))) throw error;
    return { running: undefined, silent: { pid, url }, holder };
  }
}

async function serviceOf(home: string) {
  const found = await findService(home).catch((error: unknown) => {
    // A system that starts nothing at login.
    if (isSvcdError(error, 'service_manager_failed') || isSvcdError(error, 'invalid_config')) return undefined;
    throw error;
  });
  if (found?.installed !== 'yes') return undefined;
  return { place: found.place, drift: await driftOf(home, found, await stateOf(found)) };
}

async function findSvcdAt(url: string): Promise<number | undefined> {
  return findStatus(url, '/svcd/status', 'svcd', PATIENCE_MS).then(
    (status) => status?.pid,
    () => undefined,
  );
}

/** Why the files of the home cannot be looked at, or must not be; undefined where they can. */
function findWhyAway(home: string, found: readonly Finding[]): string | undefined {
  if (found.some(({ code }) => code === 'sqlite_missing')) return 'better-sqlite3';
  if (found.some(({ code }) => code === 'home_owner' || code === 'home_writable' || code === 'home_no_folder')) {
    return 'home';
  }
  try {
    if (existsSync(home)) accessSync(home, constants.R_OK | constants.X_OK);
    return undefined;
  } catch {
    return 'home';
  }
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

function print(told: Told): Promise<void> {
  return printJson(told);
}
