// Orders and files of tests over several hubs.

import { isSvcdError } from '../../src/model/errors.js';
import type { Order } from '../../src/purchases/journal.js';
import type { PostgresPurchases } from '../support/postgres-purchases.js';

export const order = (item: string, more: Partial<Order> = {}): Order => ({
  item: `sticker:${item}`,
  kind: 'sticker',
  price: 1,
  keyId: 'k',
  ...more,
});
export const fileOf = (item: string) => ({
  item: `sticker:${item}`,
  bytes: new TextEncoder().encode(`{"of":"${item}"}`),
  contentType: 'application/json',
});
/** The code that something is refused with, or `done`. */
export const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (isSvcdError(error) ? error.code : String(error)),
  );

/**
 * Asks again while a database on a busy machine does not answer in time, as its client would be told. What was written although
 * its commit was not confirmed counts until its hub looks, which it does every few seconds.
 */
export async function patiently<T>({ hub }: PostgresPurchases, ask: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      if (tries > 0) await hub.lookNow();
      return await ask();
    } catch (error) {
      if (tries === 20 || !isSvcdError(error, 'database_away')) throw error;
    }
  }
}
