// Running somebody else's command in our place: its terminal, its signals, its end.

import { spawn, type ChildProcess } from 'node:child_process';
import { environmentWith } from '../config/config.js';
import { SvcdError, systemCode } from '../model/errors.js';

/** How it ended. */
export type ChildEnd = { readonly code: number } | { readonly signal: NodeJS.Signals };

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;
// A terminal tells these to every process of the group itself.
const FROM_TERMINAL: ReadonlySet<string> = new Set(['SIGINT', 'SIGQUIT']);

/** Runs a command to its end. Throws `invalid_argument` when it cannot be started. */
export async function runChild(
  [program = '', ...args]: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<ChildEnd> {
  // Listened for before there is a child: a signal in between would end us and leave it behind.
  let child: ChildProcess | undefined;
  const stopPassing = passSignals((signal) => child?.kill(signal));
  try {
    child = spawn(program, args, { stdio: 'inherit', env: environmentWith(variables) });
    return await endOf(child, program);
  } finally {
    stopPassing();
  }
}

/** Ends this process as the child ended: with its exit code, or by the signal that killed it. */
export function endLike(end: ChildEnd): void {
  if ('code' in end) process.exitCode = end.code;
  else process.kill(process.pid, end.signal);
}

function endOf(child: ChildProcess, program: string): Promise<ChildEnd> {
  return new Promise((resolve, reject) => {
    child.on('error', (cause) => reject(cannotStart(program, cause)));
    child.on('exit', (code, signal) => resolve(signal === null ? { code: code ?? 1 } : { signal }));
  });
}

function passSignals(pass: (signal: NodeJS.Signals) => void): () => void {
  const passers = SIGNALS.map((signal) => {
    const told = FROM_TERMINAL.has(signal) && process.stdin.isTTY;
    const heard = () => void (told || pass(signal));
    process.on(signal, heard);
    return () => process.off(signal, heard);
  });
  return () => passers.forEach((stop) => stop());
}

function cannotStart(program: string, cause: Error): SvcdError {
  const code = systemCode(cause) ?? 'unknown';
  const message =
    code === 'ENOENT'
      ? `there is no program ${JSON.stringify(program)}`
      : `${program} cannot be started (${code})`;
  return new SvcdError('invalid_argument', message, { cause });
}
