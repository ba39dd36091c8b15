// What stands in the way of buying, from what the daemon said last: the same for bars, dialog and tiles.

import type { Summary } from '../api/page-operations.js';

/** Whether the page may see money: it has no session, has one, or had one that ended with svcd. */
export type Session = 'none' | 'live' | 'lost';
export type Budget = Summary['budgets'][number];

/** Why nothing of this price can be bought now. */
export type Block =
  | { readonly kind: 'away' | 'signed_out' | 'lost' | 'no_key' | 'offline' }
  /** The hub refuses this machine, by this code. */
  | { readonly kind: 'hub'; readonly code: string }
  | { readonly kind: 'key'; readonly problem: string; readonly lastFour: string | null }
  | { readonly kind: 'stopped'; readonly stop: NonNullable<Summary['spending_stopped']> }
  | { readonly kind: 'credits'; readonly credits: number }
  | { readonly kind: 'budget'; readonly budget: Budget; readonly limit: number };

export interface Frame {
  readonly isThere: boolean;
  readonly session: Session;
  readonly summary: Summary | undefined;
}

/** What keeps `cost` credits from being spent; undefined when nothing does. What lasts longest comes first. */
export function whyNot(cost: number, { isThere, session, summary }: Frame): Block | undefined {
  if (!isThere) return { kind: 'away' };
  if (session !== 'live') return { kind: session === 'lost' ? 'lost' : 'signed_out' };
  if (summary === undefined) return undefined;
  const { key, hub, spending_stopped: stop, remote, balance, budgets } = summary;
  const refusal = hub?.refusal ?? null;
  if (key.source === 'none') return { kind: 'no_key' };
  if (refusal !== null && refusal.code !== 'budget' && !remote.forced) return { kind: 'hub', code: refusal.code };
  if (key.problem !== null) return { kind: 'key', problem: key.problem, lastFour: key.last_four };
  if (stop !== null) return { kind: 'stopped', stop };
  if (remote.offline) return { kind: 'offline' };
  if (balance !== null && balance.credits < cost) return { kind: 'credits', credits: balance.credits };
  for (const budget of budgets) {
    const { limit, spent } = budget;
    if (limit !== null && (spent ?? 0) + cost > limit) return { kind: 'budget', budget, limit };
  }
  return undefined;
}
