// me and usage: the remote's own answer, else the last one known, marked as such.

import type { Source } from '../../model/asset.js';
import { boundsProblem, parseJson } from '../../platform/json.js';
import { SvcdError } from '../../model/errors.js';
import type { AccountCache } from '../../purchases/sqlite/account-cache.js';
import { askFree, noRemote, type Remote } from '../../upstream/remote.js';
import { keyIdOf, type Spender } from '../../model/spender.js';
import { requireKey } from '../stickers/fallback-policy.js';
import { relayAddresses, type NoteFile } from '../../upstream/relay-address.js';

export interface FreeAnswer {
  /** JSON. */
  readonly body: string;
  readonly source: Source;
  /** Seconds since the remote said so, for what is last known. */
  readonly ageS?: number;
}

export type ShowAccount = (path: AccountPath, spender: Spender) => Promise<FreeAnswer>;
export type AccountPath = '/api/v1/me' | '/api/v1/usage';

const TIMEOUT_MS = 8000;
const MAX_BYTES = 1024 * 1024;

/** Shows the account of the spender. Throws the remote's refusals, and `offline` when nothing was ever known. */
export function createShowAccount(
  remote: Remote | undefined,
  accounts: AccountCache,
  origin: () => string,
  note: NoteFile,
): ShowAccount {
  return async (path, spender) => {
    const key = requireKey(spender);
    const keyId = keyIdOf(key);
    try {
      const body = await askForJson(remote, path, key, origin(), note);
      accounts.noteAnswer(keyId, path, body);
      return { body, source: 'remote' };
    } catch (error) {
      return lastKnown(accounts, keyId, path, error);
    }
  };
}

/** The JSON of a free call, with addresses made ours. Throws as `askFree`, and `upstream_failure` for no JSON. */
export async function askForJson(
  remote: Remote | undefined,
  path: string,
  key: string | undefined,
  origin: string,
  note: NoteFile,
): Promise<string> {
  if (remote === undefined) throw noRemote();
  const answer = await askFree(remote, {
    method: 'GET',
    path,
    key,
    cost: 'free',
    timeoutMs: TIMEOUT_MS,
    queueTimeoutMs: TIMEOUT_MS,
    resendWithinMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  });
  const value = parseJson(answer.bytes);
  if (value === undefined) {
    const why = boundsProblem(answer.bytes) ?? 'it is not JSON';
    throw new SvcdError('upstream_failure', `the answer of the remote cannot be used: ${why}`);
  }
  return JSON.stringify(relayAddresses(value, remote.baseUrl, origin, note));
}

/** What was last known, when the error means that the remote cannot answer; else throws the error. */
export function lastKnown(accounts: AccountCache, keyId: string, path: string, error: unknown): FreeAnswer {
  const answer = cannotAnswer(error) ? accounts.findAnswer(keyId, path) : undefined;
  if (answer === undefined) throw error;
  return { ...answer, source: 'last-known' };
}

function cannotAnswer(error: unknown): boolean {
  return error instanceof SvcdError && ['offline', 'timeout', 'upstream_failure', 'rate_limited'].includes(error.code);
}
