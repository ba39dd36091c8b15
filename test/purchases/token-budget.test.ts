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

  it('is never that of a later token with the same name', async () => {
    const first = tokenWith('promo', 1);
    await buy(first);
    stores.tokens.revoke('promo');
    expect(tokenWith('promo', 1)).toBeGreaterThan(first);
    expect(stores.tokens.list().map(({ spent }) => spent.day)).toEqual([0]);
  });
});
