// Installing the service of a home: checked, written, started, and waited for until it answers.

import { setTimeout as sleep } from 'node:timers/promises';
import { type Flags, loadConfig } from '../../config/config.js';
import { passwordsApart } from '../../config/settings.js';
import { findSudoUser } from '../../config/user-session.js';
import { SvcdError } from '../../model/errors.js';
import { prepareHome } from '../../platform/files/home-folder.js';
import { EXIT_MEANINGS } from '../terminal/exit-codes.js';
import { invalidArgument } from '../terminal/invalid-argument.js';
import { RESTART_WAIT_MS, stopDaemon } from '../daemon/restart.js';
import { findRunningDaemon, type RunningDaemon } from '../connection/running-daemon.js';
import { absolutePaths } from '../terminal/options.js';
import { serviceWords } from './words.js';
import { define, mergeFlags } from './definition.js';
import {
  assertUsable,
  type Drift,
  driftOf,
  findService,
  type FoundService,
  managerFailed,
  restartService,
  stateOf,
  writeService,
} from './systems.js';

export interface Installation {
  readonly found: FoundService;
  readonly running: RunningDaemon;
  /** Whether anything had to be written or started. */
  readonly changed: boolean;
  /** What was wrong before. */
  readonly mended: readonly Drift[];
}

const READY_S = 60;
const POLL_MS = 100;

/**
 * Installs and starts the service of this home, with these settings over those it had. Throws `service_manager_failed`,
 * `already_running` beside a daemon that was started by hand (unless it may be taken over), `invalid_argument`.
 */
export async function installService(home: string, flags: readonly string[], takeOver: boolean): Promise<Installation> {
  refuseWrongPlace();
  const found = await findService(home);
  await assertUsable(found);
  if (found.installed === 'foreign') {
    throw managerFailed(serviceWords().foreign(found.place), serviceWords().foreignHint);
  }
  const mended = await driftOf(home, found, await stateOf(found));
  const definition = await define(home, mergeFlags(found.definition?.flags ?? [], flags));
  const text = found.system.textOf(definition);
  prepareHome(home);
  const running = await findRunningDaemon(home);
  const byHand = running !== undefined && !(await isService(found, running)) ? running : undefined;
  if (byHand !== undefined) await takeOverFrom(home, byHand, takeOver);
  const isSame = text === found.text && mended.length === 0;
  if (isSame && running !== undefined && byHand === undefined) return { found, running, changed: false, mended };
  if (!isSame) await writeService(found, text);
  await restartService(found);
  return { found, running: await waitForAnswer(home, found, running?.pid), changed: true, mended };
}

/** Whether this daemon is the one that the system started. Where the system does not tell processes, one that runs is. */
export async function isService(found: FoundService, { pid }: RunningDaemon): Promise<boolean> {
  if (found.installed !== 'yes') return false;
  return found.system.kind === 'task' || (await stateOf(found)).pid === pid;
}

/** Root by sudo, which is not who is meant, and a program in a cache that will be emptied. */
function refuseWrongPlace(): void {
  const words = serviceWords();
  const user = findSudoUser();
  if (user !== undefined) throw managerFailed(words.sudo(user), words.sudoHint);
  const script = process.argv[1] ?? '';
  if (/[\\/]_npx[\\/]/.test(script)) throw managerFailed(words.npx(script), words.npxHint);
}

async function takeOverFrom(home: string, running: RunningDaemon, mayEnd: boolean): Promise<void> {
  const words = serviceWords();
  const { url, pid } = running;
  if (!mayEnd) throw new SvcdError('already_running', words.byHand(home, url, pid), { hint: words.byHandHint });
  await stopDaemon(running, RESTART_WAIT_MS);
}

/** The daemon that the service became; not the one of before. Throws `service_manager_failed` when it ends instead. */
async function waitForAnswer(home: string, found: FoundService, before: number | undefined): Promise<RunningDaemon> {
  const { system, name } = found;
  const words = serviceWords();
  const output = system.outputCommand(name);
  const hint = output === undefined ? words.mendAndRepeat : words.seeOutput(output);
  for (const begunAt = performance.now(); performance.now() - begunAt < READY_S * 1000;) {
    const running = await findRunningDaemon(home);
    if (running !== undefined && running.pid !== before) return running;
    const { failed } = await stateOf(found);
    if (failed !== null) throw managerFailed(words.ended(name, describeEnd(failed)), hint);
    await sleep(POLL_MS);
  }
  throw managerFailed(words.notReady(name, READY_S), hint);
}

/** Such as `exit code 6: Another program uses the port.` */
function describeEnd(failed: string): string {
  const meaning = /^\d+$/.test(failed) ? EXIT_MEANINGS[Number(failed)] : undefined;
  return meaning === undefined ? failed : serviceWords().exitCode(failed, meaning);
}

/** The settings of a command line as arguments of `svcd start`. Paths become absolute: the service runs in another folder. */
export async function settingArguments(typed: Flags, keyFile: string | undefined) {
  const [password] = Object.keys(passwordsApart(typed).secret);
  if (password !== undefined) throw invalidArgument(serviceWords().password(password), serviceWords().passwordHint);
  const config = await loadConfig(typed);
  const paths = { ...absolutePaths(typed, config), ...(keyFile !== undefined && { 'key-file': keyFile }) };
  return Object.entries({ ...(typed as Record<string, string | boolean>), ...paths }).flatMap(([flag, value]) =>
    value === undefined ? [] : [`--${flag}=${value}`],
  );
}
