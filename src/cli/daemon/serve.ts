// Running the daemon in this process, from its first line to its clean end.

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KeyReport, UserKey } from '../../auth/user-key.js';
import { type Config, type Flags, loadConfig, type SettledSetting, settleSettings } from '../../config/config.js';
import { isUnattended } from '../../config/environment.js';
import { chooseRemote, describeChange, rememberRemote, type RemoteChoice } from '../../config/remote-choice.js';
import { shownValue } from '../../config/settings.js';
import { findSupervisor } from '../../config/supervisor.js';
import type { Daemon } from '../../daemon/daemon.js';
import type { SandboxStartOptions } from '../../daemon/host-sandbox.js';
import type { PreparedFiles } from '../../daemon/prepared-files.js';
import { isSvcdError } from '../../model/errors.js';
import { findLiving, type Launch } from '../../platform/files/runtime-file.js';
import { buildOf, VERSION } from '../../platform/installation.js';
import type { Log } from '../../platform/log.js';
import { openOutside } from '../../platform/open-outside.js';
import { openUserKey } from '../access/user-key.js';
import { openDaemonLog } from '../connection/daemon-log.js';
import { type Access, askDaemon } from '../connection/running-daemon.js';
import { invalidArgument } from '../terminal/input.js';
import { sandboxArguments } from '../terminal/options.js';
import { printNote } from '../terminal/output.js';
import { watchOwnStart } from '../terminal/progress.js';
import { reportError } from '../terminal/report-error.js';
import { watchStopSignals } from '../terminal/exit-codes.js';
import { announce } from './banner.js';
import { daemonWords } from './words.js';

// Long enough for a command that answers in process, short enough not to seem stuck.
const LOCK_WAIT_MS = 3000;
// A healthy keyring answers within this; a start does not wait longer for one that hangs.
const KEY_WAIT_MS = 1000;
const UNUSED_POLL_MS = 200;
const ROOM_EVERY_MAX_MS = 10 * 60_000;

/** What else a start may be told. */
export interface ServeOptions {
  readonly json: boolean;
  /** Whether it ends when standard input does, and no command uses it any more. */
  readonly untilInputEnds?: boolean | undefined;
  /** Whether it is told as a hub, and not as svcd on this machine. */
  readonly asHub?: boolean;
}

/** Serves until a signal or a request says stop. Throws what `startDaemon` throws. */
export async function serve(
  flags: Flags,
  sandbox: SandboxStartOptions,
  { json, untilInputEnds = false, asHub = false }: ServeOptions,
): Promise<void> {
  let isEarly = false as boolean;
  // From the beginning: a hub must not end by one that comes while it starts.
  let reload: (() => void) | undefined = () => void (isEarly = true);
  const signalled = watchStopSignals((signal) => {
    if (signal !== 'SIGHUP' || reload === undefined) return false;
    reload();
    return true;
  });
  // Node would open its inspector, by which the Key can be read.
  process.on('SIGUSR1', () => undefined);
  // Before an update can have replaced it.
  buildOf();
  // From here on, so that an end during the start is seen.
  const inputEnded = untilInputEnds ? untilEnd(process.stdin) : undefined;
  const config = await loadConfig(flags);
  // A hub is to run for months; any other daemon ends with its terminal.
  if (config.hubListen === undefined) {
    reload = undefined;
    if (isEarly) process.kill(process.pid, 'SIGHUP');
  }
  const choice = await chooseRemote(flags);
  refuseUnusedOptions(config, sandbox);
  const watcher = openDaemonLog(json);
  const { log } = watcher;
  const keys = openUserKey(flags, config.remote);
  // In parallel to the start, which takes longer.
  const looking = config.sandbox ? undefined : lookForKey(keys, config, log);
  const typed = await typedSettings(flags, sandbox);
  const prepared = config.sandbox ? await beginUnpacking(config.home, log) : undefined;
  const { startDaemon, ROOM_EVERY_MS } = await import('../../daemon/daemon.js');
  const { watch, end } = watchOwnStart(json);
  let roomEveryMs = ROOM_EVERY_MS;
  const start = (at: Config, unpacked?: PreparedFiles) =>
    startDaemon(at, {
      log,
      watcher,
      launch: () => launchOf(typed, watcher.isBackground()),
      keys,
      listens: true,
      watch,
      roomEveryMs,
      prepared: unpacked,
      sandbox,
      lockWaitMs: lockWaitMs(config.home),
    }).finally(end);
  try {
    let daemon = await start(config, prepared);
    let endOffer = (): void => undefined;
    if (reload !== undefined) reload = () => void reloadHub(daemon, keys, config, log);
    if (isEarly) reload?.();
    try {
      remember(config, choice, log);
      warn(config, log);
      await Promise.race([looking, sleep(KEY_WAIT_MS, undefined, { ref: false })]);
      if (json) describeChange(choice).forEach((line) => log.warn(line));
      const { url, home } = daemon.info;
      const { offline, remote } = config;
      const { version: node } = process;
      const facts = { url, version: VERSION, build: buildOf(), node, pid: process.pid, home };
      log.info('svcd started', { ...facts, remote: config.sandbox ? 'sandbox' : (remote ?? 'none'), offline });
      await announce(config, choice, daemon.info, { json, asHub });
      if (!json && !untilInputEnds) endOffer = offerPage(daemon.info);
      watcher.show();
      for (;;) {
        const unused = inputEnded?.then(() => untilUnused(daemon));
        const { stopAsked, roomReturned } = daemon;
        const also = [roomReturned, unused].filter((one) => one !== undefined);
        const why = await Promise.race([signalled, stopAsked, ...also]);
        log.info('stopping', { why: why ?? 'asked to' });
        if (why !== 'room') return;
        await daemon.close();
        // Where clients know it.
        roomEveryMs = Math.min(2 * roomEveryMs, ROOM_EVERY_MAX_MS);
        daemon = await start({ ...config, port: Number(new URL(url).port) });
        // A start needs more room than the question whether there is some.
        if (daemon.roomReturned === undefined)
          log.info('the disk has room again: svcd serves its home, and buys', { url });
      }
    } finally {
      endOffer();
      await daemon.close();
    }
  } finally {
    watcher.show();
  }
}

