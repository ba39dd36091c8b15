// Storing and removing the user's Key: in the OS keychain or a private file; a running daemon then looks for it again.

import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isSandboxKey, lastFourOf, removeKeyFile, writeKeyFile } from '../../auth/key-file.js';
import { createKeychain } from '../../auth/keychain.js';
import { isMisplaced, type KeyReport } from '../../auth/user-key.js';
import { loadConfig, writeSetting } from '../../config/config.js';
import { SANDBOX } from '../../config/last-used.js';
import { chooseRemote } from '../../config/remote-choice.js';
import { SvcdError, systemCode } from '../../model/errors.js';
import { keyIdOf } from '../../model/spender.js';
import { prepareHome } from '../../platform/files/home-folder.js';
import { FIRST_BUDGET_WORDS, FIRST_DAY_LIMIT } from '../../purchases/budget.js';
import { openOwnedDatabase } from '../../purchases/sqlite/owned-database.js';
import { openFirstBudget } from '../../purchases/sqlite/sqlite-budget.js';
import { textOption } from '../command.js';
import { askDaemon, findRunningDaemon, remoteOf, type RunningDaemon } from '../connection/running-daemon.js';
import type { Input } from '../terminal/input.js';
import { keyWords } from './key-words.js';
import { describeKeySource, findOtherPlace, keychainAdvice, refuseMember } from './user-key.js';

const words = keyWords();

/** Which Key a command is about. */
export const KEY_OPTIONS = { remote: textOption(words.remote), 'key-file': textOption(words.keyFile) };

export interface StoredKey {
  readonly kept_in: 'keychain' | 'key_file';
  readonly account: string | null;
  readonly path: string | null;
  readonly last_four: string;
  /** The Key that a running daemon uses now; null when none runs. */
  readonly daemon: KeyReport | null;
  /** What the home uses now, and from its next start: `sandbox`, an address or `none`. */
  readonly home_uses: string;
  readonly next_uses: string;
  /** The limit that the home was given with its first Key; null when it had one before, or has limits already. */
  readonly first_budget: { readonly day: number } | null;
}

export interface RemovedKey extends Pick<StoredKey, 'account' | 'path' | 'daemon'> {
  /** Whether there was one. */
  readonly removed: boolean;
  /** Another place of this home that still has one; null when none is known. */
  readonly still_in: string | null;
}

/**
 * Whether a Key could be stored where the options say, before somebody types it. Throws `keychain_unavailable`,
 * `home_not_writable`, `invalid_config`.
 */
export async function assertStorable(input: Input): Promise<void> {
  refuseMember(await input.home(), words.ofHub);
  const { path, account } = await findPlace(input);
  if (path !== undefined) return assertWritable(path);
  const { state, why = state } = await createKeychain().find(account ?? '');
  if (state === 'found' || state === 'empty') return;
  const advice = keychainAdvice(state);
  const message = words.keychainUnusable(advice.words, why);
  throw new SvcdError('keychain_unavailable', message, { hint: words.notAskedYet(advice.hint) });
}

/** Stores a Key where the options say. Throws `keychain_unavailable`, `invalid_config`. */
export async function storeKey(input: Input, key: string): Promise<StoredKey> {
  refuseMember(await input.home(), words.ofHub);
  const place = await findPlace(input);
  const { home, running, path, account, uses, next } = place;
  if (isMisplaced(key, account ?? uses))
    throw new SvcdError('invalid_argument', words.sandboxKey(account ?? uses), { hint: words.sandboxKeyHint });
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
    first_budget: giveFirstBudget(place, key) ? { day: FIRST_DAY_LIMIT } : null,
    daemon: await refreshKey(running),
    home_uses: uses,
    next_uses: next,
  };
}

/** Removes the Key from where the options say. Throws `keychain_unavailable`, `invalid_config`. */
export async function removeKey(input: Input): Promise<RemovedKey> {
  await refuseWrongPlace(input);
  const { home, running, path, account } = await findPlace(input);
  const removed = path === undefined ? await createKeychain().remove(account ?? '') : await removeFile(home, path);
  return {
    removed,
    account: account ?? null,
    path: path ?? null,
    still_in: await findOtherPlace(home),
    daemon: await refreshKey(running),
  };
}

