// Runs the real program on a terminal of its own, and types into it as soon as it asks.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { collect } from './run-svcd.js';

/** util-linux; see the need TERMINAL. */
const PSEUDO_TERMINAL = 'script';

export interface OnTerminalOptions {
  readonly home: string;
  readonly work?: string;
  /** How wide the terminal is. */
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
}

export interface OnTerminal {
  readonly code: number | null;
  /** All that the terminal showed. */
  readonly said: string;
}

/** What is typed when the terminal shows something. */
export interface Typed {
  readonly at: string;
  readonly type: string;
}

/** Its end, where each text is typed as soon as what it answers is shown; a text alone answers the first question. */
export async function onTerminal(
  { home, work, columns, env: more }: OnTerminalOptions,
  args: readonly string[],
  typed: string | readonly Typed[] = '',
): Promise<OnTerminal> {
  const program = join(import.meta.dirname, '..', '..', 'bin', 'svcd.js');
  const command = [process.execPath, program, ...args].map((word) => `'${word}'`).join(' ');
  const env = { PATH: process.env['PATH'], HOME: home, SVCD_HOME: home, TERM: 'dumb', ...more };
  const options = { env, cwd: work, stdio: ['pipe', 'pipe', 'pipe'] as ['pipe', 'pipe', 'pipe'] };
  const child = spawn(
    PSEUDO_TERMINAL,
    ['-qec', columns === undefined ? command : `stty cols ${columns}; ${command}`, '/dev/null'],
    options,
  );
  const said = collect(child.stdout);
  const steps = typeof typed === 'string' ? [{ at: '[y/N]', type: typed }] : [...typed];
  const answer = () => {
    const [next] = steps;
    if (next === undefined || !said().includes(next.at)) return;
    steps.shift();
    child.stdin.write(next.type);
    answer();
  };
  child.stdout.on('data', answer);
  await once(child, 'close');
  return { code: child.exitCode, said: said() };
}
