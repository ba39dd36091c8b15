// The Key from the OS keychain, handed to a daemon that has none yet.

import type { Config } from '../config.js';
import { findKeychainKey } from '../credentials.js';
import type { Log } from '../log.js';

/** As much of a daemon as this needs. */
export interface KeyTaker {
  hasUserKey(): boolean;
  setUserKey(key: string): void;
}

/** Looks for the remote's Key and says in words what was found, never the Key. Never rejects; takes up to 3 s. */
export async function adoptKeychainKey(config: Config, daemon: KeyTaker, log: Log): Promise<void> {
  const { remote, sandbox } = config;
  if (remote === undefined || sandbox || daemon.hasUserKey()) return;
  const finding = await findKeychainKey(remote);
  if (finding.state === 'found') {
    daemon.setUserKey(finding.key);
    log.info('found the Key in the keychain', { remote });
  } else if (finding.state === 'empty') {
    // A locked keyring answers just the same.
    log.warn('no Key: the keychain has none or is locked, and SERVICE_API_KEY is not set', { remote });
  } else {
    log.warn('no Key: the keychain cannot be used, and SERVICE_API_KEY is not set', { why: finding.why });
  }
}