/** `--key-file` as an absolute path. */
export function findKeyFile(input: Input): string | undefined {
  const typed = input.text('key-file');
  return typed === undefined ? undefined : resolve(typed);
}

/** A stored Key for a person. */
export function describeStoredKey(stored: StoredKey): string[] {
  const { kept_in: keptIn, account, path, last_four: lastFour, daemon, home_uses: uses } = stored;
  const where = keptIn === 'keychain' ? words.keychainOf(account) : words.privateFile(path);
  const lines = [
    words.stored(lastFour, where),
    ...(stored.first_budget === null ? [] : [words.firstBudget(FIRST_BUDGET_WORDS, stored.first_budget.day)]),
  ];
  if (!isForHome(stored)) {
    const remote = account ?? 'https://…';
    const isForNext = isForHome({ ...stored, home_uses: stored.next_uses });
    return [...lines, isForNext ? words.nextRemote(stored.next_uses) : words.otherRemote(uses, remote)];
  }
  if (daemon === null) return [...lines, words.notRunning];
  if (daemon.source === keptIn && daemon.last_four === lastFour) return [...lines, words.spendsNow];
  const other = words.otherTakesPrecedence(describeKeySource(daemon.source));
  return [...lines, daemon.source === 'none' ? words.notFoundByDaemon : other];
}

/** Whether it is for what the home uses. */
export function isForHome({ account, home_uses: uses }: StoredKey): boolean {
  return uses === account || (account === null && /^https?:/.test(uses));
}

interface Place {
  readonly home: string;
  readonly running: RunningDaemon | undefined;
  /** A key file; the keychain when undefined. */
  readonly path: string | undefined;
  /** Name of the keychain's entry: the remote's address. */
  readonly account: string | undefined;
  /** What the home uses now, running or not, and what from its next start: `sandbox`, an address or `none`. */
  readonly uses: string;
  readonly next: string;
}

async function findPlace(input: Input): Promise<Place> {
  const home = await input.home();
  const running = await findRunningDaemon(home);
  const path = findKeyFile(input);
  const { remote: next } = await chooseRemote({ home });
  const uses = running === undefined ? next : remoteOf(running.status);
  const typed = input.text('remote');
  const named = typed === undefined ? undefined : ((await loadConfig({ home, remote: typed })).remote ?? typed);
  return { home, running, path, uses, next, account: named ?? (path === undefined ? accountOf(uses) : undefined) };
}

/**
 * Gives the home its first budget, for the remote that the Key is for. False when it had one before, or decided against
 * it; true also where no remote is in use yet: the first one will have it, with a Key that is no sandbox's.
 */
function giveFirstBudget({ home, account, uses, next }: Place, key: string): boolean {
  prepareHome(home);
  const db = openOwnedDatabase(join(home, 'owned.db'));
  try {
    const first = openFirstBudget(db, account ?? (/^https?:/.test(uses) ? uses : next));
    return first.give(keyIdOf(key)) || (first.isDue() && !isSandboxKey(key));
  } finally {
    db.close();
  }
}

/** Without an option the keychain is meant, which is not where a Key from a file is. */
async function refuseWrongPlace(input: Input): Promise<void> {
  if (input.text('key-file') !== undefined || input.text('remote') !== undefined) return;
  const { keyFile } = await loadConfig({ home: await input.home() });
  if (keyFile === undefined) return;
  throw new SvcdError('invalid_argument', words.keyInFile(keyFile), { hint: words.keyInFileHint(keyFile) });
}

/** The remote a Key is for when none was typed: the one in use. Throws `invalid_config`. */
function accountOf(uses: string): string {
  if (uses === SANDBOX) {
    throw new SvcdError('invalid_config', words.sandboxInUse, { hint: words.sandboxInUseHint });
  }
  if (uses !== 'none') return uses;
  throw new SvcdError('invalid_config', words.noRemote, { hint: words.noRemoteHint });
}

/** A new file is put in its place, so that its folder counts; one that is not there yet is made in the first that is. */
function assertWritable(path: string): void {
  let folder = dirname(path);
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new SvcdError('home_not_writable', words.notWritable(path, systemCode(cause) ?? 'unknown'), {
      cause,
      hint: words.notWritableHint,
    });
  }
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
