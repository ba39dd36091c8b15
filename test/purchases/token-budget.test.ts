// Budgets of tokens at the desk: two that want the same thing at the same moment, and one that ends while it waits.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SvcdError } from '../../src/model/errors.js';
import { openPurchases, type PurchaseStores } from './open-test-purchases.js';

let till: PurchaseStores;
beforeEach(() => {
  till = openPurchases();
});
afterEach(() => till.close());

function tokenWith(name: string, day: number | null): number {
  const limits = { request: null, day, month: null, total: null };
  const token = till.tokens.add({ name, only: ['stickers'], limits });
  return till.tokens.find(token)?.id ?? -1;
}

const LOTTIE = new TextEncoder().encode('{}');

function buy(tokenId: number) {
  const order = { item: 'sticker:a', kind: 'sticker', price: 1, keyId: 'k', tokenId } as const;
  return till.desk.buy(order, {
    pay: async ({ beforeSend }) => {
      await beforeSend();
      const brought = { item: order.item, bytes: LOTTIE, contentType: 'application/json' };
      return { kind: 'delivered', brought };
    },
    readBalance: async () => undefined,
  });
}

describe('the budget of a token', () => {
  it('that is used up does not refuse another token that waits for the same thing', async () => {
    const [empty, full] = [tokenWith('empty', 0), tokenWith('full', 1)];
    const [first, second] = await Promise.all([buy(empty), buy(full)]);
    expect([first.kind, second.kind]).toEqual(['refused', 'bought']);
  });

  it('is nothing once the token was revoked, for a purchase that waited too', async () => {
    const id = tokenWith('promo', null);
    till.tokens.revoke('promo');
    const receipt = await buy(id);
    expect(receipt).toMatchObject({ kind: 'refused', error: { code: 'invalid_token' } });
    expect(receipt.kind === 'refused' && receipt.error).toBeInstanceOf(SvcdError);
  });

  it('is never that of a later token with the same name', async () => {
    const first = tokenWith('promo', 1);
    await buy(first);
    till.tokens.revoke('promo');
    expect(tokenWith('promo', 1)).toBeGreaterThan(first);
    expect(till.tokens.list().map(({ spent }) => spent.day)).toEqual([0]);
  });
});
