// What every benchmark stands on: a folder that is gone afterwards, one core for the load and one for the
// servers, and the promise that no child outlives the run, however it ends.

import { spawn, spawnSync, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

export type Role = 'load' | 'server';

export interface SpawnOptions {
  readonly args: readonly string[];
  readonly stdio?: StdioOptions;
}

export interface Workbench {
  /** Whether load and servers have a core each. */
  readonly pinned: boolean;
  /** A new empty folder. */
  makeFolder(name: string): string;
  /** Starts a program on its role's core, in an environment that holds nothing of svcd's. */
  spawn(role: Role, program: string, options: SpawnOptions): ChildProcess;
}

const CORE_OF: Record<Role, string> = { load: '0', server: '1' };

/** Opens a workbench, which is cleared when this process ends, and moves that to the core of the load. */
export function openWorkbench(): Workbench {
  const root = mkdtempSync(join(tmpdir(), 'svcd-bench-'));
  const children = new Set<ChildProcess>();
  const pinned = availableParallelism() > 1 && hasProgram('taskset');
  if (pinned) spawnSync('taskset', ['-acp', CORE_OF.load, String(process.pid)]);
  let folders = 0;
  process.once('exit', () => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  return {
    pinned,
    makeFolder: (name) => {
      const folder = join(root, `${++folders}-${name}`);
      mkdirSync(folder);
      return folder;
    },
    spawn: (role, program, { args, stdio = ['ignore', 'pipe', 'pipe'] }) => {
      const [command, ...rest] = pinned ? ['taskset', '-c', CORE_OF[role], program, ...args] : [program, ...args];
      const child = spawn(command, rest, { stdio, env: { PATH: process.env['PATH'], HOME: root } });
      children.add(child);
      child.once('close', () => children.delete(child));
      return child;
    },
  };
}

/** Asks a child to end and waits until it has. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  await closed;
}

/** Why a benchmark cannot run for want of a program; undefined when it can. */
export function missingProgram(program: string, debianPackage: string): string | undefined {
  if (hasProgram(program)) return undefined;
  return `${program} is not installed; on Debian: apt-get install ${debianPackage}`;
}

function hasProgram(program: string): boolean {
  return spawnSync('which', [program], { stdio: 'ignore' }).status === 0;
}