type Typed = Pick<Launch, 'flags' | 'inherits'>;

/** What was typed, or stands in the environment of this process alone: what another start would not know by itself. */
async function typedSettings(flags: Flags, { modules }: SandboxStartOptions): Promise<Typed> {
  const settled = await settleSettings(flags);
  const typed = settled.filter(
    ({ setting: { flag }, value, from }) =>
      flag !== 'home' && value !== undefined && (from === 'flag' || from === 'environment'),
  );
  const isShown = (one: SettledSetting) => shownValue(one) === one.value;
  const shown = typed
    .filter(isShown)
    .map(({ setting: { flag }, value }) => [flag, typeof value === 'boolean' ? value : String(value)] as const);
  return {
    flags: { ...Object.fromEntries(shown), ...(modules !== undefined && { with: modules.join(',') }) },
    // A command line takes none with a password: those came from the environment.
    inherits: typed.filter((one) => !isShown(one)).map(({ setting }) => setting.env),
  };
}

function launchOf(typed: Typed, isBackground: boolean): Launch {
  const supervisor = findSupervisor();
  if (supervisor !== undefined) return { by: 'service', ...supervisor, ...typed };
  return { by: isBackground ? 'background' : 'terminal', ...typed };
}

/** Before the daemon's code is loaded, which takes as long. */
async function beginUnpacking(home: string, log: Log): Promise<PreparedFiles> {
  const { unpackPrepared } = await import('../../daemon/prepared-files.js');
  return unpackPrepared(home, log);
}

async function untilEnd(input: NodeJS.ReadStream): Promise<void> {
  input.resume();
  await Promise.race(['end', 'close', 'error'].map((event) => once(input, event).catch(() => undefined)));
}

/** Commands that found it running shall not lose it in the middle. */
async function untilUnused(daemon: Daemon): Promise<string> {
  while (daemon.servesCommands()) await sleep(UNUSED_POLL_MS);
  return 'its input ended';
}

/** Serving goes on without the note: only the next command would not know. */
function remember({ home }: Config, choice: RemoteChoice, log: Log): void {
  try {
    rememberRemote(home, choice);
  } catch (error) {
    log.warn('later commands will not know which remote was used', { why: String(error) });
  }
}

