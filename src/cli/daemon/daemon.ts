// svcd start, stop, restart, status and offline: the daemon itself.

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DaemonStatus, PageCode } from '../../api/answers.js';
import { type Flags, settleSettings, writeSetting } from '../../config/config.js';
import { SANDBOX } from '../../config/last-used.js';
import { chooseRemote } from '../../config/remote-choice.js';
import { findSettingFaults } from '../../config/setting-faults.js';
import { SETTINGS } from '../../config/settings.js';
import { systemClock } from '../../platform/clock.js';
import { prepareHome, SESSIONS_FILE } from '../../platform/files/home-folder.js';
import { describeKeychain, describeKeySource } from '../access/user-key.js';
import { type Bodies, type CommandBody, switchOption } from '../command.js';
import { askDaemon, findRunningDaemon, getRunningDaemon, type RunningDaemon } from '../connection/running-daemon.js';
import { findOrEnd } from '../connection/silent-daemon.js';
import { describeRefusal } from '../get/describe-reason.js';
import { describeKeyInUse } from './banner.js';
import { findHubStartLine, restartDaemon, type Restarted, stopDaemon } from './restart.js';
import { noteService } from '../service/note-service.js';
import { errorWords } from '../terminal/error-words.js';
import { formatCount, formatDuration, formatFields, formatNumber, sanitize } from '../terminal/format.js';
import { type Input, invalidArgument } from '../terminal/input.js';
import {
  hideTyped,
  readSandboxOptions,
  readSettingFlags,
  SANDBOX_OPTIONS,
  SETTING_OPTIONS,
} from '../terminal/options.js';
import { markOf, printAnswer, printLines, printNote } from '../terminal/output.js';
import { describeFilling, progressWords } from '../terminal/progress.js';
import { didYouMean } from '../terminal/usage-error.js';
import { daemonWords } from './words.js';

const words = daemonWords();
const { translated } = errorWords();

const startCommand: CommandBody = {
  options: {
    ...SETTING_OPTIONS,
    ...SANDBOX_OPTIONS,
    detach: switchOption(words.detach),
    'until-input-ends': switchOption(words.untilInputEnds),
  },
  examples: [
    `svcd start --sandbox # ${words.examples.trySandbox}`,
    `svcd start --sandbox --fresh --seed 1 --with music,tasks # ${words.examples.sameSandbox}`,
  ],
  run: async (input) => {
    const flags = readSettingFlags(input);
    refuseBoth(flags);
    return start(input, flags, 'svcd start');
  },
};

/** Starts it here, or in the background if that was typed; `title` is what the process is called. */
export async function start(input: Input, flags: Flags, title: string, asHub = false): Promise<void> {
  const sandbox = readSandboxOptions(input);
  hideTyped(flags, title);
  noteUnknownSettings(await input.home());
  if (!input.json) await noteService(await input.home(), 'startBeside');
  const { json } = input;
  if (input.flag('detach') === true) {
    const { startDetached } = await import('../connection/detach.js');
    return startDetached(flags, sandbox, { json, asHub });
  }
  const { serve } = await import('./serve.js');
  return serve(flags, sandbox, { json, asHub, untilInputEnds: input.flag('until-input-ends') });
}

/** That nothing runs is a success: the daemon is stopped. */
const stopCommand: CommandBody = {
  examples: [`svcd stop # ${words.examples.stop}`],
  run: async (input) => {
    const home = await input.home();
    const { running, ended } = await findOrEnd(home, () => findRunningDaemon(home));
    const isThere = running !== undefined || ended !== undefined;
    const ofHub = running && (await findHubStartLine(home, running));
    if (running !== undefined) await stopDaemon(running);
    if (isThere || existsSync(join(home, SESSIONS_FILE))) rmSync(join(home, SESSIONS_FILE), { force: true });
    if (isThere) await noteService(home, 'startsAgain');
    // Whether the next start uses what this one used, as far as a word of it is needed.
    const next = await chooseRemote({ home }).catch(() => undefined);
    const stays = running?.status.remote.sandbox !== true || next?.remote === SANDBOX;
    return printAnswer(input, { stopped: isThere, pid: running?.pid ?? ended, home }, () =>
      running === undefined
        ? ended === undefined
          ? words.nothingToStop(home)
          : words.hasEnded(ended)
        : [
            words.hasStopped(running.url, running.pid),
            ...(ofHub !== undefined
              ? [sanitize(words.startHubAgain(stays ? ofHub : `${ofHub} --sandbox`))]
              : running.status.remote.sandbox && stays
                ? [words.staysWithSandbox]
                : []),
          ],
    );
  },
};

