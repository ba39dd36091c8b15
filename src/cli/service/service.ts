// svcd service: the daemon as a service of the user's own systemd, launchd or Task Scheduler.

import { userInfo } from 'node:os';
import type { Flags } from '../../config/config.js';
import { steeringVariables } from '../../config/user-session.js';
import { findRuntime } from '../../platform/files/home-folder.js';
import { type Bodies, command, type GroupBody, switchOption } from '../command.js';
import { formatTable, sanitize } from '../terminal/format.js';
import type { Input } from '../terminal/input.js';
import { readSettingFlags, SETTING_OPTIONS } from '../terminal/options.js';
import { printAnswer, printNote } from '../terminal/output.js';
import { RESTART_WAIT_MS, stopDaemon } from '../daemon/restart.js';
import { findRunningDaemon } from '../connection/running-daemon.js';
import { CREDENTIALS } from './definition.js';
import { installService, isService, settingArguments } from './install.js';
import { driftOf, findService, managerFailed, removeService, startsAtBoot, stateOf } from './systems.js';
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
    command('remove', words.remove, { examples: words.examples.remove, run: remove }),
    command('status', words.status, { examples: words.examples.status, run: showStatus }),
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