/** Options of a sandbox that does not run would be ignored without a word. */
function refuseUnusedOptions(config: Config, sandbox: SandboxStartOptions): void {
  const [first] = sandboxArguments(sandbox);
  if (config.sandbox || first === undefined) return;
  const words = daemonWords();
  throw invalidArgument(words.onlyForSandbox(first.split('=', 1)[0] ?? first), words.addSandbox);
}

/** A running daemon is refused at once; a command that is about to end is waited for. */
function lockWaitMs(home: string): number {
  return findLiving(home) === undefined ? LOCK_WAIT_MS : 0;
}

/** Looks for the Key and logs where it was found, never the Key. Never rejects. */
async function lookForKey(keys: UserKey, { remote }: Config, log: Log): Promise<void> {
  try {
    logKey(await keys.refresh(false), remote, log);
  } catch (error) {
    log.warn('the Key could not be looked for', { why: String(error) });
  }
}

/** Reads what may have been replaced: the Key and the certificate; one that will not do leaves the last one. Never rejects. */
async function reloadHub(daemon: Daemon, keys: UserKey, { remote }: Config, log: Log): Promise<void> {
  const readAgain = async (what: string, read: () => Promise<void>) => {
    try {
      await read();
      log.info(`the ${what} was read again`);
    } catch (error) {
      const hint = isSvcdError(error) ? error.hint : undefined;
      log.error(`the hub goes on with the ${what} that it had`, { why: String(error), hint });
    }
  };
  await readAgain('Key', async () => logKey(await keys.refresh(false, true), remote, log));
  await readAgain('certificate', () => daemon.reload());
}

function logKey({ source, keychain, warnings }: KeyReport, remote: string | undefined, log: Log): void {
  for (const warning of warnings) log.warn(warning);
  if (source !== 'none') log.info('found the Key', { source });
  else if (remote !== undefined) {
    log.warn(`no Key: SERVICE_API_KEY is not set, and the OS keychain ${keychain.words}`, {
      hint: keychain.hint ?? undefined,
    });
  }
}

function warn({ trustLoopback }: Config, log: Log): void {
  if (!trustLoopback) return;
  log.warn('any program of any user on this machine can spend your credits now (--trust-loopback)', {
    hint: 'Set a limit with "svcd budget set --day N".',
  });
}

interface SignInCode {
  readonly url: string;
  readonly expires_in_s: number;
}

/** Opens a browser, signed in by a code that works once; answers whether one opened, and the code. */
export async function openSignedIn(access: Access, opens = true): Promise<{ code: SignInCode; opened: boolean }> {
  const code = await askDaemon<SignInCode>(access, 'POST', '/svcd/session-code');
  return { code, opened: opens && (await openOutside(code.url)) };
}

/** Says so, and listens for Enter until the answer is called. */
function offerPage(access: Access): () => void {
  const { stdin } = process;
  if (!stdin.isTTY || !process.stdout.isTTY || isUnattended() || !isInForeground()) return () => undefined;
  printNote(daemonWords().open.offer);
  const end = () => {
    stdin.off('data', open);
    process.off('SIGCONT', end);
    // A background process that reads its terminal is stopped by the system.
    stdin.pause();
    stdin.unref();
  };
  const open = () => {
    end();
    void openAndSay(access);
  };
  stdin.on('data', open);
  // After Ctrl+Z: it may go on in the background.
  process.on('SIGCONT', end);
  return end;
}

async function openAndSay(access: Access): Promise<void> {
  const words = daemonWords().open;
  try {
    const { code, opened } = await openSignedIn(access);
    for (const line of opened ? [words.opened] : [code.url, words.pasteIt(code.expires_in_s)]) printNote(line);
  } catch (error) {
    reportError(error, false);
  }
}

/** Whether this process may read its terminal: `svcd start &` may not. Where that cannot be known it does not. */
function isInForeground(): boolean {
  if (process.platform === 'win32') return true;
  try {
    if (process.platform === 'linux') {
      // The name, in brackets, may hold anything; then state, parent, group, session, terminal, the terminal's group.
      const [, , group, , , foreground] = (readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1) ?? '').split(' ');
      return group !== undefined && group === foreground;
    }
    return spawnSync('ps', ['-o', 'stat=', '-p', `${process.pid}`], { encoding: 'utf8' }).stdout.includes('+');
  } catch {
    return false;
  }
}
