// Starting svcd in the background: the package's own program. That two who start at once end with one daemon is seen to by
// the home's lock.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { SvcdError } from './svcd-error.js';

const WAIT_MS = 20_000;
const ALREADY_RUNNING = 5;

/** Comes back when a daemon runs. Throws what hinders its start, and `timeout`. */
export async function startDaemon(home: string | undefined, env: NodeJS.ProcessEnv): Promise<void> {
  const program = join(dirname(findPackage()), 'bin', 'svcd.js');
  const args = [program, 'start', '--detach', '--json', ...(home === undefined ? [] : ['--home', home])];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'], windowsHide: true });
  const timer = setTimeout(() => child.kill(), WAIT_MS);
  try {
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => (said += part));
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    if (code === 0 || code === ALREADY_RUNNING) return;
    if (signal !== null) throw new SvcdError('timeout', `svcd was not ready within ${WAIT_MS / 1000} s`);
    throw failureIn(said, code);
  } finally {
    clearTimeout(timer);
  }
}

/** Beside this file; or beside the program that runs, where a bundler has put this file elsewhere or made CommonJS of it. */
function findPackage(): string {
  const here: string | undefined = import.meta.url;
  const places = [here, join(process.cwd(), 'program.js')].filter((place) => place !== undefined);
  for (const place of places) {
    try {
      return createRequire(place).resolve('svcd/package.json');
    } catch {
      // It is not installed there.
    }
  }
  throw new SvcdError('not_running', `the package svcd is not installed where ${process.cwd()} finds it`, {
    hint: 'Install svcd beside the program ("npm install svcd"), or run "svcd start" yourself.',
  });
}

function failureIn(said: string, exitCode: number | null): SvcdError {
  const last = said.trim().split('\n').pop() ?? '';
  try {
    const { code, message, hint } = JSON.parse(last) as Record<string, string | undefined>;
    if (typeof code === 'string' && typeof message === 'string') return new SvcdError(code, message, { hint });
  } catch {
    // Not what svcd says of a failure of its own.
  }
  return new SvcdError('not_running', `"svcd start" ended with ${exitCode}: ${last}`);
}
