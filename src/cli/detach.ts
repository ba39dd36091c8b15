// Starting the daemon in the background: the same command in a child process, until it is ready.

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, type Flags, loadConfig } from '../config/config.js';
import { chooseRemote } from '../config/remote-choice.js';
import type { DaemonInfo } from '../daemon/daemon.js';
import type { SandboxStartOptions } from '../daemon/host-sandbox.js';
import { ERROR_CODES, SvcdError } from '../model/errors.js';
import { isWritable, prepareHome } from '../platform/home-folder.js';
import { announce } from './banner.js';
import { namingHome } from './naming-home.js';
import { sandboxArguments } from './options.js';
import { printLines } from './output.js';
import type { KeepDaemon } from './own-daemon.js';

const READY_TIMEOUT_MS = 60_000;

/** Starts a daemon that outlives this process, and prints where it is. Throws what the daemon's own start throws. */
export async function startDetached(flags: Flags, sandbox: SandboxStartOptions, json: boolean): Promise<void> {
  const config = await loadConfig(flags);
  // Before the start, which notes what it uses.
  const choice = await chooseRemote(flags);
  const { info, logFile } = await launch(flags, sandbox);
  await announce(config, choice, info, json);
  if (!json) await printLines(namingHome(`It runs in the background; "svcd stop" stops it. Its log: ${logFile}`), '');
}

/** The same, and prints nothing. With `keep` it ends with this process. */
export async function launchDaemon(flags: Flags, keep?: KeepDaemon): Promise<DaemonInfo> {
  return (await launch(flags, {}, keep)).info;
}

async function launch(flags: Flags, sandbox: SandboxStartOptions, keep?: KeepDaemon) {
  const config = await loadConfig(flags);
  const logFile = isWritable(config.home)
    ? logFileOf(config.home)
    : join(mkdtempSync(join(tmpdir(), 'svcd-log-')), 'svcd.log');
  if (isWritable(config.home)) prepareHome(config.home);
  const more = [...sandboxArguments(sandbox), ...(keep === undefined ? [] : ['--until-input-ends'])];
  const { child, logStart } = spawnDaemon(config, flags, more, logFile);
  keep?.(child);
  const line = await readFirstLine(child);
  if (line === undefined) throw failureIn(logFile, logStart);
  child.stdout?.destroy();
  child.unref();
  // A pipe of Node.js, which has this method; it is not in the types.
  (child.stdin as Socket | null)?.unref();
  return { info: JSON.parse(line) as DaemonInfo, logFile };
}

function logFileOf(home: string): string {
  return join(home, 'svcd.log');
}

function spawnDaemon(
  { home, keyFile, package: packagePath }: Config,
  flags: Flags,
  more: readonly string[],
  logFile: string,
) {
  const log = openSync(logFile, 'a', 0o600);
  const logStart = fstatSync(log).size;
  // Absolute: paths are relative to the user's folder, and the daemon runs in its home.
  const paths = { home, 'key-file': keyFile, package: packagePath };
  const settings = Object.entries({ ...(flags as Record<string, string | boolean>), ...paths }).flatMap(
    ([flag, value]) => (value === undefined ? [] : [`--${flag}=${value}`]),
  );
  // Settings only: other users can read the arguments of a process. A Key is inherited with the environment.
  const args = [process.argv[1] ?? '', 'start', '--json', ...settings, ...more];
  const isKept = more.includes('--until-input-ends');
  const child = spawn(process.execPath, args, {
    detached: true,
    cwd: home,
    stdio: [isKept ? 'pipe' : 'ignore', 'pipe', log],
  });
  closeSync(log);
  return { child, logStart };
}

/** The line that a ready daemon prints; undefined when it ended without one. Throws `timeout`. */
function readFirstLine(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let text = '';
    const timer = setTimeout(() => {
      child.kill();
      reject(new SvcdError('timeout', `svcd was not ready within ${READY_TIMEOUT_MS / 1000} s`));
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

/** The error in the part of the log from `start` on; before that are earlier daemons'. */
function failureIn(logFile: string, start: number): SvcdError {
  const lines = readFileSync(logFile).subarray(start).toString('utf8').trim().split('\n');
  for (const line of lines.toReversed()) {
    const failure = parseFailure(line);
    if (failure !== undefined) return failure;
  }
  return new SvcdError('internal', 'svcd failed while it started', { hint: `See its log: ${logFile}` });
}

function parseFailure(line: string): SvcdError | undefined {
  try {
    const { code, message, hint } = JSON.parse(line) as Partial<Record<string, string>>;
    const known = ERROR_CODES.find((one) => one === code);
    if (known === undefined || message === undefined) return undefined;
    return new SvcdError(known, message, hint === undefined ? {} : { hint });
  } catch {
    return undefined;
  }
}
