// Questions to the sandbox's control surface: of the daemon on the home, or of a sandbox that runs there alone.

import { SvcdError } from '../../model/errors.js';
import { findRuntime } from '../../platform/files/home-folder.js';
import { isAlive } from '../../platform/files/process-alive.js';
import type { Input } from '../terminal/input.js';
import { createRunner } from '../request-command.js';
import { type Access, askDaemon, findStatus, type Method } from '../connection/running-daemon.js';
import { sandboxWords } from './words.js';

/** The note that a sandbox alone writes about itself, beside the daemon's runtime.json. */
export const SANDBOX_RUNTIME = 'sandbox-runtime.json';

/** The function that runs rows whose question goes to the sandbox. */
export const requestSandbox = createRunner((input, { method, path, body }) => askSandbox(input, method, path, body));

/** Asks the sandbox on the home that was typed. Throws `not_running`, and what the sandbox refuses. */
export async function askSandbox<T>(input: Input, method: Method, path: string, body?: object): Promise<T> {
  return askDaemon(await getControl(await input.home()), method, path, body);
}

async function getControl(home: string): Promise<Access> {
  const daemon = findRuntime(home);
  const alone = findRuntime(home, SANDBOX_RUNTIME);
  for (const [pid, control] of [
    [alone?.pid, alone],
    [daemon?.pid, daemon?.sandbox],
  ] as const) {
    if (typeof pid !== 'number' || control === undefined || !isAlive(pid)) continue;
    if ((await findStatus(control.url, '/sandbox/status', 'svcd-sandbox'))?.pid === pid) return control;
  }
  const words = sandboxWords();
  throw new SvcdError('not_running', words.notRunning(home), { hint: words.startHint });
}
