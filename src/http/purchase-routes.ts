// svcd's own paths about money: purchases, spending, budgets. All need a local token.

import type { Context, Hono } from 'hono';
import type { ReviewPurchases } from '../actions/review-purchases.js';
import type { ShowSpending } from '../actions/show-spending.js';
import { SvcdError } from '../model/errors.js';
import type { Permission, Spender } from '../model/spender.js';
import {
  parseBudgetChange,
  parsePurchaseDecision,
  parsePurchaseQuery,
  type BudgetChange,
} from '../api/admin-requests.js';
import { answerAsset } from './answer-asset.js';
import { parametersOf, readJson } from './read-request.js';
import { refuseMethod } from './refuse-method.js';

export interface PurchaseActions {
  readonly reviewPurchases: ReviewPurchases;
  readonly showSpending: ShowSpending;
  readonly setBudget: (change: BudgetChange) => void;
}

export interface PurchaseRouteOptions {
  readonly requireToken: (c: Context, need?: Permission) => void;
  readonly spenderOf: (c: Context) => Spender;
  readonly balanceOf: (c: Context) => number | undefined;
  readonly deadlineMs: number;
}

/** Path and method of every route about money; the README's table is compared with it. */
export const PURCHASE_ROUTES = [
  ['GET', '/svcd/purchases'],
  ['GET', '/svcd/purchases/{id}'],
  ['POST', '/svcd/purchases/{id}/settle'],
  ['POST', '/svcd/purchases/{id}/retry'],
  ['GET', '/svcd/spending'],
  ['PUT', '/svcd/budget'],
] as const;

/** Adds the routes about money. */
export function addPurchaseRoutes(app: Hono, actions: PurchaseActions, options: PurchaseRouteOptions): void {
  const { requireToken, spenderOf, balanceOf } = options;
  const { reviewPurchases, showSpending, setBudget } = actions;

  app.get('/svcd/purchases', async (c) => {
    requireToken(c, 'purchases');
    return c.json({ purchases: await reviewPurchases.list(parsePurchaseQuery(parametersOf(c))) });
  });
  app.all('/svcd/purchases', () => refuseMethod('GET, HEAD'));

  app.get('/svcd/purchases/:id', async (c) => {
    requireToken(c, 'purchases');
    return c.json(await reviewPurchases.get(numberOf(c)));
  });
  app.all('/svcd/purchases/:id', () => refuseMethod('GET, HEAD'));

  app.post('/svcd/purchases/:id/settle', async (c) => {
    requireToken(c);
    const { as } = parsePurchaseDecision(await readJson(c));
    const outcome = as === undefined ? undefined : as === 'charged' ? 'paid' : 'refused';
    return c.json(await reviewPurchases.settle(numberOf(c), outcome, spenderOf(c)));
  });
  app.all('/svcd/purchases/:id/settle', () => refuseMethod('POST'));

  app.post('/svcd/purchases/:id/retry', async (c) => {
    requireToken(c);
    return answerAsset(
      c,
      await reviewPurchases.retry(numberOf(c), spenderOf(c), options.deadlineMs),
      balanceOf(c),
    );
  });
  app.all('/svcd/purchases/:id/retry', () => refuseMethod('POST'));

  app.get('/svcd/spending', (c) => {
    requireToken(c, 'purchases');
    return c.json(showSpending());
  });
  app.all('/svcd/spending', () => refuseMethod('GET, HEAD'));

  app.put('/svcd/budget', async (c) => {
    requireToken(c);
    setBudget(parseBudgetChange(await readJson(c)));
    return c.json({ budgets: showSpending().budgets });
  });
  app.all('/svcd/budget', () => refuseMethod('PUT'));
}

function numberOf(c: Context): number {
  const id = c.req.param('id') ?? '';
  if (/^\d{1,15}$/.test(id)) return Number(id);
  throw new SvcdError('invalid_request', `purchase: must be a number, got ${JSON.stringify(id)}`);
}
