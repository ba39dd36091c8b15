// Starting the daemon in the background: the same command in a child process, until it is ready.

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, fstatSync, mkdtempSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, type Environment, type Flags, loadConfig } from '../../config/config.js';
import { environmentWith } from '../../config/environment.js';
import { chooseRemote } from '../../config/remote-choice.js';
import { passwordsApart } from '../../config/settings.js';
import type { DaemonInfo } from '../../daemon/daemon.js';
import type { WatchStart } from '../../daemon/daemon-options.js';
import type { SandboxStartOptions } from '../../daemon/host-sandbox.js';
import { ERROR_CODES, SvcdError } from '../../model/errors.js';
import { createNew } from '../../platform/files/files.js';
import { isWritable, prepareHome } from '../../platform/files/home-folder.js';
import { findLiving } from '../../platform/files/runtime-file.js';
import { ERROR_FILE, keepErrorFile, LOG_FILE, startingErrorFile } from '../../platform/files/log-file.js';
import { announce } from '../daemon/banner.js';
import { namingHome } from '../terminal/format.js';
import { absolutePaths, asArguments, sandboxArguments } from '../terminal/options.js';
import { printLines } from '../terminal/output.js';
import { connectionWords } from './words.js';
import { openProgress, progressWords, showStart } from '../terminal/progress.js';
import type { ServeOptions } from '../daemon/serve.js';

const READY_TIMEOUT_MS = 60_000;
/** Of what a failed start has said, the end is read. */
const TAIL_BYTES = 64 * 1024;

/** Starts a daemon that outlives this process, and prints where it is. Throws what the daemon's own start throws. */
export async function startDetached(
  flags: Flags,
  sandbox: SandboxStartOptions,
  { json, asHub = false }: Pick<ServeOptions, 'json' | 'asHub'>,
): Promise<void> {
  const config = await loadConfig(flags);
  // Before the start, which notes what it uses.
  const choice = await chooseRemote(flags);
  const { info, logFile } = await launch(flags, sandbox, json);
  await announce(config, choice, info, { json, asHub, isBehind: true });
  if (!json) await printLines(...connectionWords().inBackground(logFile).map(namingHome), '');
}

/** Told of each daemon as it is started. */
export type KeepDaemon = (daemon: ChildProcess) => void;

export interface LaunchTerms {
  /** The daemon's environment; this process's if not told. */
  readonly env?: Environment | undefined;
  /** With it the daemon ends with this process. */
  readonly keep?: KeepDaemon | undefined;
}

/** The same, and prints nothing. */
export async function launchDaemon(flags: Flags, terms: LaunchTerms = {}): Promise<DaemonInfo> {
  return (await launch(flags, {}, false, terms)).info;
}

async function launch(flags: Flags, sandbox: SandboxStartOptions, json: boolean, { env, keep }: LaunchTerms = {}) {
  const config = await loadConfig(flags, env);
  const { home } = config;
  // A home that is a file, or below one, is refused by what makes the folder.
  const isKept = isWritable(home) || !isFolder(home);
  const folder = isKept ? home : mkdtempSync(join(tmpdir(), 'svcd-log-'));
  if (isKept) prepareHome(home);
  const errorFile = startingErrorFile(folder, process.pid);
  // What lies there was left by a process of the same number that was killed.
  rmSync(errorFile, { force: true });
  const errors = createNew(errorFile);
  try {
    const more = [...sandboxArguments(sandbox), ...(keep === undefined ? [] : ['--until-input-ends'])];
    const child = spawnDaemon(config, flags, more, errors, env);
    keep?.(child);
    const progress = openProgress(json);
    progress.show(progressWords().starting);
    child.on('message', (told: Parameters<WatchStart>) => showStart(progress, ...told));
    const line = await readFirstLine(child, config.home).finally(() => progress.end());
    if (child.connected) child.disconnect();
    if (line === undefined) {
      const failure = failureIn(errors, errorFile, isKept ? home : undefined);
      // What its log says is said by the failure.
      if (!isKept && failure.code !== 'internal') rmSync(folder, { recursive: true, force: true });
      throw failure;
    }
    child.stdout?.destroy();
    child.unref();
    // A pipe of Node.js, which has this method; it is not in the types.
    (child.stdin as Socket | null)?.unref();
    return { info: JSON.parse(line) as DaemonInfo, logFile: isKept ? join(home, LOG_FILE) : errorFile };
  } finally {
    closeSync(errors);
  }
}

