// svcd restart: the daemon of a home stops, after the requests in flight, and another one starts in its place: same home,
// port, remote and settings. One that a service manager runs is restarted by that.

import { execFile } from 'node:child_process';
import type { HubStatus } from '../../api/hub.js';
import { type Environment, loadConfig } from '../../config/config.js';
import { environmentWithoutSettings } from '../../config/environment.js';
import { findBelonging } from '../../config/membership.js';
import { isSvcdError, SvcdError } from '../../model/errors.js';
import { findRuntime, type Launch } from '../../platform/files/runtime-file.js';
import { sleep } from '../../platform/sleep.js';
import { findOrStart } from '../connection/find-or-start.js';
import { askDaemon, findRunningDaemon, type RunningDaemon } from '../connection/running-daemon.js';
import { findOrEnd, untilEnded } from '../connection/silent-daemon.js';
import { remoteFlags } from '../run/token-lease.js';
import { shellWord } from '../../platform/files/shell-word.js';
import { printNote } from '../terminal/output.js';
import { progressWords } from '../terminal/progress.js';
import { daemonWords } from './words.js';

export interface Restarted {
  /** The one that runs now. */
  readonly daemon: RunningDaemon;
  /** The one that ran before; undefined when none did. */
  readonly before: RunningDaemon | undefined;
  /** The process of one that had ended without a stop. */
  readonly crashed: number | undefined;
  readonly by: Launch['by'];
  readonly unit: string | undefined;
}

const POLL_MS = 50;
/** A command that only stops svcd does not wait for a slow image. */
const STOP_TIMEOUT_MS = 15_000;
/** As long as an image may take, and what svcd grants to its end. */
export const RESTART_WAIT_MS = 150_000;
const SERVICE_WAIT_MS = 60_000;

/** Throws what hinders the start, `timeout` when the old one does not end, and `internal` when the service manager fails. */
export async function restartDaemon(home: string): Promise<Restarted> {
  const launch = findRuntime(home)?.launch;
  const { running: before, ended } = await findOrEnd(home, () => findRunningDaemon(home));
  if (before === undefined) {
    const crashed = ended ?? findRuntime(home)?.pid ?? undefined;
    // After a stop, the home's own settings hold; after a crash, what the one that crashed was started with.
    const flags = crashed === undefined ? {} : withoutRemote(home, { ...launch?.flags });
    const { daemon } = await findOrStart(home, flags, crashed === undefined ? {} : { env: environmentLike(launch) });
    return { daemon, before, crashed, by: 'background', unit: undefined };
  }
  if (launch?.by === 'service' && launch.unit !== undefined) {
    const daemon = await restartService(home, before, launch);
    return { daemon, before, crashed: undefined, by: 'service', unit: launch.unit };
  }
  const flags = await flagsLike(home, before, launch);
  await stopDaemon(before, RESTART_WAIT_MS, () => printNote(daemonWords().waitsForRequests(before.pid)));
  try {
    const { daemon } = await findOrStart(home, flags, { env: environmentLike(launch) });
    return { daemon, before, crashed: undefined, by: launch?.by ?? 'background', unit: undefined };
  } catch (error) {
    if (!isSvcdError(error)) throw error;
    const words = daemonWords();
    const hint = [error.hint, progressWords().seeLog('svcd.log')].filter((line) => line !== undefined).join('\n');
    throw new SvcdError(error.code, words.notAgain(error.message), { cause: error, hint });
  }
}

/** Asks a daemon to stop and waits for its end; `onWait` is called when that takes a while. Throws `timeout`. */
export async function stopDaemon(
  running: RunningDaemon,
  timeoutMs = STOP_TIMEOUT_MS,
  onWait?: () => void,
): Promise<void> {
  await askDaemon(running, 'POST', '/svcd/stop').catch((error: unknown) => {
    // Another command told it to stop a moment ago.
    if (!isSvcdError(error, 'not_running')) throw error;
  });
  await untilEnded(running.pid, timeoutMs, onWait);
}

/** Settings for a daemon like this one. Throws `invalid_config` before anything is stopped, where one would not start. */
async function flagsLike(home: string, before: RunningDaemon, launch: Launch | undefined): Promise<Launch['flags']> {
  // svcd 0.1.0 did not write down how it was started.
  const flags = withoutRemote(home, launch?.flags ?? remoteFlags(before.status));
  const config = await loadConfig({ ...flags, home }, environmentLike(launch));
  const isOwnPort = launch === undefined || flags['port'] !== undefined || config.port === 0;
  return isOwnPort ? { ...flags, port: new URL(before.url).port } : flags;
}