const restartCommand: CommandBody = {
  examples: [`svcd restart # ${words.examples.restart}`],
  run: async (input) => {
    const home = await input.home();
    const restarted = await restartDaemon(home);
    const { daemon, before, crashed } = restarted;
    const [was, is] = [before?.status.key_source, daemon.status.key_source];
    // Where the Key is looked for in the background, the start knows it a moment later.
    if (was === 'environment' && is !== was) printNote(words.otherKey(words.keyFrom.environment, nameKey(is)));
    const { url, pid, status } = daemon;
    input.answeredBy.sandbox = status.remote.sandbox;
    const answer = {
      restarted: before !== undefined,
      url,
      pid,
      version: status.version,
      was: before?.pid ?? crashed ?? null,
      home,
    };
    return printAnswer(input, answer, () => describeRestart(restarted, home));
  },
};

function nameKey(source: DaemonStatus['key_source']): string {
  return source === 'none' ? words.keyFrom.none : describeKeySource(source);
}

function describeRestart({ daemon, before, crashed, by, unit }: Restarted, home: string): string[] {
  const { url, pid, status } = daemon;
  if (crashed !== undefined) return [words.startedAfterCrash(url, crashed)];
  if (before === undefined) return [words.startedInstead(url, home)];
  return [
    sanitize(words.restarted(url, status.version, pid)),
    ...(by === 'terminal' ? [words.leftTerminal(before.pid)] : []),
    ...(unit === undefined ? [] : [words.restartedByService(unit)]),
  ];
}

const statusCommand: CommandBody = {
  run: async (input) => {
    const home = await input.home();
    noteUnknownSettings(home);
    const running = await getRunningDaemon(home);
    // Of the account only who shows the home's token is told.
    const { key_problem } = await askDaemon<DaemonStatus>(running, 'GET', '/svcd/status');
    const status = { ...(await withKnownWay(running)), key_problem };
    return printAnswer(input, { ...status, home }, () => describeStatus(status, home));
  },
};

const offlineCommand: CommandBody = {
  options: { off: switchOption(words.off) },
  run: (input) => {
    const offline = input.flag('off') !== true;
    return switchOffline(input, offline, offline ? words.offlineEffect : words.onlineEffect);
  },
};

const openCommand: CommandBody = {
  options: { print: switchOption(words.open.print), code: switchOption(words.open.code) },
  run: async (input) => {
    const running = await getRunningDaemon(await input.home());
    if (input.flag('code') === true) {
      const { code, ...rest } = await askDaemon<PageCode>(running, 'POST', '/svcd/page-code');
      input.answeredBy.sandbox = running.status.remote.sandbox;
      if (input.json) return printAnswer(input, { code, ...rest }, () => []);
      await printLines(code);
      return printNote(words.open.typeIt(rest.expires_in_s));
    }
    // Loaded late: other commands should not pay for it.
    const { openSignedIn } = await import('./serve.js');
    const { code, opened } = await openSignedIn(running, !input.json && input.flag('print') !== true);
    input.answeredBy.sandbox = running.status.remote.sandbox;
    if (input.json) return printAnswer(input, code, () => []);
    if (opened) return printAnswer(input, code, () => words.open.opened);
    await printLines(code.url);
    printNote(words.open.pasteIt(code.expires_in_s));
    markOf(input).forEach(printNote);
  },
};

export const bodies: Bodies = {
  open: openCommand,
  start: startCommand,
  stop: stopCommand,
  restart: restartCommand,
  status: statusCommand,
  offline: offlineCommand,
};

/** Names in config.json that have no effect, each with what may have been meant. */
function noteUnknownSettings(home: string): void {
  for (const { kind, where, name } of findSettingFaults(home)) {
    if (kind !== 'name' || where !== 'file') continue;
    const meant = didYouMean(
      name,
      SETTINGS.flatMap(({ file }) => file ?? []),
    );
    printNote(sanitize(words.unknownSetting(JSON.stringify(name), meant)));
  }
}

/** Typed both, they contradict each other. */
function refuseBoth(flags: Flags): void {
  if (flags['remote'] === undefined || flags['sandbox'] !== true) return;
  throw invalidArgument(words.bothRemotes);
}

