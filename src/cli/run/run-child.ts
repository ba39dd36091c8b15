// A command as a child of svcd: with what it adds to the environment, the signals that svcd gets, and the same end.

import { type ChildProcess, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { constants } from 'node:os';
import { environmentWith } from '../../config/environment.js';
import { type SvcdError, systemCode } from '../../model/errors.js';
import { invalidArgument } from '../terminal/invalid-argument.js';
import { resolveProgram } from './resolve-program.js';
import { runWords } from './words.js';

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
  const stopForwarding = forwardSignals((signal) => child?.kill(signal));
  const start = async () => {
    const env = environmentWith(variables);
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

function forwardSignals(forward: (signal: NodeJS.Signals) => void): () => void {
  return catchSignals((signal) => void ((FROM_TERMINAL.has(signal) && process.stdin.isTTY) || forward(signal)));
}

/** Calls `hear` for each signal that would end this process, and keeps it alive, until told. */
export function catchSignals(hear: (signal: NodeJS.Signals) => void): () => void {
  for (const signal of SIGNALS) process.on(signal, hear);
  return () => SIGNALS.forEach((signal) => process.off(signal, hear));
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function cannotStart(program: string, cause: Error): SvcdError {
  const code = systemCode(cause) ?? 'unknown';
  const message = code === 'ENOENT' ? runWords().noProgram(program) : runWords().cannotStart(program, code);
  return invalidArgument(message, undefined, cause);
}
