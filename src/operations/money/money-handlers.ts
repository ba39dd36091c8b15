// Handlers of svcd's own paths about money: purchases, spending, budgets, what costs nothing.

import type { Context } from 'hono';
import type { PageCodes } from '../../auth/page-codes.js';
import { answerAsset } from '../../http/answer-asset.js';
import type { Handlers } from '../../http/router.js';
import { SvcdError } from '../../model/errors.js';
import { itemOf } from '../../purchases/item.js';
import type { Verbs } from '../open-verbs.js';
import type { Rooms } from '../rooms.js';
import type { BalanceOf } from '../service/service-handlers.js';
import { createReviewPurchases } from './review-purchases.js';
import { FIRST_DAY_LIMIT, PERIODS } from '../../purchases/budget.js';
import { spendingOf } from '../../purchases/purchase-stores.js';

/** `noteChange` is called when a budget changed. */
export function createMoneyHandlers(
  rooms: Rooms,
  { fetchSticker }: Verbs,
  balanceOf: BalanceOf,
  pageCodes: PageCodes,
  noteChange: () => void,
) {
  const { budget, firstBudget, isSandbox, guard, owned, own, defaults, log } = rooms;
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
    settlePurchases: ({ caller }) => reviewPurchases.settleAll(caller.spender()),
    settlePurchase: ({ c, caller, headers, body: { as } }) => {
      // What is said to be free is room in the budget again.
      if (as === 'free') pageCodes.demand(caller, headers['X-Svcd-Code']);
      const outcome = as === undefined ? undefined : as === 'charged' ? 'paid' : 'refused';
      return reviewPurchases.settle(numberOf(c), outcome, caller.spender());
    },
    retryPurchase: async ({ c, caller }) => {
      const delivery = await reviewPurchases.retry(numberOf(c), caller.spender('stickers'), rooms.config.deadlineMs);
      return answerAsset(c, delivery, balanceOf(caller));
    },
    showSpending,
    stopSpending: ({ caller, headers, body }) => {
      if (!body.stopped) pageCodes.demand(caller, headers['X-Svcd-Code']);
      guard.setStopped(body.stopped);
      log.info(body.stopped ? 'spending was stopped' : 'spending was allowed again');
      return showSpending();
    },
    setBudget: async ({ caller, headers, body }) => {
      const { budgets } = await showSpending();
      const isFirstDue = !isSandbox && firstBudget.isDue();
      const isRaised = budgets.some(({ period, limit }) => {
        // Any limit takes the place of the one that the first Key will bring.
        if (isFirstDue && period === 'day' && limit === null) return (body.day ?? Infinity) > FIRST_DAY_LIMIT;
        const wanted = body[period];
        return wanted !== undefined && (wanted ?? Infinity) > (limit ?? Infinity);
      });
      if (isRaised) pageCodes.demand(caller, headers['X-Svcd-Code']);
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
