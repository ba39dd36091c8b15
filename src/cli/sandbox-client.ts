// Asking the sandbox's control surface: of the daemon on the home, or of a sandbox that runs there alone.

import { findHome } from '../config/config.js';
import { SvcdError, isSvcdError, systemCode } from '../model/errors.js';
import { findRuntime } from '../platform/home-folder.js';
import { expectOk } from './client.js';
import { exchangeOverHttp } from './http-exchange.js';
import type { Input } from './input.js';
import { isAlive } from '../platform/process-alive.js';

/** What a sandbox alone writes down about itself, beside the daemon's runtime.json. */
export const SANDBOX_RUNTIME = 'sandbox-runtime.json';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Control = { readonly url: string; readonly token: string };

const TIMEOUT_MS = 10_000;

/** Asks the sandbox on the home that was typed. Throws `not_running`, and what the sandbox refuses. */
export async function askSandbox(
  input: Input,
  method: Method,
  path: string,
  body?: object,
): Promise<unknown> {
  const { url, token } = await getControl(await findHome({ home: input.text('home') }));
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await exchangeOverHttp(url, { method, path, headers, timeoutMs: TIMEOUT_MS, ...sent });
  return expectOk(answer).json();
}

async function getControl(home: string): Promise<Control> {
  const daemon = findRuntime(home);
  const alone = findRuntime(home, SANDBOX_RUNTIME);
  for (const [pid, control] of [
    [alone?.pid, alone],
    [daemon?.pid, daemon?.sandbox],
  ] as const) {
    if (typeof pid !== 'number' || control === undefined || !isAlive(pid)) continue;
    // Asked without the token: should the port have gone to somebody else, they must not learn it.
    if ((await findPid(control.url)) === pid) return control;
  }
  throw new SvcdError('not_running', `no sandbox runs on ${home}`, {
    hint: 'Start one with "svcd sandbox start", or with svcd before it: "svcd start --sandbox".',
  });
}

async function findPid(url: string): Promise<number | undefined> {
  try {
    const question = { method: 'GET', path: '/sandbox/status', timeoutMs: TIMEOUT_MS };
    const status = (await exchangeOverHttp(url, question)).json() as { name?: string; pid?: number } | null;
    return status?.name === 'svcd-sandbox' ? status.pid : undefined;
  } catch (error) {
    if (isSvcdError(error, 'timeout') || systemCode(error) === undefined) throw error;
    // Refused: whoever wrote the note is gone.
    return undefined;
  }
}
