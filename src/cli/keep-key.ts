// Where "svcd key" keeps a Key, and telling the daemon that it changed.

import { resolve } from 'node:path';
import type { Options } from 'yargs';
import { findHome, loadConfig, writeSetting } from '../config/config.js';
import { writeKeyFile } from '../auth/key-file.js';
import { lastFourOf } from '../auth/key-text.js';
import { createKeychain } from '../auth/keychain.js';
import type { KeyReport } from '../auth/user-key.js';
import { SvcdError } from '../model/errors.js';
import { prepareHome } from '../platform/home-folder.js';
import { expectOk } from './client.js';
import { HOME_OPTION } from './command.js';
import { exchangeOverHttp } from './http-exchange.js';
import type { Input } from './input.js';
import { describeKeySource } from './describe-key.js';
import { findRunningDaemon } from './running-daemon.js';

/** Which Key is meant. */
export const KEY_OPTIONS = {
  ...HOME_OPTION,
  remote: { type: 'string', requiresArg: true, describe: 'Address of the service the Key is for.' },
  'key-file': {
    type: 'string',
    requiresArg: true,
    describe: 'Keep it in this file of mode 0600 and not in the keychain.',
  },
} as const satisfies Record<string, Options>;

/** Where a Key was put, and what the daemon makes of it. */
export interface Kept {
  readonly kept_in: 'keychain' | 'key_file';
  readonly account: string | null;
  readonly path: string | null;
  readonly last_four: string;
  /** What a running daemon spends with now; null when none runs. */
  readonly daemon: KeyReport | null;
}

const TIMEOUT_MS = 15_000;

/** Puts a Key where the options say, and lets a running daemon know. Throws `keychain_unavailable`, `invalid_config`. */
export async function keepKey(input: Input, key: string): Promise<Kept> {
  const home = await findHome({ home: input.text('home') });
  const path = findKeyFile(input);
  const account = path === undefined ? await getAccount(input, home) : undefined;
  if (path !== undefined) {
    await writeKeyFile(path, key);
    // Named in the settings, or nothing would ever look there.
    prepareHome(home);
    writeSetting(home, 'keyFile', path);
  } else if (account !== undefined) await createKeychain().store(account, key);
  return {
    kept_in: path === undefined ? 'keychain' : 'key_file',
    account: account ?? null,
    path: path ?? null,
    last_four: lastFourOf(key),
    daemon: await refreshDaemon(home),
  };
}

/** `--key-file` as an absolute path. */
export function findKeyFile(input: Input): string | undefined {
  const typed = input.text('key-file');
  return typed === undefined ? undefined : resolve(typed);
}

/** The remote a Key is for: what was typed, else the running daemon's, else the configured one. Throws `invalid_config`. */
export async function getAccount(input: Input, home: string): Promise<string> {
  const typed = input.text('remote');
  if (typed !== undefined) return (await loadConfig({ home, remote: typed })).remote ?? typed;
  const running = await findRunningDaemon(home);
  if (running?.status.remote.sandbox === true) throw sandboxHasItsOwn();
  const address = running?.status.remote.address ?? undefined;
  const account = address ?? (await loadConfig({ home })).remote;
  if (account !== undefined) return account;
  throw new SvcdError('invalid_config', 'no remote is configured, and a Key belongs to one', {
    hint: 'Name it: "svcd config set remote https://…", or --remote https://… here.',
  });
}

/** Lets the daemon on this home look for its Key again; what it found, or null when none runs. */
export async function refreshDaemon(home: string): Promise<KeyReport | null> {
  const running = await findRunningDaemon(home);
  if (running === undefined) return null;
  const headers = { authorization: `Bearer ${running.token}` };
  const request = { method: 'POST', path: '/svcd/key/refresh', headers, timeoutMs: TIMEOUT_MS };
  return expectOk(await exchangeOverHttp(running.url, request)).json() as KeyReport;
}

/** Lines about a Key that was kept. */
export function describeKept({
  kept_in: keptIn,
  account,
  path,
  last_four: lastFour,
  daemon,
}: Kept): string[] {
  const where = keptIn === 'keychain' ? `the OS keychain, for ${account}` : `${path} (mode 0600)`;
  const lines = [`The Key that ends in ${lastFour} is in ${where}.`];
  if (daemon === null) return [...lines, 'svcd does not run now; the next start finds it.'];
  if (daemon.source === keptIn && daemon.last_four === lastFour) {
    return [...lines, 'The running daemon spends with it from now on.'];
  }
  const instead = `The running daemon uses another Key, ${describeKeySource(daemon.source)}: that comes first.`;
  return [...lines, daemon.source === 'none' ? 'The running daemon did not find it.' : instead];
}

function sandboxHasItsOwn(): SvcdError {
  return new SvcdError('invalid_config', 'the daemon runs on the sandbox, which has a Key of its own', {
    hint: 'Name the service the Key is for with --remote https://…',
  });
}
