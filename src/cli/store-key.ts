// Storing and removing the user's Key: in the OS keychain or a private file; a running daemon then looks for it again.

import { resolve } from 'node:path';
import { removeKeyFile, writeKeyFile } from '../auth/key-file.js';
import { lastFourOf } from '../auth/key-text.js';
import { createKeychain } from '../auth/keychain.js';
import type { KeyReport } from '../auth/user-key.js';
import { loadConfig, writeSetting } from '../config/config.js';
import { SvcdError } from '../model/errors.js';
import { prepareHome } from '../platform/home-folder.js';
import { textOption } from './command.js';
import type { Input } from './input.js';
import { askDaemon, findRunningDaemon, type RunningDaemon } from './running-daemon.js';
import { describeKeySource } from './user-key.js';

/** Which Key a command is about. */
export const KEY_OPTIONS = {
  remote: textOption('Address of the service the Key is for.'),
  'key-file': textOption('Store it in this file of mode 0600 instead of the keychain.'),
};

export interface StoredKey {
  readonly kept_in: 'keychain' | 'key_file';
  readonly account: string | null;
  readonly path: string | null;
  readonly last_four: string;
  /** The Key that a running daemon uses now; null when none runs. */
  readonly daemon: KeyReport | null;
}

export interface RemovedKey extends Pick<StoredKey, 'account' | 'path' | 'daemon'> {
  /** Whether there was one. */
  readonly removed: boolean;
}

/** Stores a Key where the options say. Throws `keychain_unavailable`, `invalid_config`. */
export async function storeKey(input: Input, key: string): Promise<StoredKey> {
  const { home, running, path, account } = await findPlace(input);
  if (path !== undefined) {
    writeKeyFile(path, key);
    // Without the setting nothing would read the file.
    prepareHome(home);
    writeSetting(home, 'keyFile', path);
  } else if (account !== undefined) await createKeychain().store(account, key);
  return {
    kept_in: path === undefined ? 'keychain' : 'key_file',
    account: account ?? null,
    path: path ?? null,
    last_four: lastFourOf(key),
    daemon: await refreshKey(running),
  };
}

/** Removes the Key from where the options say. Throws `keychain_unavailable`, `invalid_config`. */
export async function removeKey(input: Input): Promise<RemovedKey> {
  const { home, running, path, account } = await findPlace(input);
  const removed = path === undefined ? await createKeychain().remove(account ?? '') : await removeFile(home, path);
  return { removed, account: account ?? null, path: path ?? null, daemon: await refreshKey(running) };
}

/** `--key-file` as an absolute path. */
export function findKeyFile(input: Input): string | undefined {
  const typed = input.text('key-file');
  return typed === undefined ? undefined : resolve(typed);
}

/** A stored Key for a person. */
export function describeStoredKey(stored: StoredKey): string[] {
  const { kept_in: keptIn, account, path, last_four: lastFour, daemon } = stored;
  const where = keptIn === 'keychain' ? `the OS keychain, for ${account}` : `${path} (mode 0600)`;
  const lines = [`The Key ending in ${lastFour} is stored in ${where}.`];
  if (daemon === null) return [...lines, 'svcd does not run now; the next start finds it.'];
  if (daemon.source === keptIn && daemon.last_four === lastFour) {
    return [...lines, 'The running daemon spends with it from now on.'];
  }
  const other = `The running daemon uses another Key, ${describeKeySource(daemon.source)}, which takes precedence.`;
  return [...lines, daemon.source === 'none' ? 'The running daemon did not find it.' : other];
}

interface Place {
  readonly home: string;
  readonly running: RunningDaemon | undefined;
  /** A key file; the keychain when undefined. */
  readonly path: string | undefined;
  /** Name of the keychain's entry: the remote's address. */
  readonly account: string | undefined;
}

async function findPlace(input: Input): Promise<Place> {
  const home = await input.home();
  const running = await findRunningDaemon(home);
  const path = findKeyFile(input);
  return {
    home,
    running,
    path,
    account: path === undefined ? await getAccount(input, home, running) : undefined,
  };
}

/** The remote a Key is for: what was typed, else the running daemon's, else the configured one. Throws `invalid_config`. */
async function getAccount(input: Input, home: string, running: RunningDaemon | undefined): Promise<string> {
  const typed = input.text('remote');
  if (typed !== undefined) return (await loadConfig({ home, remote: typed })).remote ?? typed;
  if (running?.status.remote.sandbox === true) {
    throw new SvcdError('invalid_config', 'the daemon uses the sandbox, which has a Key of its own', {
      hint: 'Name the service the Key is for with --remote https://…',
    });
  }
  const account = running?.status.remote.address ?? (await loadConfig({ home })).remote;
  if (account !== undefined) return account;
  throw new SvcdError('invalid_config', 'no remote is configured, and a Key belongs to one', {
    hint: 'Name it: "svcd config set remote https://…", or --remote https://… here.',
  });
}

async function removeFile(home: string, path: string): Promise<boolean> {
  const removed = await removeKeyFile(path);
  if ((await loadConfig({ home })).keyFile === path) writeSetting(home, 'keyFile', undefined);
  return removed;
}

/** Makes a running daemon look for its Key again; what it found, or null when none runs. */
async function refreshKey(running: RunningDaemon | undefined): Promise<KeyReport | null> {
  return running === undefined ? null : askDaemon(running, 'POST', '/svcd/key/refresh');
}
