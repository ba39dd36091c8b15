// Where this user's Key is looked for: what the settings say, each time it is looked for.

import { keyFromEnvironment, loadConfig, type Flags } from '../config/config.js';
import { createKeychain } from '../auth/keychain.js';
import { createUserKey, type UserKey } from '../auth/user-key.js';

/** The user's Key for the remote that these flags settle. Nothing is read yet. */
export function openUserKey(flags: Flags): UserKey {
  return createUserKey(async () => {
    const { remote, keyFile, package: packagePath } = await loadConfig(flags);
    return { environment: keyFromEnvironment(), keyFile, account: remote, packagePath };
  }, createKeychain());
}
