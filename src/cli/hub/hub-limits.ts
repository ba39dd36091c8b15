// What the hub lets this machine spend: of its project, its user and itself. The machine's own budgets are another matter.

import type { HubBudgetView, MachineLimits } from '../../api/hub.js';
import { findBelonging } from '../../config/membership.js';
import { isSvcdError } from '../../model/errors.js';
import type { Client } from '../connection/client.js';
import { sanitize } from '../terminal/format.js';
import { openHubClient } from '../../hub/member/hub-client.js';
import { describeBudgets } from './hub-tables.js';
import type { Input } from '../terminal/input.js';
import { spendingWords } from '../money/spending-words.js';

/** Its limits, or why they are not known; undefined for a home that belongs to no hub. */
export type LimitsAtHub =
  | { readonly limits: readonly HubBudgetView[] }
  | { readonly error: { readonly code: string; readonly message: string } };

export async function askHubLimits(
  input: Pick<Input, 'home'>,
  client: Pick<Client, 'status'>,
): Promise<LimitsAtHub | undefined> {
  const belonging = findBelonging(await input.home());
  if (belonging.kind !== 'hub') return undefined;
  const { hub: of, remote } = await client.status();
  if (remote.forced) return { error: { code: 'offline', message: spendingWords().hubNotAsked } };
  const { addresses, pin, token, project } = belonging.membership;
  const hub = openHubClient({ addresses, pin, token });
  try {
    const path = `/svcd/hub/limits?project=${encodeURIComponent(of?.project ?? project)}`;
    const { limits } = await hub.ask<MachineLimits>('GET', path);
    return { limits };
  } catch (error) {
    if (!isSvcdError(error)) throw error;
    return { error: { code: error.code, message: error.message } };
  } finally {
    hub.close();
  }
}

export function describeLimits(at: LimitsAtHub): string[] {
  const words = spendingWords();
  if ('error' in at) return [sanitize(words.hubLimitsUnknown(at.error.message))];
  if (at.limits.length === 0) return [words.noHubLimits];
  return [words.hubLimits, ...describeBudgets(at.limits).map((line) => `  ${line}`)];
}
