// Why a default was served, for people. On a machine of a hub the reason of the API says less than the hub did: that it was
// revoked looks like being cut off, and a budget is the hub's. What the hub said last is in the daemon's status.

import type { DaemonStatus, HubRefusal, PurchaseView } from '../../api/answers.js';
import { isSvcdError } from '../../model/errors.js';
import type { Client } from '../connection/client.js';
import { errorWords } from '../terminal/error-words.js';
import { formatCount, sanitize } from '../terminal/format.js';
import { awayWords, hubRefusalWords, reasonWords } from './words.js';

export type DescribeReason = (reason: string) => string;

/** Sentences for these reasons, which answers gave that were asked for `since`; of one sticker, with the number of its purchase. */
export async function explainReasons(
  client: Pick<Client, 'ask'>,
  reasons: readonly (string | undefined)[],
  since: number,
  preset?: string,
): Promise<DescribeReason> {
  const mayBeHubs = ['offline', 'budget', 'no_key', 'unsettled', 'spending_stopped'].some((one) =>
    reasons.includes(one),
  );
  const status = mayBeHubs ? await findStatus(client) : undefined;
  const hub = status?.hub ?? null;
  const refusal = hub?.refusal ?? null;
  const goesOn = ['late', 'rate_limited'].some((one) => reasons.includes(one));
  const ofOwn = hub === null && preset !== undefined && (goesOn || reasons.includes('unsettled'));
  const open = ofOwn ? await findOpen(client, preset) : undefined;
  return (reason) => {
    if (refusal !== null) {
      // A budget of this machine's own may have refused the next one.
      const isOfBudget = refusal.code === 'budget';
      const isOfKey = refusal.code === 'hub_without_key';
      if (
        isOfBudget
          ? Date.parse(refusal.at) >= since && reason === 'budget'
          : reason === (isOfKey ? 'no_key' : 'offline')
      ) {
        const said = describeRefusal(refusal);
        if (said !== undefined) return said;
      }
    }
    const stop = reason === 'spending_stopped' ? status?.spending_stopped : undefined;
    if (stop && stop.by !== 'user') {
      const { translated } = errorWords();
      return sanitize(awayWords().stopped(translated(stop.why), translated(stop.hint).replace(/[.。]$/, '')));
    }
    if (reason === 'unsettled' && open?.state === 'unknown') return awayWords().unsettled(open.id);
    if (goesOn && open !== undefined && open.state !== 'unknown') {
      return awayWords().goesOn(open.id, describeReason(reason, status?.remote), formatCount(open.price, 'credit'));
    }
    return hub !== null && reason === 'unsettled'
      ? hubRefusalWords().unsettled
      : describeReason(reason, status?.remote);
  };
}

/** What a hub refuses this machine for, and what to do; undefined for a code of a newer daemon. */
export function describeRefusal({ code, why }: HubRefusal): string | undefined {
  const words = hubRefusalWords();
  if (code === 'budget') return words.budget(sanitize(why));
  return code === 'hub_without_key' ||
    code === 'machine_revoked' ||
    code === 'not_a_machine' ||
    code === 'hub_certificate_changed'
    ? words[code]
    : undefined;
}

/** The sentence for a reason; the word itself for one that a newer daemon gives. */
export function describeReason(reason: string, remote: DaemonStatus['remote'] | undefined): string {
  const words = awayWords();
  if (remote?.address === null && (reason === 'no_key' || reason === 'offline')) return words.noRemote;
  if (reason === 'offline' && remote !== undefined) {
    const { forced, since } = remote;
    if (forced) return words.forced;
    return since === null ? words.awayNow : words.away(new Date(since).toTimeString().slice(0, 5));
  }
  const known: Readonly<Record<string, string>> = reasonWords();
  return known[reason] ?? sanitize(reason).replaceAll('_', ' ');
}

/** The newest purchase of a sticker that goes on, or whose end is not known. */
async function findOpen(client: Pick<Client, 'ask'>, preset: string): Promise<PurchaseView | undefined> {
  const path = `/svcd/purchases?limit=20&preset=${encodeURIComponent(preset)}` as const;
  const found = await client.ask<{ purchases: PurchaseView[] }>('GET', path).catch(() => undefined);
  return found?.purchases.find(({ state }) => state === 'unknown' || state === 'intent' || state === 'sent');
}

/** Why something was not had is told as well without it. */
async function findStatus(client: Pick<Client, 'ask'>): Promise<DaemonStatus | undefined> {
  try {
    return await client.ask<DaemonStatus>('GET', '/svcd/status');
  } catch (error) {
    if (!isSvcdError(error)) throw error;
    return undefined;
  }
}
