// What the frame of the page shows, from what svcd knows at this moment: nobody is asked.

import type { Summary } from '../../api/summary.js';
import { VERSION } from '../../platform/installation.js';
import type { UserKey } from '../../auth/user-key.js';
import { IMAGE_PRICE, STICKER_PRICE } from '../../contract/limits.js';
import type { Harvester } from '../../harvest/harvester.js';
import { keyIdOf } from '../../model/spender.js';
import type { Library } from '../../library/library.js';
import type { Clock } from '../../platform/clock.js';
import { spendingOf, type PurchaseStores } from '../../purchases/open-purchases.js';
import type { KeyTrouble } from '../../upstream/key-trouble.js';
import type { Remote } from '../../upstream/remote.js';

export interface SummarySources {
  readonly stores: PurchaseStores;
  readonly remote: Pick<Remote, 'baseUrl' | 'reach'> | undefined;
  readonly isSandbox: boolean;
  /** The hub that the home belongs to; null for none. */
  readonly hub: () => Summary['hub'];
  readonly keys: Pick<UserKey, 'current' | 'report'>;
  readonly harvester: Pick<Harvester, 'status'>;
  readonly library: Pick<Library, 'wasSetAside'>;
  readonly clock: Clock;
  readonly keyTrouble: Pick<KeyTrouble, 'find'>;
  readonly home: string;
  /** Whether commands find the home where none is named. */
  readonly isUsualHome: (home: string) => Promise<boolean>;
  readonly hasFolder: () => boolean;
}

export type ShowSummary = () => Promise<Summary>;

/** A balance that was told longer ago may have changed elsewhere. */
const FRESH_MS = 10 * 60_000;

export function createShowSummary(sources: SummarySources): ShowSummary {
  const { stores, remote, isSandbox, hub, keys, harvester, library, clock, keyTrouble, hasFolder } = sources;
  const named = sources.isUsualHome(sources.home).then((isUsual) => (isUsual ? null : sources.home));
  return async () => {
    const { stopped, purchases, budgets } = await spendingOf(stores);
    const { offline = false, forced = false, since, why } = remote?.reach() ?? {};
    const { known, complete, estimate, seconds_left, state } = harvester.status();
    const { source, last_four } = keys.report();
    return {
      version: VERSION,
      balance: balanceOf(sources, clock.now(), offline),
      price: { sticker: STICKER_PRICE, image: IMAGE_PRICE },
      budgets,
      remote: {
        address: remote?.baseUrl ?? null,
        sandbox: isSandbox,
        offline,
        forced,
        since: since === undefined ? null : new Date(since).toISOString(),
        why: why ?? null,
      },
      hub: hub(),
      key: { source, last_four, problem: keyTrouble.find(keys.current()) ?? null },
      spending_stopped: stopped,
      purchases: { unknown: purchases.unknown, under_way: purchases.intent + purchases.sent },
      library: { known, complete, estimate, seconds_left, paused: state === 'paused', set_aside: library.wasSetAside },
      owned: stores.owned.count(),
      home: await named,
      folder: hasFolder(),
    };
  };
}

function balanceOf({ stores: { accounts }, keys }: SummarySources, now: number, offline: boolean): Summary['balance'] {
  const key = keys.current();
  if (key === undefined) return null;
  const keyId = keyIdOf(key);
  const credits = accounts.findBalance(keyId);
  if (credits === undefined) return null;
  const at = accounts.findBalanceTime(keyId);
  return {
    credits,
    as_of: at === undefined ? null : new Date(at).toISOString(),
    stale: offline || at === undefined || now - at > FRESH_MS,
  };
}
