// svcd service: the daemon as a service of the user's own systemd, launchd or Task Scheduler.

import { userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Flags, loadConfig } from '../../config/config.js';
import { passwordsApart } from '../../config/settings.js';
import { findSudoUser, steeringVariables } from '../../config/user-session.js';
import { SvcdError } from '../../model/errors.js';
import { prepareHome } from '../../platform/files/home-folder.js';
import { findRuntime } from '../../platform/files/runtime-file.js';
import { type Bodies, command, type GroupBody, switchOption } from '../command.js';
import { findRunningDaemon, type RunningDaemon } from '../connection/running-daemon.js';
import { RESTART_WAIT_MS, stopDaemon } from '../daemon/restart.js';
import { EXIT_MEANINGS } from '../terminal/exit-codes.js';
import { formatTable, sanitize } from '../terminal/format.js';
import { type Input, invalidArgument } from '../terminal/input.js';
import { absolutePaths, asArguments, readSettingFlags, SETTING_OPTIONS } from '../terminal/options.js';
import { printAnswer, printNote } from '../terminal/output.js';
import {
  assertUsable,
  type Drift,
  driftOf,
  findService,
  type FoundService,
  managerFailed,
  removeService,
  restartService,
  startsAtBoot,
  stateOf,
  writeService,
} from './systems.js';
import { CREDENTIALS, define, mergeFlags } from './templates.js';
import { serviceWords } from './words.js';

const words = serviceWords();

const { home: _home, ...settings } = SETTING_OPTIONS;

const serviceGroup: GroupBody = {
  otherwise: 'status',
  commands: [
    command('install', words.install, {
      options: { ...settings, 'take-over': switchOption(words.takeOver) },
      examples: words.examples.install,
      run: install,
    }),
    command('remove', words.remove, { run: remove }),
    command('status', words.status, { run: showStatus }),
  ],
};

export const bodies: Bodies = { service: serviceGroup };

async function install(input: Input): Promise<void> {
  const home = await input.home();
  const flags = await readArguments(input);
  const { found, running, changed, mended } = await installService(home, flags, input.flag('take-over') === true);
  const boot = await startsAtBoot(found);
  input.answeredBy.sandbox = running.status.remote.sandbox;
  const { name, place } = found;
  const { url, pid } = running;
  const answer = { name, file: place, home, url, pid, changed, mended: mended.map(({ code }) => code) };
  await printAnswer(input, answer, () => [
    ...mended.map(({ what }) => sanitize(words.mended(what))),
    sanitize(changed ? words.installed(name, place) : words.wasInstalled(name)),
    words.serves(url, pid),
    ...(found.system.kind === 'systemd' ? [boot ? words.atBoot : words.forBoot(userInfo().username)] : []),
  ]);
  const missing = steeringVariables();
  if (missing.length === 0) return;
  printNote(words.notPassed(missing.join(', ')));
  printNote(words.notPassedHint);
}

/** The typed settings; a key file that systemd names when it starts the service is left for it to fill in. */
async function readArguments(input: Input): Promise<string[]> {
  const { 'key-file': keyFile, ...typed } = readSettingFlags(input);
  const flags = { ...(await hubFlagsOf(await input.home())), ...typed };
  const isCredential = typeof keyFile === 'string' && keyFile.startsWith(`${CREDENTIALS}/`);
  if (isCredential) return settingArguments(flags, keyFile);
  return settingArguments(keyFile === undefined ? flags : { ...flags, 'key-file': keyFile }, undefined);
}

/** What makes the daemon that runs a hub: machines that joined must find the service that takes its place. */
async function hubFlagsOf(home: string): Promise<Flags> {
  const flags = (await findRunningDaemon(home)) === undefined ? {} : findRuntime(home)?.launch?.flags;
  return Object.fromEntries(Object.entries(flags ?? {}).filter(([flag]) => flag.startsWith('hub-')));
}