/** The same daemon's status, after one free question to the remote where nothing has been asked of it yet, and to a hub. */
async function withKnownWay(running: RunningDaemon): Promise<DaemonStatus> {
  const { answered, offline, address } = running.status.remote;
  // A hub is near and free to ask, and a machine that cannot reach it buys nothing.
  const isKnown = answered && running.status.hub === null;
  if (isKnown || offline || address === null) return running.status;
  // Its answer is of no interest, nor a refusal; silence has been noticed long before.
  await askDaemon(running, 'GET', running.status.key ? '/api/v1/me' : '/api/v1/capabilities').catch(() => undefined);
  return askDaemon<DaemonStatus>(running, 'GET', '/svcd/status');
}

function describeStatus(status: DaemonStatus, home: string): string[] {
  const { remote, spending_stopped: stop } = status;
  const { fields } = words;
  return [
    sanitize(words.runs(status.version, status.url, status.pid)),
    '',
    ...formatFields({
      [fields.up]: formatDuration(systemClock.now() - Date.parse(status.started_at)),
      ...(status.updated && { [fields.updated]: words.isUpdated }),
      [fields.library]: describeLibrary(status.library),
      [fields.owned]: formatNumber(status.owned.items),
      [fields.remote]: describeRemoteOf(status),
      ...(remote.proxy !== null && { [fields.proxy]: remote.proxy }),
      [fields.way]: describeConnection(status),
      ...(stop !== null && { [fields.spending]: sanitize(words.stopped(translated(stop.why), translated(stop.hint))) }),
      [fields.key]: describeKeyInUse(status),
      [fields.keychain]: describeKeychain(status.keychain, status.key),
      [fields.home]: home,
    }),
  ];
}

/** The sandbox, the address, or the hub with who pays. */
function describeRemoteOf({ remote, hub }: DaemonStatus): string {
  const address = remote.address ?? words.none;
  if (hub === null) return remote.sandbox ? words.sandboxAt(address) : address;
  if (hub.problem !== null) return sanitize(words.hubUnknown(hub.problem));
  const who = words.ofHub(address, hub.project ?? '', hub.machine ?? '');
  return sanitize(remote.sandbox ? words.hubOfSandbox(who) : who);
}

function describeLibrary(library: DaemonStatus['library']): string {
  const { stickers, shipped = 0, building } = library;
  const going = building === null ? describeFilling(library) : progressWords().building(building);
  const own = shipped === 0 ? '' : words.ofThemShipped(formatNumber(shipped));
  return [`${formatCount(stickers - shipped, 'sticker')}${own}`, ...(going === undefined ? [] : [going])].join(
    words.semicolon,
  );
}

/** Whether the remote is asked; if not, since when and why. */
function describeConnection({ remote, hub }: DaemonStatus): string {
  const { address, answered, offline, forced, since, why, held_until: until } = remote;
  // There is nothing to find a way to.
  if (address === null) return words.noWay;
  // A budget that is used up keeps nothing from answering.
  const refusal = hub?.refusal ?? null;
  const refused = forced || refusal === null || refusal.code === 'budget' ? undefined : describeRefusal(refusal);
  if (refused !== undefined) return words.refused(refused);
  if (!offline && until !== null) return words.held(formatDuration(Date.parse(until) - systemClock.now()));
  if (!offline) return answered ? words.online : words.notAsked;
  const duration = since === null ? '' : words.since(formatDuration(systemClock.now() - Date.parse(since)));
  return forced
    ? words.forced(duration)
    : words.away(duration, why === null ? words.awayWhy : errorWords().translated(why));
}

/** Tells a running daemon, which writes it to config.json for the next start; without a daemon writes it here. */
async function switchOffline(input: Input, offline: boolean, effect: string): Promise<void> {
  const home = await input.home();
  const running = await findRunningDaemon(home);
  if (running === undefined) {
    prepareHome(home);
    writeSetting(home, 'offline', String(offline));
  }
  const { kept: written } =
    running === undefined
      ? { kept: true }
      : await askDaemon<{ kept: boolean }>(running, 'POST', '/svcd/offline', { offline });
  const kept = written && (await isKept(home, offline));
  input.answeredBy.sandbox = running?.status.remote.sandbox ?? false;
  const answer = { offline, url: running?.url ?? null, kept, home };
  return printAnswer(input, answer, () =>
    running === undefined ? words.stateNext(offline, kept) : [words.stateNow(running.url, offline, kept), effect],
  );
}

/** What a start without flags would use: SVCD_OFFLINE in the environment overrides the file. */
async function isKept(home: string, offline: boolean): Promise<boolean> {
  const settled = await settleSettings({ home });
  return settled.find(({ setting }) => setting.name === 'offline')?.value === offline;
}
