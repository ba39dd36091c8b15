// The states of the OS keychain in words, each with what to do about it.

import { reinstallCommand } from '../platform/installation.js';

export type KeychainState = 'found' | 'empty' | 'locked' | 'no_service' | 'no_module' | 'no_answer';

export interface KeychainAdvice {
  /** What is the case: `the OS keychain …`. */
  readonly words: string;
  readonly hint: string;
}

const OTHERWISE = 'Until then SERVICE_API_KEY works, or "svcd key set --key-file PATH".';

const ADVICE: Readonly<Record<KeychainState, KeychainAdvice>> = {
  found: { words: 'holds a Key for this remote', hint: 'Nothing needs to be done.' },
  empty: {
    words: 'works and holds no Key for this remote',
    hint: 'Store one with "svcd key set", or "svcd key import PATH".',
  },
  locked: {
    words: 'is locked, or has no keyring yet',
    hint: `Unlock it (log in to the desktop, or open its password program), then run "svcd key status". ${OTHERWISE}`,
  },
  no_service: {
    words: 'has no keyring service to talk to',
    hint: 'This is usual on servers and in containers. Put the Key into SERVICE_API_KEY, or into a file of mode 0600 with "svcd key set --key-file PATH".',
  },
  no_module: {
    words: 'cannot be used: a module or its system library is missing',
    hint: `Run "${reinstallCommand()}", on Debian after "apt-get install libsecret-1-0". ${OTHERWISE}`,
  },
  no_answer: {
    words: 'does not answer: its keyring service hangs, or waits to be unlocked',
    hint: `Look for a password dialog, or restart the keyring service, then run "svcd key status". ${OTHERWISE}`,
  },
};

/** What a state means, and what to do. */
export function adviceFor(state: KeychainState): KeychainAdvice {
  return ADVICE[state];
}
