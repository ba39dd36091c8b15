// The user's Key: where to look for it, and its source in words.

import { adviceFor } from '../auth/keychain-states.js';
import { createKeychain } from '../auth/keychain.js';
import { createUserKey, type KeychainReport, type KeySource, type UserKey } from '../auth/user-key.js';
import { type Flags, keyFromEnvironment, loadConfig } from '../config/config.js';

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

const WORDS: Readonly<Record<KeySource, string>> = {
  environment: 'from SERVICE_API_KEY',
  key_file: 'from your key file',
  keychain: 'from the OS keychain',
  package: "from the template package's service.key.json",
  sandbox: "the sandbox's own",
  none: 'none',
};

/** Such as `from the OS keychain`. */
export function describeKeySource(source: KeySource): string {
  return WORDS[source];
}

/** Such as `is locked, or has no keyring yet. Unlock it …`. */
export function describeKeychain(state: KeychainReport['state']): string {
  if (state === 'not_asked') return 'not asked: not needed';
  const { words, hint } = adviceFor(state);
  return state === 'found' || state === 'empty' ? words : `${words}. ${hint}`;
}
