// Runs the real program, bin/svcd.js, in a process of its own with an environment that holds nothing of ours.

import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const BUILT = join(ROOT, 'bin', 'svcd.js');
/** For what Node.js compiled (bin/svcd.js): outside of the homes, whose content tests look at. */
const CACHE = join(ROOT, 'node_modules', '.cache');
const END_WITH_TEST = join(import.meta.dirname, 'end-with-test.cjs');

export interface RunOptions {
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly cwd?: string;
  /** A program with its arguments that runs svcd. */
  readonly through?: readonly string[];
  /** In place of this clone's bin/svcd.js. */
  readonly program?: string;
}

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command to its end. */
export async function runSvcd(args: readonly string[], options: RunOptions): Promise<Outcome> {
  const child = spawnSvcd(args, options, ['pipe', 'pipe', 'pipe']);
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  child.stdin?.on('error', () => undefined).end(options.stdin ?? '');
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  return { code, stdout: stdout(), stderr: stderr() };
}

/** Starts the program and leaves it to the caller. */
export function spawnSvcd(
  args: readonly string[],
  { home, env = {}, cwd, program = BUILT, through = [] }: RunOptions,
  stdio: SpawnOptions['stdio'],
): ChildProcess {
  const [command = process.execPath, ...rest] = [...through, process.execPath, program, ...args];
  return spawn(command, rest, { stdio, cwd, env: { ...environmentOf(home), ...env } });
}

/** What svcd sees of the machine: nothing of the developer's own settings. */
export function environmentOf(home: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: home,
    XDG_CACHE_HOME: CACHE,
    SVCD_HOME: home,
    SVCD_BACKGROUND_SYNC: 'false',
    NODE_OPTIONS: `--require=${END_WITH_TEST}`,
    TEST_PROCESS: String(process.pid),
  };
}

/** What a stream has said so far. */
export function collect(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: Buffer[] = [];
  stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}

/** A new empty home folder, and the way to remove it. */
export function makeHome(): { home: string; remove: () => void } {
  const home = mkdtempSync(join(tmpdir(), 'svcd-test-'));
  return { home, remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }) };
}