async function remove(input: Input): Promise<void> {
  const home = await input.home();
  const found = await findService(home);
  const { system, name, place } = found;
  if (found.installed === 'foreign') throw managerFailed(words.foreign(place), words.foreignHint);
  const running = await findRunningDaemon(home);
  const runsAsService = running !== undefined && (await isService(found, running));
  // The Task Scheduler knows no gentle end.
  if (runsAsService && system.kind === 'task') await stopDaemon(running, RESTART_WAIT_MS);
  if (found.installed === 'yes') await removeService(found);
  const left = running !== undefined && !runsAsService ? running.pid : null;
  const answer = { removed: found.installed === 'yes', name, file: place, home, running_by_hand: left };
  return printAnswer(input, answer, () => [
    found.installed === 'yes' ? words.removed(name) : words.notInstalled(name),
    ...(left === null ? [] : [words.byHandStays(left)]),
    ...(found.installed === 'yes' ? [sanitize(words.homeStays(home))] : []),
  ]);
}

async function showStatus(input: Input): Promise<void> {
  const home = await input.home();
  const found = await findService(home);
  const { system, name, place, installed } = found;
  const running = await findRunningDaemon(home);
  const state = await stateOf(found);
  const drift = await driftOf(home, found, state);
  const isRunning = running !== undefined && (await isService(found, running));
  const boot = await startsAtBoot(found);
  const answer = {
    name,
    manager: system.kind,
    file: place,
    home,
    installed,
    enabled: state.enabled,
    running: isRunning,
    pid: isRunning ? running.pid : state.pid,
    url: isRunning ? running.url : null,
    running_by_hand: running !== undefined && !isRunning ? running.pid : null,
    at_boot: boot,
    trouble: state.trouble,
    drift,
  };
  const says = { yes: words.isInstalled, no: words.isNotInstalled, foreign: words.isForeign }[installed](name);
  const describeRunning = () => {
    if (isRunning) return words.runsAsService(running.url, running.pid);
    if (running !== undefined) return words.runsByHand(running.url, running.pid);
    return state.pid === null ? words.no : words.startsUp(state.pid);
  };
  const yesOrNo = (is: boolean | null) => (is === null ? words.unknown : is ? words.yes : words.no);
  const rows =
    installed === 'yes'
      ? [
          [words.labels.file, place],
          [words.labels.enabled, yesOrNo(state.enabled)],
          ...(system.kind === 'systemd' ? [[words.labels.boot, yesOrNo(boot)]] : []),
        ]
      : [];
  return printAnswer(input, answer, () => [
    ...formatTable(
      [[words.labels.service, says], ...rows, [words.labels.running, describeRunning()], [words.labels.home, home]].map(
        (row) => row.map(sanitize),
      ),
    ),
    ...(state.trouble === null || installed !== 'yes' ? [] : ['', sanitize(words.noUserManager(state.trouble))]),
    ...(drift.length === 0 ? [] : ['']),
    ...drift.map(({ what, mend }) => sanitize(words.drifted(what, mend))),
  ]);
}

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
    throw managerFailed(words.foreign(found.place), words.foreignHint);
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
  const user = findSudoUser();
  if (user !== undefined) throw managerFailed(words.sudo(user), words.sudoHint);
  const script = process.argv[1] ?? '';
  if (/[\\/]_npx[\\/]/.test(script)) throw managerFailed(words.npx(script), words.npxHint);
}

async function takeOverFrom(home: string, running: RunningDaemon, mayEnd: boolean): Promise<void> {
  const { url, pid } = running;
  if (!mayEnd) throw new SvcdError('already_running', words.byHand(home, url, pid), { hint: words.byHandHint });
  await stopDaemon(running, RESTART_WAIT_MS);
}

/** The daemon that the service became; not the one of before. Throws `service_manager_failed` when it ends instead. */
async function waitForAnswer(home: string, found: FoundService, before: number | undefined): Promise<RunningDaemon> {
  const { system, name } = found;
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
  return meaning === undefined ? failed : words.exitCode(failed, meaning);
}

/** The settings of a command line as arguments of `svcd start`. Paths become absolute: the service runs in another folder. */
export async function settingArguments(typed: Flags, keyFile: string | undefined) {
  const [password] = Object.keys(passwordsApart(typed).secret);
  if (password !== undefined) throw invalidArgument(words.password(password), words.passwordHint);
  const config = await loadConfig(typed);
  const paths = { ...absolutePaths(typed, config), ...(keyFile !== undefined && { 'key-file': keyFile }) };
  return asArguments({ ...typed, ...paths });
}