/** A home that has joined a hub since has another remote than the one that was named when the daemon was started. */
function withoutRemote(home: string, flags: Launch['flags']): Launch['flags'] {
  if (findBelonging(home).kind === 'alone') return flags;
  const ofRemote = new Set(['remote', 'sandbox', 'with']);
  return Object.fromEntries(Object.entries(flags).filter(([name]) => !ofRemote.has(name)));
}

/**
 * The environment for a daemon like this one. Throws `invalid_config` where it had a password that svcd wrote down nowhere, and
 * that this shell does not have.
 */
function environmentLike(launch: Launch | undefined): Environment {
  const inherited = launch?.inherits ?? [];
  const env = environmentWithoutSettings(inherited);
  const missing = inherited.find((name) => env[name] === undefined);
  if (missing === undefined) return env;
  const words = daemonWords();
  throw new SvcdError('invalid_config', words.notInherited(missing), { hint: words.setAgain(missing) });
}

async function restartService(home: string, before: RunningDaemon, launch: Launch): Promise<RunningDaemon> {
  const unit = launch.unit ?? '';
  await askManager(commandOf(launch.manager, unit));
  for (let waitedMs = 0; waitedMs < SERVICE_WAIT_MS; waitedMs += POLL_MS) {
    const now = await findRunningDaemon(home).catch(() => undefined);
    if (now !== undefined && now.pid !== before.pid) return now;
    await sleep(POLL_MS);
  }
  const words = daemonWords();
  throw new SvcdError('timeout', words.serviceSilent(unit, SERVICE_WAIT_MS / 1000), { hint: words.serviceHint });
}

function commandOf(manager: string | undefined, unit: string): readonly [string, ...string[]] {
  if (manager === 'launchd') return ['launchctl', 'kickstart', '-k', `gui/${process.getuid?.() ?? 0}/${unit}`];
  return manager === 'systemd' ? ['systemctl', 'restart', unit] : ['systemctl', '--user', 'restart', unit];
}

function askManager([program, ...args]: readonly [string, ...string[]]): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(program, args, (cause, _, stderr) => {
      if (cause === null) return resolve();
      const words = daemonWords();
      const why = stderr.trim().split('\n').at(-1) || cause.message;
      const message = words.serviceFailed([program, ...args].join(' '), why);
      reject(new SvcdError('internal', message, { cause, hint: words.serviceHint }));
    });
  });
}

const OF_HUB = /^hub-(?=listen|public-url|identity|tls-|receipt-key|database)/;
const USUAL_LISTEN = '0.0.0.0:7825';
const DATABASE = 'SVCD_HUB_DATABASE';
/** A hub whose database is away takes its time to say so, and who stops it should not wait for that. */
const ASK_MS = 3000;

/** Undefined of a daemon that is no hub, and of one that a service starts. To be asked while it runs. */
export async function findHubStartLine(home: string, running: RunningDaemon): Promise<string | undefined> {
  const launch = findRuntime(home)?.launch;
  if (launch === undefined || launch.by === 'service' || launch.flags['hub-listen'] === undefined) return undefined;
  const place = launch.inherits?.includes(DATABASE) === true ? await askPlace(running) : undefined;
  const database = place?.replace('://', '://USER:PASSWORD@');
  return [
    'svcd hub start',
    ...wordsOf(launch),
    ...(database === undefined ? [] : [`--database ${shellWord(database)}`]),
  ].join(' ');
}

/** The remote is remembered by the home. */
function wordsOf({ flags }: Launch): string[] {
  return Object.entries(flags).flatMap(([flag, value]) => {
    if (value === false || (flag === 'hub-listen' && value === USUAL_LISTEN)) return [];
    if (!flag.startsWith('hub-') && flag !== 'port') return [];
    const name = `--${flag.replace(OF_HUB, '')}`;
    return [value === true ? name : `${name} ${shellWord(value)}`];
  });
}

/** Where its database is, without user and password; undefined where it does not say. */
async function askPlace(running: RunningDaemon): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ASK_MS);
  });
  const asked = askDaemon<HubStatus>(running, 'GET', '/svcd/hub/status').then(
    ({ database }) => database,
    () => undefined,
  );
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}
