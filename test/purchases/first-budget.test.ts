// The budget that a home starts with when it gets its first real Key: once, and only where the user has not decided.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mine } from './claims.js';
import { openPurchases, type PurchaseStores } from './open-test-purchases.js';
import { openFirstBudget } from '../../src/purchases/sqlite/sqlite-budget.js';

let stores: PurchaseStores;
beforeEach(() => {
  stores = openPurchases();
});
afterEach(() => stores.close());

const limits = async () => (await stores.budget.show()).map(({ limit }) => limit);
const buy = (keyId: string) =>
  stores.journal
    .intend({ item: 'sticker:a', kind: 'sticker', price: 1, keyId })
    .then((claim) => stores.journal.send(mine(claim)));

describe('the first budget', () => {
  it('is 100 credits a day, for the first Key and no other', async () => {
    expect(stores.firstBudget.isDue()).toBe(true);
    expect(stores.firstBudget.give('one')).toBe(true);
    expect(await limits()).toEqual([null, 100, null]);
    expect([stores.firstBudget.give('one'), stores.firstBudget.give('two'), stores.firstBudget.isDue()]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('refuses what is over it and names the command that changes it', async () => {
    stores.firstBudget.give('one');
    const paid = stores.journal.intend({ item: 'image:a', kind: 'image', price: 101, keyId: 'one' });
    await expect(paid).rejects.toMatchObject({
      code: 'budget',
      hint: expect.stringContaining('svcd budget set --day N'),
    });
  });

  it('that was removed stays removed, also after a restart', async () => {
    stores.firstBudget.give('one');
    await stores.budget.set('day', null);
    stores = stores.reopen();
    expect([stores.firstBudget.give('two'), await limits()]).toEqual([false, [null, null, null]]);
  });

  it('leaves limits of the user as they are', async () => {
    await stores.budget.set('month', 5);
    expect([stores.firstBudget.give('one'), await limits()]).toEqual([false, [null, null, 5]]);
  });

  it('is not given where the user wanted no limit before there was a Key', async () => {
    await stores.budget.set('day', null);
    expect([stores.firstBudget.give('one'), await limits()]).toEqual([false, [null, null, null]]);
  });

  it('leaves a home alone that has bought with this Key already', async () => {
    await buy('one');
    expect([stores.firstBudget.give('one'), await limits()]).toEqual([false, [null, null, null]]);
  });

  it("is given although a template's own Key has bought here before", async () => {
    await buy('of a template');
    expect([stores.firstBudget.give('one'), await limits()]).toEqual([true, [null, 100, null]]);
  });

  it.each(['sandbox', 'none'])('is not for the scope %s, and not used up by it', (scope) => {
    const other = openFirstBudget(stores.database, scope);
    other.end();
    expect([other.give('one'), other.isDue()]).toEqual([false, true]);
    expect(stores.firstBudget.give('one')).toBe(true);
  });
});
