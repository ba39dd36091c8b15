// Handlers of svcd's own paths about money: purchases, spending, budgets, what costs nothing.

import type { Context } from 'hono';
import { answerAsset } from '../../http/answer-asset.js';
import type { Handlers } from '../../http/router.js';
import { SvcdError } from '../../model/errors.js';
import { PERIODS } from '../../purchases/budget.js';
import { itemOf } from '../../purchases/item.js';
import { spendingOf } from '../../purchases/open-purchases.js';
import type { Verbs } from '../open-verbs.js';
import type { Rooms } from '../rooms.js';
import type { BalanceOf } from '../service/service-handlers.js';
import { createReviewPurchases } from './review-purchases.js';

/** `noteChange` is called when a budget changed. */
export function createMoneyHandlers(
  rooms: Rooms,
  { fetchSticker }: Verbs,
  balanceOf: BalanceOf,
  noteChange: () => void,
) {
  const { budget, guard, owned, own, defaults, log } = rooms;
  const reviewPurchases = createReviewPurchases(rooms, fetchSticker);
  const showSpending = () => {
    // A Key that came a moment ago has its budget now, not at its first purchase.
    rooms.userKey();
    return spendingOf(rooms);
  };
  return {
    listPurchases: async ({ query: { free_since: freeSince, ...filter } }) => ({
      purchases: await reviewPurchases.list({ ...filter, freeSince }),
    }),
    showPurchase: ({ c }) => reviewPurchases.get(numberOf(c)),
    settlePurchase: ({ c, caller, body: { as } }) => {
      const outcome = as === undefined ? undefined : as === 'charged' ? 'paid' : 'refused';
      return reviewPurchases.settle(numberOf(c), outcome, caller.spender());
    },
    retryPurchase: async ({ c, caller }) => {
      const delivery = await reviewPurchases.retry(numberOf(c), caller.spender('stickers'), rooms.config.deadlineMs);
      return answerAsset(c, delivery, balanceOf(caller));
    },
    showSpending,
    stopSpending: ({ body }) => {
      guard.setStopped(body.stopped);
      log.info(body.stopped ? 'spending was stopped' : 'spending was allowed again');
      return showSpending();
    },
    setBudget: async ({ body }) => {
      for (const period of PERIODS) {
        const limit = body[period];
        if (limit === undefined) continue;
        await budget.set(period, limit);
        noteChange();
        log.info('a budget was changed', { period, limit: limit ?? 'none' });
      }
      return { budgets: (await showSpending()).budgets };
    },
    listFree: ({ query: { preset: presets } }) => ({
      owned: presets.filter((preset) => owned.has(itemOf(preset)) || own.has(preset)),
      shipped: presets.filter((preset) => defaults.findSticker(preset) !== undefined),
    }),
  } satisfies Partial<Handlers>;
}

function numberOf(c: Context): number {
  const id = c.req.param('id') ?? '';
  if (/^\d{1,15}$/.test(id)) return Number(id);
  throw new SvcdError('invalid_request', `purchase: must be a number, got ${JSON.stringify(id)}`);
}