function isFolder(path: string): boolean {
  // Unlike statSync, no error for what is below a file.
  return existsSync(path) && statSync(path).isDirectory();
}

function spawnDaemon(
  config: Config,
  flags: Flags,
  more: readonly string[],
  errors: number,
  env: Environment | undefined,
) {
  const { home, keyFile, package: packagePath } = config;
  // Absolute: paths are relative to the user's folder, and the daemon runs in its home.
  const paths = { ...absolutePaths(flags, config), home, 'key-file': keyFile, package: packagePath };
  const { open, secret } = passwordsApart(flags);
  // Other users can read the arguments of a process: a Key and passwords are inherited with the environment.
  const args = [process.argv[1] ?? '', 'start', '--json', ...asArguments({ ...open, ...paths }), ...more];
  return spawn(process.execPath, args, {
    detached: true,
    cwd: home,
    stdio: [more.includes('--until-input-ends') ? 'pipe' : 'ignore', 'pipe', errors, 'ipc'],
    env: environmentWith(secret, env),
  });
}

/** The line that a ready daemon prints; undefined when it ended without one. Throws `timeout`. */
function readFirstLine(child: ChildProcess, home: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let text = '';
    const timer = setTimeout(() => {
      child.kill();
      const words = connectionWords();
      const hint = progressWords().seeLog(join(home, LOG_FILE));
      reject(new SvcdError('timeout', words.notReady(READY_TIMEOUT_MS / 1000), { hint }));
    }, READY_TIMEOUT_MS);
    const settle = (line: string | undefined) => {
      clearTimeout(timer);
      resolve(line);
    };
    child.stdout?.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (text.includes('\n')) settle(text.split('\n', 1)[0]);
    });
    child.on('error', reject);
    child.on('close', () => settle(undefined));
  });
}

/** The error that a start said at its end. What it said is kept as svcd.err, unless a daemon that runs has that. */
function failureIn(errors: number, file: string, home: string | undefined): SvcdError {
  const { size } = fstatSync(errors);
  const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
  readSync(errors, tail, 0, tail.length, size - tail.length);
  const lines = tail.toString('utf8').trim().split('\n');
  const [failure] = lines.toReversed().flatMap((line) => parseFailure(line) ?? []);
  const kept = home === undefined ? file : keepFailure(file, home);
  const words = connectionWords();
  return failure ?? new SvcdError('internal', words.failedAtStart, { hint: progressWords().seeLog(kept) });
}

/** Where what a failed start said is found now. */
function keepFailure(file: string, home: string): string {
  const kept = join(home, ERROR_FILE);
  if (findLiving(home) !== undefined) {
    rmSync(file, { force: true });
    return join(home, LOG_FILE);
  }
  // The daemon gave it that name itself if it came so far as to hold the home.
  if (!existsSync(file)) return kept;
  try {
    keepErrorFile(home);
    renameSync(file, kept);
  } catch {
    return kept;
  }
  return kept;
}

function parseFailure(line: string): SvcdError | undefined {
  try {
    const { code, message, hint } = JSON.parse(line) as Partial<Record<string, string>>;
    const known = ERROR_CODES.find((one) => one === code);
    if (known === undefined || message === undefined) return undefined;
    return new SvcdError(known, message, { hint });
  } catch {
    return undefined;
  }
}
