// A command as a child of svcd: with what it adds to the environment, the signals that svcd gets, and the same end.

import { type ChildProcess, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { constants } from 'node:os';
import { environmentWith } from '../../config/environment.js';
import { type SvcdError, systemCode } from '../../model/errors.js';
import { invalidArgument } from '../terminal/input.js';
import { runWords } from './words.js';
import { win32 } from 'node:path';

/** How it ended. */
export type ChildEnd = { readonly code: number } | { readonly signal: NodeJS.Signals };

export interface RunningChild {
  /** Rejects with `invalid_argument` when it could not be started. */
  readonly ended: Promise<ChildEnd>;
  /** Lets signals end this process again. */
  stopForwarding(): void;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;
// A terminal sends these to every process of the group itself.
const FROM_TERMINAL: ReadonlySet<string> = new Set(['SIGINT', 'SIGQUIT']);

/** Starts a command. Until `stopForwarding`, signals go to the command and do not end this process. */
export function runChild(
  [program = '', ...args]: readonly string[],
  variables: Readonly<Record<string, string>>,
): RunningChild {
  // Before there is a child: a signal in between would end us and leave it behind.
  let child: ChildProcess | undefined;
  const stopForwarding = catchSignals((signal) => {
    if (!(FROM_TERMINAL.has(signal) && process.stdin.isTTY)) child?.kill(signal);
  });
  const start = async () => {
    const env = environmentWith(variables);
    const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
    const found = resolveProgram(program, args, { platform: process.platform, env, isFile });
    const options = { stdio: 'inherit', env, windowsVerbatimArguments: found.verbatim } as const;
    child = spawn(found.file, found.args, options);
    return endOf(child, program);
  };
  return { ended: start(), stopForwarding };
}

/** Ends this process as the child ended: with its exit code, or by the signal that killed it. */
export function endLike(end: ChildEnd): void {
  process.exitCode = 'code' in end ? end.code : 128 + constants.signals[end.signal];
  // The first process of a container cannot end itself by a signal; a shell says 128 and its number for such an end.
  if ('signal' in end && process.pid !== 1) process.kill(process.pid, end.signal);
}

function endOf(child: ChildProcess, program: string): Promise<ChildEnd> {
  return new Promise((resolve, reject) => {
    child.on('error', (cause) => reject(cannotStart(program, cause)));
    child.on('exit', (code, signal) => resolve(signal === null ? { code: code ?? 1 } : { signal }));
  });
}

/** Calls `hear` for each signal that would end this process, and keeps it alive, until told. */
export function catchSignals(hear: (signal: NodeJS.Signals) => void): () => void {
  for (const signal of SIGNALS) process.on(signal, hear);
  return () => SIGNALS.forEach((signal) => process.off(signal, hear));
}

function cannotStart(program: string, cause: Error): SvcdError {
  const code = systemCode(cause) ?? 'unknown';
  const message = code === 'ENOENT' ? runWords().noProgram(program) : runWords().cannotStart(program, code);
  return invalidArgument(message, undefined, cause);
}

/** What is asked of the system, so that a test can say what Windows would; on Windows itself it is untested. */
export interface ProgramWorld {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isFile: (path: string) => boolean;
}

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  /** Whether `args` are the command line as Windows shall get it, with all its quotes. */
  readonly verbatim: boolean;
}

/**
 * The program to start for what was typed. Windows starts `npm` only by its whole name, `npm.cmd`, and Node refuses to
 * start a .cmd or .bat without a shell (CVE-2024-27980), because cmd.exe reads quotes in its own way. Throws
 * `invalid_argument` for an argument that cannot be quoted for it.
 */
export function resolveProgram(program: string, args: readonly string[], world: ProgramWorld): Program {
  if (world.platform !== 'win32') return { file: program, args, verbatim: false };
  const file = findOnWindows(program, world) ?? program;
  if (!/\.(cmd|bat)$/i.test(file)) return { file, args, verbatim: false };
  const line = [`"${file}"`, ...args.map((arg) => quoteForBatch(arg, file))].join(' ');
  // Extensions on, for %cd:~,%; delayed expansion off, for "!"; no AutoRun.
  return {
    file: lookUp(world.env, 'ComSpec') ?? 'cmd.exe',
    args: ['/e:ON', '/v:OFF', '/d', '/c', `"${line}"`],
    verbatim: true,
  };
}

/** The file that the words mean: in a folder that was typed, else of PATH, with an extension of PATHEXT. */
function findOnWindows(program: string, { env, isFile }: ProgramWorld): string | undefined {
  const extensions = (lookUp(env, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';').filter((one) => one !== '');
  const typed = win32.extname(program).toLowerCase();
  // Beside npm.cmd lies npm, which is for other shells.
  const isWhole = extensions.some((one) => one.toLowerCase() === typed);
  const endings = isWhole ? ['', ...extensions] : extensions;
  const folders = /[\\/:]/.test(program) ? [''] : (lookUp(env, 'PATH') ?? '').split(';').filter((one) => one !== '');
  for (const folder of folders) {
    const path = folder === '' ? win32.normalize(program) : win32.join(folder.replace(/^"(.*)"$/, '$1'), program);
    const found = endings.map((ending) => path + ending.toLowerCase()).find(isFile);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Names of variables have no case on Windows. */
function lookUp(env: ProgramWorld['env'], name: string): string | undefined {
  const key = Object.keys(env).find((one) => one.toUpperCase() === name.toUpperCase());
  return key === undefined ? undefined : env[key];
}

/**
 * One argument of a batch file, as Rust's standard library quotes it (library/std/src/sys/args/windows.rs,
 * append_bat_arg): a quote is doubled, so that cmd.exe never leaves the quoted state, in its own reading and in that of
 * `%*`; `%` becomes `%%cd:~,%`, which expands to itself.
 */
function quoteForBatch(arg: string, file: string): string {
  if (/[\0\r\n]/.test(arg)) {
    throw invalidArgument(runWords().cannotQuote(file, arg));
  }
  const inner = arg.replace(/(\\*)"/g, '$1$1""').replaceAll('%', '%%cd:~,%');
  // oxlint-disable-next-line no-control-regex -- C1 controls are quoted too, as there.
  if (arg !== '' && !/[^\w#$*+\-./:?@\\\u00a0-\uffff]|\\$/.test(arg)) return inner;
  return `"${inner.replace(/(\\+)$/, '$1$1')}"`;
}
