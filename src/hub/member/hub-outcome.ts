// What a hub says became of a wish, by the name that this machine gave it.

import { parseJsonRecord } from '../../platform/json.js';
import type { Remote } from '../../upstream/remote.js';
import { credibleCost, requestIdOf, type HubOutcome, type HubTrade } from './trade.js';
import type { Purchase } from '../../purchases/journal.js';

const MAX_BYTES = 64 * 1024;

/** Undefined where it does not say in time. */
export async function askOutcome(
  { token }: HubTrade,
  remote: Pick<Remote, 'exchange'>,
  purchase: Purchase,
  timeoutMs: number,
): Promise<HubOutcome | undefined> {
  const path = `/svcd/hub/asks/${requestIdOf(token, purchase)}`;
  const request = { method: 'GET', path, key: token, cost: 'free' } as const;
  const answer = await remote.exchange({ ...request, timeoutMs, maxBytes: MAX_BYTES });
  if (answer.kind !== 'answer' || answer.status !== 200) return undefined;
  const { state, cost } = parseJsonRecord(answer.bytes) ?? {};
  if (typeof state !== 'string') return undefined;
  return { state, cost: credibleCost(cost, purchase.price) ?? null };
}
