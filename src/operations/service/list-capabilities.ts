// Capabilities: the remote's list, kept five minutes; else the last known; else the documented one, in which
// only what svcd does by itself is enabled.

import type { Clock } from '../../platform/clock.js';
import { isRecord } from '../../platform/json.js';
import type { AccountCache } from '../../purchases/sqlite/account-cache.js';
import type { NoteFile } from '../../upstream/relay-address.js';
import type { Remote } from '../../upstream/remote.js';
import { DOCUMENTED_CAPABILITIES } from '../../contract/limits.js';
import { askForJson, lastKnown, type FreeAnswer } from '../money/show-account.js';

export type ListCapabilities = () => Promise<FreeAnswer>;

const PATH = '/api/v1/capabilities';
const FRESH_MS = 5 * 60_000;
const ANYBODY = '';
const LOCAL = new Set(['stickers.search', 'stickers.match', 'productions.register']);

/** Lists capabilities; throws nothing for a remote that is away. */
export function createListCapabilities(
  remote: Remote | undefined,
  accounts: AccountCache,
  clock: Clock,
  origin: () => string,
  note: NoteFile,
): ListCapabilities {
  let kept: { body: string; at: number } | undefined;
  return async () => {
    if (kept !== undefined && clock.monotonic() - kept.at < FRESH_MS) return { body: kept.body, source: 'remote' };
    try {
      const body = await askForJson(remote, PATH, undefined, origin(), note);
      kept = { body, at: clock.monotonic() };
      accounts.noteAnswer(ANYBODY, PATH, body);
      return { body, source: 'remote' };
    } catch (error) {
      return recall(accounts, error);
    }
  };
}

/** Whether the remote said last that it has a capability switched off; false where nothing is known. */
export function isKnownOff(id: string, accounts: Pick<AccountCache, 'findAnswer'>): boolean {
  return findCapability(id, accounts.findAnswer(ANYBODY, PATH)?.body)['enabled'] === false;
}

/** What a list says of a capability; nothing where it does not name it. */
export function findCapability(id: string, list = '{}'): Readonly<Record<string, unknown>> {
  const { capabilities } = JSON.parse(list) as { capabilities?: unknown };
  const rows = Array.isArray(capabilities) ? capabilities.filter(isRecord) : [];
  return rows.find((row) => row['id'] === id) ?? {};
}

function recall(accounts: AccountCache, error: unknown): FreeAnswer {
  try {
    return lastKnown(accounts, ANYBODY, PATH, error);
  } catch {
    // Why ever the remote did not answer: the document itself answers this free question.
    return { body: documented(), source: 'last-known' };
  }
}

function documented(): string {
  const capabilities = DOCUMENTED_CAPABILITIES.map((one) => ({
    ...one,
    enabled: one.enabled && LOCAL.has(one.id),
  }));
  return JSON.stringify({ capabilities });
}
