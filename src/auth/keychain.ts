// The OS keychain: one question at a time, 3 s at most, answered with a state. Each question runs in a process of its
// own (keychain-child.ts). keychain-states.ts says what each state means to a person.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { SvcdError } from '../model/errors.js';
import { INSTALLATION } from '../platform/installation.js';
import { parseJson } from '../platform/json.js';
import type { KeychainQuestion, KeychainReply } from './answer-question.js';
import { adviceFor } from './keychain-states.js';

export interface Keychain {
  /** Looks for the Key of one remote, named by its base address. Never rejects, and answers within 3 s. */
  find(account: string): Promise<KeychainReply>;
  /** Writes a Key and reads it back. Throws `keychain_unavailable`. */
  store(account: string, key: string): Promise<void>;
  /** Forgets a Key; false when there was none. Throws `keychain_unavailable`. */
  remove(account: string): Promise<boolean>;
}

/** Asks one question; never rejects. Given up on when the signal says so. */
export type AskKeychain = (question: KeychainQuestion, signal: AbortSignal) => Promise<KeychainReply>;

// A keyring daemon that hangs holds a call for 25 s; a user should not wait that long.
const PATIENCE_MS = 3000;
const CHILD = fileURLToPath(new URL('dist/keychain-child.js', INSTALLATION));

/** The keychain of this user. */
export function createKeychain(askOnce: AskKeychain = askInChild): Keychain {
  let before: Promise<unknown> = Promise.resolve();
  const ask = (question: KeychainQuestion): Promise<KeychainReply> => {
    const asking = before.then(() => inTime(askOnce, question));
    before = asking;
    return asking;
  };
  return {
    find: (account) => ask({ do: 'find', account }),
    store: async (account, key) => assertUsable(await ask({ do: 'store', account, key })),
    remove: async (account) => {
      const reply = await ask({ do: 'remove', account });
      assertUsable(reply);
      return reply.removed ?? false;
    },
  };
}

async function inTime(askOnce: AskKeychain, question: KeychainQuestion): Promise<KeychainReply> {
  const late = AbortSignal.timeout(PATIENCE_MS);
  const reply = await askOnce(question, late);
  if (!late.aborted || reply.why === undefined) return reply;
  return { state: 'no_answer', why: `it did not answer within ${PATIENCE_MS / 1000} s` };
}

function askInChild(question: KeychainQuestion, signal: AbortSignal): Promise<KeychainReply> {
  const stdio = ['pipe', 'pipe', 'ignore'] as const;
  const child = spawn(process.execPath, [CHILD], { stdio: [...stdio], signal, killSignal: 'SIGKILL' });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  // The child may have ended before it read the question.
  child.stdin.on('error', () => undefined).end(JSON.stringify(question));
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ state: 'no_module', why: error.message }));
    child.on('close', () => {
      // A crash of the library ends its process without a reply.
      const reply = parseJson(Buffer.concat(chunks)) as KeychainReply | undefined;
      resolve(reply ?? { state: 'no_module', why: 'it crashed, or was ended' });
    });
  });
}

function assertUsable({ state, why = 'unknown' }: KeychainReply): void {
  if (state === 'found' || state === 'empty') return;
  const { words, hint } = adviceFor(state);
  throw new SvcdError('keychain_unavailable', `the OS keychain ${words} (${why})`, { hint });
}
