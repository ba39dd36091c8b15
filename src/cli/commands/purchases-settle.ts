// svcd purchases settle

import { SvcdError } from '../../model/errors.js';
import { expectOk, withClient } from '../client.js';
import { HOME_OPTION, type Command } from '../command.js';
import type { Input } from '../input.js';
import { counted, printJson, printLines } from '../output.js';
import { readPurchaseId, whatOf, type PurchaseView } from '../purchase-view.js';

export const purchasesSettleCommand: Command = {
  options: {
    ...HOME_OPTION,
    as: {
      type: 'string',
      requiresArg: true,
      describe: 'What you know: charged or free. Without it the balance is asked.',
    },
  },
  examples: [
    ['svcd purchases settle 7', 'ask the service for the balance; costs nothing'],
    ['svcd purchases settle 7 --as free', 'it was not charged, so it may be bought again'],
  ],
  run: async (input) => {
    const id = readPurchaseId(input);
    const body = JSON.stringify(readDecision(input));
    const headers = { 'content-type': 'application/json' };
    const needs = { json: input.json, spends: true };
    const settled = await withClient({ home: input.text('home') }, needs, async (client) =>
      expectOk(await client.request('POST', `/svcd/purchases/${id}/settle`, { body, headers })).json(),
    );
    if (input.json) return printJson(settled);
    return printLines(describe(settled as PurchaseView));
  },
};

function readDecision(input: Input): { as?: string } {
  const as = input.text('as');
  if (as === undefined) return {};
  if (as === 'charged' || as === 'free') return { as };
  throw new SvcdError('invalid_argument', `--as must be charged or free, got ${JSON.stringify(as)}`);
}

function describe(purchase: PurchaseView): string {
  const { id, state, cost, price, owned } = purchase;
  const which = `Purchase ${id} (${whatOf(purchase)})`;
  if (state === 'refused' && owned) return `${which} was not charged; it is owned by another purchase.`;
  if (state === 'refused') return `${which} was not charged; it is bought when it is next asked for.`;
  const paid = `${which} was charged: ${counted(cost ?? price, 'credit')}`;
  if (owned) return `${paid}. It is owned.`;
  return `${paid}. Nothing of it is owned; "svcd purchases retry ${id}" buys it again.`;
}
