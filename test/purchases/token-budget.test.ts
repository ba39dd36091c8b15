// Budgets of tokens when they buy: two that want the same thing at the same moment, and one that ends while it waits.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SvcdError } from '../../src/model/errors.js';
import { openPurchases, type PurchaseStores } from './open-test-purchases.js';
import { createTestBuyer, delivered, type TestBuyer } from './test-buyer.js';

let stores: PurchaseStores;
let buyer: TestBuyer;

beforeEach(() => {
  stores = openPurchases();
  buyer = createTestBuyer(stores, () => undefined);
});
afterEach(() => stores.close());

function tokenWith(name: string, day: number | null): number {
  const limits = { request: null, day, month: null, total: null };
  const token = stores.tokens.add({ name, only: ['stickers'], limits });
  return stores.tokens.find(token)?.id ?? -1;
}

function buy(tokenId: number) {
  return buyer.buy('sticker:a', () => delivered('{}'), { tokenId });
}

describe('the budget of a token', () => {
  it('that is used up does not refuse another token that waits for the same thing', async () => {
    const [empty, full] = [tokenWith('empty', 0), tokenWith('full', 1)];
    const [first, second] = await Promise.all([buy(empty), buy(full)]);
    expect([first.kind, second.kind]).toEqual(['refused', 'bought']);
  });

  it('is nothing once the token was revoked, for a purchase that waited too', async () => {
    const id = tokenWith('promo', null);
    stores.tokens.revoke('promo');
    const receipt = await buy(id);
    expect(receipt).toMatchObject({ kind: 'refused', error: { code: 'invalid_token' } });
    expect(receipt.kind === 'refused' && receipt.error).toBeInstanceOf(SvcdError);
  });

  it.each(['request', 'day', 'month', 'total'] as const)(
    'names the token where its limit per %s is reached',
    async (period) => {
      const limits = { request: null, day: null, month: null, total: null, [period]: 0 };
      const token = stores.tokens.add({ name: 'promo', only: ['stickers'], limits });
      const per = period === 'total' ? '' : ` per ${period}`;
      const used = period === 'request' ? '' : ' (0 spent or reserved)';
      expect(await buy(stores.tokens.find(token)?.id ?? -1)).toMatchObject({
        kind: 'refused',
        error: {
          code: 'budget',
          message: `the budget of the token "promo"${per} is 0 credits${used}, and this costs 1`,
        },
      });
    },
  );

  it('is judged after those of all, and before the call leaves once more', async () => {
    const id = tokenWith('promo', 5);
    await stores.budget.set('day', 0);
    expect(await buy(id)).toMatchObject({
      error: { message: expect.stringMatching(/^the budget per day is 0/) as unknown },
    });
    await stores.budget.set('day', null);
    const order = { item: 'sticker:a', kind: 'sticker', price: 3, keyId: 'k', tokenId: id } as const;
    const claim = await stores.journal.intend(order);
    stores.database.prepare('UPDATE spending_limit SET credits = 2 WHERE payer = ?').run(`token:${id}`);
    await expect(stores.journal.send(claim.mine ? claim.id : 0)).rejects.toMatchObject({ code: 'budget' });
  });

  it('is gone with a run that bought nothing', () => {
    const limits = { request: 1, day: 1, month: 1, total: 1 };
    stores.tokens.beginRun({ name: 'render', only: ['stickers'], limits });
    stores.tokens.revoke('render');
    const left = stores.database.prepare('SELECT count(*) FROM spending_limit').pluck().get();
    expect([left, stores.tokens.list()]).toEqual([0, []]);
  });

  it('is never that of a later token with the same name', async () => {
    const first = tokenWith('promo', 1);
    await buy(first);
    stores.tokens.revoke('promo');
    expect(tokenWith('promo', 1)).toBeGreaterThan(first);
    expect(stores.tokens.list().map(({ spent }) => spent.day)).toEqual([0]);
  });
});
