// The balance of an account as last told, and when that was.

import { expect, it, onTestFinished } from 'vitest';
import { movableClock, openPurchases } from './open-test-purchases.js';

const MINUTE_MS = 60_000;

it('is told with the time of the latest answer, though the amount stays; after a restart to the minute', () => {
  const clock = movableClock();
  const start = clock.at;
  const stores = openPurchases({ clock });
  const told = () => [stores.accounts.findBalance('one'), stores.accounts.findBalanceTime('one')];
  expect(told()).toEqual([undefined, undefined]);
  stores.accounts.noteBalance('one', 7);
  clock.at = start + MINUTE_MS / 2;
  stores.accounts.noteBalance('one', 7);
  expect(told()).toEqual([7, clock.at]);
  clock.at = start + 2 * MINUTE_MS;
  stores.accounts.noteBalance('one', 7);
  const reopened = stores.reopen();
  onTestFinished(() => reopened.close());
  expect(reopened.accounts.findBalance('one')).toBe(7);
  expect(reopened.accounts.findBalanceTime('one')).toBe(start + 2 * MINUTE_MS);
});
