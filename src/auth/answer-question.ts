// Answers one question through the OS keychain, and turns its odd answers into states.

import type { KeychainState } from './keychain-states.js';

export type KeychainQuestion =
  | { readonly do: 'find' | 'remove'; readonly account: string }
  | { readonly do: 'store'; readonly account: string; readonly key: string };

/** The outcome. After `store` and `remove` the state is `found` or `empty`, whatever is there then. */
export interface KeychainReply {
  readonly state: KeychainState;
  /** The Key, when it was asked for and the state is `found`. */
  readonly key?: string;
  /** What the system itself said, when something is wrong. */
  readonly why?: string;
  /** Whether there was something to remove. */
  readonly removed?: boolean;
}

/** The part of keytar that is used. */
export interface KeychainModule {
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, password: string): Promise<void>;
  deletePassword(service: string, account: string): Promise<boolean>;
}

const SERVICE = 'svcd';
const PROBE = 'probe: whether this keyring can be written';

/** Why the keychain cannot be used, as a state. */
class Unusable extends Error {
  readonly state: KeychainState;

  constructor(state: KeychainState, why: string) {
    super(why);
    this.state = state;
  }
}

/** Answers one question through the module that `load` brings. Never rejects. */
export async function answerQuestion(
  question: KeychainQuestion,
  load: () => Promise<KeychainModule>,
): Promise<KeychainReply> {
  try {
    const keychain = await load().catch(moduleMissing);
    if (question.do === 'store') return await store(keychain, question.account, question.key);
    return await (question.do === 'find' ? find : remove)(keychain, question.account);
  } catch (error) {
    if (error instanceof Unusable) return { state: error.state, why: error.message };
    return { state: 'no_service', why: messageOf(error) };
  }
}

async function find(keychain: KeychainModule, account: string): Promise<KeychainReply> {
  const key = await reading(keychain.getPassword(SERVICE, account));
  if (key !== null && key !== '') return { state: 'found', key };
  await probe(keychain);
  return { state: 'empty' };
}

async function store(keychain: KeychainModule, account: string, key: string): Promise<KeychainReply> {
  await writing(keychain.setPassword(SERVICE, account, key));
  await readBack(keychain, account, key);
  return { state: 'found' };
}

async function remove(keychain: KeychainModule, account: string): Promise<KeychainReply> {
  const removed = await writing(keychain.deletePassword(SERVICE, account));
  if (!removed) await probe(keychain);
  return { state: 'empty', removed };
}

/** A locked keyring answers as an empty one does; only a write tells them apart. Throws `locked` unless one works. */
async function probe(keychain: KeychainModule): Promise<void> {
  await writing(keychain.setPassword(SERVICE, PROBE, PROBE));
  await readBack(keychain, PROBE, PROBE);
  await writing(keychain.deletePassword(SERVICE, PROBE));
}

async function readBack(keychain: KeychainModule, account: string, written: string): Promise<void> {
  const kept = await reading(keychain.getPassword(SERVICE, account));
  if (kept !== written) throw new Unusable('locked', 'what was written could not be read back');
}

// Errors of the keyring carry no code: the operation and a few words of the message tell them apart.
const HANGS = /timeout was reached/i;
const LOCKED = /interaction|locked/i;
const ABSENT = /autolaunch|could not connect|was not provided|connection (is )?closed/i;

/** A keychain that fails to read is missing, or locked on macOS; elsewhere a locked one reads as empty. */
async function reading<T>(read: Promise<T>): Promise<T> {
  return read.catch((error: unknown) => {
    const why = messageOf(error);
    throw new Unusable(HANGS.test(why) ? 'no_answer' : LOCKED.test(why) ? 'locked' : 'no_service', why);
  });
}

/** A keyring that answers but refuses to write is locked, or was never created. */
async function writing<T>(write: Promise<T>): Promise<T> {
  return write.catch((error: unknown) => {
    const why = messageOf(error);
    throw new Unusable(HANGS.test(why) ? 'no_answer' : ABSENT.test(why) ? 'no_service' : 'locked', why);
  });
}

function moduleMissing(error: unknown): never {
  const missing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
  throw new Unusable('no_module', missing ? 'keytar is not installed' : messageOf(error));
}

function messageOf(error: unknown): string {
  const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  return first;
}
