// Runs commands in the process of the test: the same rows, parser and error reports as bin/svcd.js, without the third of a
// second that a process takes to start. For tests whose subject is what a command asks, does and says; not its exit,
// signals, terminal, or language (the words of a file are asked once).

import { Readable } from 'node:stream';
import { vi } from 'vitest';
import { runTyped } from '../../src/cli/main.js';
import { reportError } from '../../src/cli/terminal/report-error.js';
import { environmentOf, type Outcome, type RunOptions } from './run-svcd.js';

/** Commands share the streams, the environment and the folder of the process: one at a time. */
let last: Promise<unknown> = Promise.resolve();

/** Runs one command to its end. */
export function runHere(args: readonly string[], options: Omit<RunOptions, 'through' | 'program'>): Promise<Outcome> {
  const outcome = last.then(() => runAlone(args, options));
  last = outcome.catch(() => undefined);
  return outcome;
}

async function runAlone(args: readonly string[], { home, env = {}, cwd, stdin = '' }: RunOptions): Promise<Outcome> {
  const before = { env: { ...process.env }, cwd: process.cwd(), exitCode: process.exitCode };
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)];
  // The parser prints its help so, and the runner of tests keeps that for itself.
  const log = vi.spyOn(console, 'log').mockImplementation((text: string) => void process.stdout.write(`${text}\n`));
  const input = vi
    .spyOn(process, 'stdin', 'get')
    .mockReturnValue(Readable.from(chunksOf(stdin)) as typeof process.stdin);
  setEnvironment({ ...environmentOf(home), ...env });
  process.exitCode = undefined;
  if (cwd !== undefined) process.chdir(cwd);
  const json = args.slice(0, args.indexOf('--') >>> 0).includes('--json');
  try {
    await runTyped(args, json);
    return { code: exitCode(), stdout: stdout.said(), stderr: stderr.said() };
  } catch (error) {
    const code = reportError(error, json);
    return { code, stdout: stdout.said(), stderr: stderr.said() };
  } finally {
    for (const one of [stdout, stderr]) one.end();
    log.mockRestore();
    input.mockRestore();
    setEnvironment(before.env);
    process.exitCode = before.exitCode;
    process.chdir(before.cwd);
  }
}

/** What a command has set by now; its name keeps the compiler from remembering what was set before it. */
function exitCode(): number {
  return Number(process.exitCode ?? 0);
}

/** In place, so that what asks the system itself sees it too. */
function setEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
}

function chunksOf(stdin: string): readonly Buffer[] {
  return stdin === '' ? [] : [Buffer.from(stdin)];
}

/** Keeps what is written to a stream in place of writing it. */
function capture(stream: NodeJS.WriteStream): { said: () => string; end: () => void } {
  const chunks: Buffer[] = [];
  const written = vi.spyOn(stream, 'write').mockImplementation((chunk: string | Uint8Array, ...rest: unknown[]) => {
    chunks.push(Buffer.from(chunk as Uint8Array));
    const done = rest.find((one): one is () => void => typeof one === 'function');
    done?.();
    return true;
  });
  return { said: () => Buffer.concat(chunks).toString('utf8'), end: () => written.mockRestore() };
}
