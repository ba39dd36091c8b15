// Payments on the control surface: top-ups, template purchases, refunds, and what hinders a reward.

import type { Context } from 'hono';
import { parseControl } from './control-requests.js';
import { MAIN_ACCOUNT } from './accounts.js';
import type { Cashier, Payment } from './cashier.js';
import { issueKey, type AccountRooms } from './control-accounts.js';
import type { ControlRoute } from './control-app.js';
import type { Ledger } from './ledger.js';
import { readJsonObject } from './read-body.js';

export interface MoneyRooms extends AccountRooms {
  cashier: Cashier;
  ledger: Ledger;
}

/** Routes about money. */
export function moneyRoutes(rooms: MoneyRooms): ControlRoute[] {
  const { cashier, ledger } = rooms;
  const view = (payment: Payment) => viewPayment(rooms, payment);
  const idIn = (c: Context) => c.req.param('id') ?? '';
  return [
    ['GET', '/sandbox/ledger', () => ledger.audit()],
    ['GET', '/sandbox/payments', () => ({ payments: cashier.list().map(view) })],
    ['POST', '/sandbox/topups', async (c) => topUp(rooms, await readJsonObject(c.req.raw))],
    ['POST', '/sandbox/purchases', async (c) => buy(rooms, await readJsonObject(c.req.raw))],
    [
      'PATCH',
      '/sandbox/payments/:id',
      async (c) => {
        const { anomaly, verified } = parseControl('judgement', await readJsonObject(c.req.raw));
        const found = {
          ...(anomaly === undefined ? {} : { anomaly }),
          ...(verified === undefined ? {} : { verified }),
        };
        return view(cashier.judge(idIn(c), found));
      },
    ],
    ['POST', '/sandbox/payments/:id/refund', (c) => view(cashier.refund(idIn(c)))],
  ];
}

function topUp(rooms: MoneyRooms, body: Record<string, unknown>) {
  const { account = MAIN_ACCOUNT, amount } = parseControl('topUp', body);
  return viewPayment(rooms, rooms.cashier.topUp(rooms.accounts.get(account).id, amount));
}

/** Buying a template brings its package, and with it the first Key for `service.key.json`. */
function buy(rooms: MoneyRooms, body: Record<string, unknown>) {
  const { account = MAIN_ACCOUNT, template, amount } = parseControl('templatePurchase', body);
  const { id } = rooms.accounts.get(account);
  return rooms.ledger.together(() => {
    const payment = viewPayment(rooms, rooms.cashier.buyTemplate(id, template, amount));
    return { ...payment, key: issueKey(rooms, id, { template }) };
  });
}

function viewPayment({ accounts, cashier, purse }: MoneyRooms, payment: Payment) {
  const { id, kind, template, credits, anomaly, verified, refundedAt } = payment;
  // Reading a balance settles what is due, so that the rewards are told as they are now.
  const balance = purse.balance(payment.account);
  return {
    id,
    account: accounts.getById(payment.account).name,
    kind,
    template,
    amount: (payment.amountFen / 100).toFixed(2),
    credits,
    at: new Date(payment.at).toISOString(),
    anomaly,
    verified,
    refunded: refundedAt !== null,
    rewards: cashier.rewardsOf(id).map((reward) => ({
      account: accounts.getById(reward.account).name,
      role: reward.role,
      credits: reward.credits,
      state: reward.state,
    })),
    balance,
  };
}
