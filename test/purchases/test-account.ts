// An account at a remote: each call says whether it charges, and whether its answer arrives, or its charge comes late.

import { keyIdOf } from '../../src/model/spender.js';
import type { PurchaseStores } from './open-test-purchases.js';
import { createTestBuyer, delivered, KEY, lost, refused } from './test-buyer.js';

export const KEY_ID = keyIdOf(KEY);

export type Fate = 'late' | 'answered' | 'lost charged' | 'lost free' | 'refused' | 'unusable free';

/** One with these credits, from which the given stores buy. */
export function openAccount(opened: PurchaseStores, credits: number) {
  let stores = opened;
  const state = {
    balance: credits,
    tells: true,
    calls: 0,
    charges: new Map<string, number>(),
    /** Requests that lie in a queue on their way. */
    onTheirWay: [] as (() => void)[],
  };
  const newBuyer = () => createTestBuyer(stores, () => (state.tells ? state.balance : undefined));
  let buyer = newBuyer();
  const buy = (item: string, fate: Fate, price = 1, kind: 'sticker' | 'image' = 'sticker', allowRepay = false) => {
    const ending = () => {
      state.calls += 1;
      const charge = () => {
        state.balance -= price;
        state.charges.set(item, (state.charges.get(item) ?? 0) + 1);
      };
      if (fate === 'answered' || fate === 'lost charged') charge();
      if (fate === 'late') state.onTheirWay.push(charge);
      if (fate === 'refused') return refused(state.balance);
      if (fate === 'unusable free') return delivered(item, undefined, 'odd');
      return fate === 'answered' ? delivered(item, state.balance) : lost();
    };
    return buyer.buy(item, ending, { kind, price, allowRepay });
  };
  /** After a restart. */
  const renew = (reopened: PurchaseStores) => {
    stores = reopened;
    buyer = newBuyer();
  };
  return { state, buy, renew, settle: () => stores.settlement.settle(KEY_ID, async () => state.balance) };
}
