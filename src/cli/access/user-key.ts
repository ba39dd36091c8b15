// The user's Key: where to look for it, its source in words, and that the home of a machine has none.

import { adviceFor, type KeychainAdvice, type KeychainState } from '../../auth/keychain-states.js';
import { createKeychain } from '../../auth/keychain.js';
import { createUserKey, type KeychainReport, type KeySource, type UserKey } from '../../auth/user-key.js';
import { type Flags, loadConfig } from '../../config/config.js';
import { keyFromEnvironment } from '../../config/environment.js';
import { findBelonging } from '../../config/membership.js';
import { SvcdError } from '../../model/errors.js';
import { terminalWords } from '../terminal/words.js';
import { keyWords } from './key-words.js';

/**
 * The user's Key for this remote, which must be the one that is asked: settings may name another by the time of a second
 * look, and its Key must not go there. Reads nothing yet.
 */
export function openUserKey(flags: Flags, account: string | undefined): UserKey {
  return createUserKey(async () => {
    const { keyFile, package: packagePath } = await loadConfig(flags);
    return { environment: keyFromEnvironment(), keyFile, account, packagePath };
  }, createKeychain());
}

/** For what a home that belongs to a hub has of the hub alone. Throws `invalid_config` with this message. */
export function refuseMember(home: string, message: string): void {
  if (findBelonging(home).kind === 'alone') return;
  throw new SvcdError('invalid_config', message, { hint: terminalWords().leaveHub });
}

/** Where a Key lies besides the keychain; null for nowhere. */
export async function findOtherPlace(home: string): Promise<string | null> {
  return keyFromEnvironment() === undefined ? ((await loadConfig({ home })).keyFile ?? null) : 'SERVICE_API_KEY';
}

/** Such as `from the OS keychain`. */
export function describeKeySource(source: KeySource): string {
  return keyWords().sources[source];
}

/** Such as `is locked, or has no keyring yet. Unlock it …`; what to do is done where there is a Key. */
export function describeKeychain(state: KeychainReport['state'], hasKey: boolean): string {
  if (state === 'not_asked') return keyWords().keychainNotNeeded;
  const { words, hint } = keychainAdvice(state);
  return hasKey || state === 'found' || state === 'empty' ? words : keyWords().withHint(words, hint);
}

/** A state of the keychain in the chosen language, and what to do. */
export function keychainAdvice(state: KeychainState): KeychainAdvice {
  return keyWords().keychain[state] ?? adviceFor(state);
}
