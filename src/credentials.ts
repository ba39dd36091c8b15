// The user's Key in the OS keychain. The only importer of keytar, which may be missing.

import { SvcdError } from './errors.js';

/** What a look into the keychain found. */
export type KeychainFinding =
  | { readonly state: 'found'; readonly key: string }
  | { readonly state: 'empty' }
  /** No module, no keyring service, or one that does not answer; `why` in words. */
  | { readonly state: 'unavailable'; readonly why: string };

const SERVICE = 'svcd';
// A keyring daemon that hangs holds a call for 25 s; nobody should wait for it that long.
const PATIENCE_MS = 3000;

interface Keychain {
  getPassword(service: string, account: string): Promise<string | null>;
}

/** Looks for the Key of one remote, named by its base address. Never rejects, and answers within 3 s. */
export async function findKeychainKey(remote: string): Promise<KeychainFinding> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<KeychainFinding>((resolve) => {
    const why = `the keyring did not answer within ${PATIENCE_MS / 1000} s`;
    timer = setTimeout(() => resolve({ state: 'unavailable', why }), PATIENCE_MS);
  });
  try {
    return await Promise.race([look(remote), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function look(remote: string): Promise<KeychainFinding> {
  try {
    const keychain = await loadKeychain();
    const key = await keychain.getPassword(SERVICE, remote);
    return key === null || key === '' ? { state: 'empty' } : { state: 'found', key };
  } catch (error) {
    return { state: 'unavailable', why: error instanceof Error ? error.message : 'unknown' };
  }
}

async function loadKeychain(): Promise<Keychain> {
  try {
    const { default: keytar } = await import('keytar');
    return keytar;
  } catch (cause) {
    throw new SvcdError('unsupported_platform', 'the module keytar or its system library is not installed', {
      cause,
    });
  }
}
