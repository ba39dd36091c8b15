// Handlers of svcd's own paths about money and what stands in for it: purchases, spending, budgets, what costs nothing,
// defaults.

import type { Context } from 'hono';
import type { Spending } from '../../api/answers.js';
import { OPERATIONS } from '../../api/operations.js';
import type { KeepDefaults } from '../library/keep-defaults.js';
import type { ReviewPurchases } from './review-purchases.js';
import { requireJson } from '../../contract/json-body.js';
import { IMAGE_SIZES, REGISTERED_MAX_BYTES } from '../../contract/limits.js';
import type { DefaultPack } from '../../defaults/default-pack.js';
import { SvcdError } from '../../model/errors.js';
import { PERIODS, type Budget } from '../../purchases/budget.js';
import { bodyOf } from '../../http/answer.js';
import { answerAsset } from '../../http/answer-asset.js';
import { presetOf, readBody } from '../../http/read-request.js';
import type { Handlers } from '../../http/router.js';
import type { BalanceOf } from '../service/service-handlers.js';

export interface PurchaseParts {
  readonly reviewPurchases: ReviewPurchases;
  readonly showSpending: () => Promise<Spending>;
  readonly stopSpending: (stopped: boolean) => void;
  readonly budget: Budget;
  /** Which of these presets cost nothing any more: bought before, or shipped with svcd. */
  readonly listFree: (presets: readonly string[]) => { owned: string[]; shipped: string[] };
  readonly defaults: DefaultPack;
  readonly keepDefaults: KeepDefaults;
  readonly deadlineMs: number;
}

export function createPurchaseHandlers(parts: PurchaseParts, balanceOf: BalanceOf) {
  const { reviewPurchases, showSpending, budget, keepDefaults } = parts;
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
      const delivery = await reviewPurchases.retry(numberOf(c), caller.spender('stickers'), parts.deadlineMs);
      return answerAsset(c, delivery, balanceOf(caller));
    },
    showSpending,
    stopSpending: ({ body }) => {
      parts.stopSpending(body.stopped);
      return showSpending();
    },
    setBudget: async ({ body }) => {
      for (const period of PERIODS) {
        const limit = body[period];
        if (limit !== undefined) await budget.set(period, limit);
      }
      return { budgets: (await showSpending()).budgets };
    },
    listFree: ({ query }) => parts.listFree(query.preset),

    showDefaultImage: async ({ c }) => {
      const size = IMAGE_SIZES.find((one) => `${one}.png` === c.req.param('size'));
      if (size === undefined) {
        throw new SvcdError('not_found', `default images are ${IMAGE_SIZES.join('.png, ')}.png`);
      }
      const headers = { 'Content-Type': 'image/png', 'Cache-Control': 'no-store' };
      return new Response(bodyOf(await parts.defaults.readImage(size)), { headers });
    },
    listDefaults: () => ({ defaults: keepDefaults.list() }),
    addDefault: async ({ c }) => {
      requireJson(c.req.header('content-type'));
      const preset = presetOf(c, OPERATIONS.addDefault);
      return keepDefaults.add(preset, await readBody(c, REGISTERED_MAX_BYTES));
    },
    removeDefault: async ({ c }) => {
      const preset = presetOf(c, OPERATIONS.removeDefault);
      await keepDefaults.remove(preset);
      return { removed: preset };
    },
  } satisfies Partial<Handlers>;
}

function numberOf(c: Context): number {
  const id = c.req.param('id') ?? '';
  if (/^\d{1,15}$/.test(id)) return Number(id);
  throw new SvcdError('invalid_request', `purchase: must be a number, got ${JSON.stringify(id)}`);
}
