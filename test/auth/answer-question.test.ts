// What the odd answers of a keyring mean, with a module that gives them.

import { describe, expect, it } from 'vitest';
import { answerQuestion, type KeychainModule } from '../../src/auth/answer-question.js';
import { createKeychain } from '../../src/auth/keychain.js';

const REMOTE = 'https://assets.example.com';

function keyring(change: Partial<KeychainModule> = {}): () => Promise<KeychainModule> {
  const entries = new Map<string, string>();
  const module: KeychainModule = {
    getPassword: async (_service, account) => entries.get(account) ?? null,
    setPassword: async (_service, account, password) => void entries.set(account, password),
    deletePassword: async (_service, account) => entries.delete(account),
    ...change,
  };
  return async () => module;
}

const fails = (message: string) => async () => Promise.reject(new Error(message));

describe('a keyring', () => {
  it('that works is empty until something is stored, and leaves no probe behind', async () => {
    const written = new Set<string>();
    const entries = new Map<string, string>();
    const load = keyring({
      getPassword: async (_service, account) => entries.get(account) ?? null,
      setPassword: async (_service, account, password) => {
        written.add(account);
        entries.set(account, password);
      },
      deletePassword: async (_service, account) => entries.delete(account),
    });
    expect(await answerQuestion({ do: 'find', account: REMOTE }, load)).toEqual({ state: 'empty' });
    expect([written.size, entries.size]).toEqual([1, 0]);
    await answerQuestion({ do: 'store', account: REMOTE, key: 'sk-1' }, load);
    expect(await answerQuestion({ do: 'find', account: REMOTE }, load)).toEqual({ state: 'found', key: 'sk-1' });
    expect(await answerQuestion({ do: 'remove', account: REMOTE }, load)).toMatchObject({ removed: true });
  });

  it.each([
    ['no_service', { getPassword: fails('Could not connect: No such file or directory') }],
    ['no_answer', { getPassword: fails('Timeout was reached') }],
    ['locked', { getPassword: fails('User interaction is not allowed.') }],
    ['locked', { setPassword: fails('Object does not exist at path “/org/freedesktop/secrets/collection/login”') }],
    ['no_service', { setPassword: fails('The name org.freedesktop.secrets was not provided by any .service files') }],
    // Takes a write, and has forgotten it.
    ['locked', { setPassword: async () => undefined }],
  ])('is %s', async (state, change) => {
    expect((await answerQuestion({ do: 'find', account: REMOTE }, keyring(change))).state).toBe(state);
  });

  it('is told as a missing module when it cannot be loaded', async () => {
    const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
    const library = new Error('libsecret-1.so.0: cannot open shared object file');
    const told = [];
    for (const error of [missing, library]) {
      told.push(await answerQuestion({ do: 'find', account: REMOTE }, async () => Promise.reject(error)));
    }
    expect(told).toEqual([
      { state: 'no_module', why: 'keytar is not installed' },
      { state: 'no_module', why: library.message },
    ]);
  });
});

describe('the keychain', () => {
  it('is asked one question at a time', async () => {
    let under = 0;
    let most = 0;
    const keychain = createKeychain(async () => {
      most = Math.max(most, ++under);
      await new Promise((resolve) => void setImmediate(resolve));
      under--;
      return { state: 'empty' };
    });
    await Promise.all(Array.from({ length: 10 }, () => keychain.find(REMOTE)));
    expect(most).toBe(1);
  });

  it('refuses to store where it cannot, in words and with what to do', async () => {
    const keychain = createKeychain(async () => ({ state: 'no_service', why: 'no bus' }));
    await expect(keychain.store(REMOTE, 'sk-secret')).rejects.toMatchObject({
      code: 'keychain_unavailable',
      message: 'the OS keychain has no keyring service to talk to (no bus)',
      hint: expect.stringContaining('--key-file') as string,
    });
  });
});
