// What the frame of the page shows, from what svcd knows at this moment: nobody is asked.

import type { Summary } from '../../api/page-operations.js';
import { VERSION } from '../../platform/installation.js';
import { isUsualHome } from '../../config/find-home.js';
import { IMAGE_PRICE, STICKER_PRICE } from '../../contract/limits.js';
import { keyIdOf } from '../../model/spender.js';
import { spendingOf } from '../../purchases/open-purchases.js';
import type { Rooms } from '../rooms.js';

export type ShowSummary = () => Promise<Summary>;

/** A balance that was told longer ago may have changed elsewhere. */
const FRESH_MS = 10 * 60_000;

export function createShowSummary(rooms: Rooms): ShowSummary {
  const { remote, isSandbox, keys, harvester, library, clock, keyTrouble } = rooms;
  const { home } = rooms.config;
  const named = isUsualHome(home).then((isUsual) => (isUsual ? null : home));
  return async () => {
    const { stopped, purchases, budgets } = await spendingOf(rooms);
    const { offline = false, forced = false, since, why } = remote?.reach() ?? {};
    const { known, complete, estimate, seconds_left, state } = harvester.status();
    const { source, last_four } = keys.report();
    return {
      version: VERSION,
      balance: balanceOf(rooms, clock.now(), offline),
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
      hub: rooms.belonging(),
      key: { source, last_four, problem: keyTrouble.find(keys.current()) ?? null },
      spending_stopped: stopped,
      purchases: { unknown: purchases.unknown, under_way: purchases.intent + purchases.sent },
      library: { known, complete, estimate, seconds_left, paused: state === 'paused', set_aside: library.wasSetAside },
      owned: rooms.owned.count(),
      home: await named,
      folder: rooms.findFolder() !== undefined,
    };
  };
}

function balanceOf({ accounts, keys }: Rooms, now: number, offline: boolean): Summary['balance'] {
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
