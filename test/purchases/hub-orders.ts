// Orders and files of tests over several hubs.

import { isSvcdError } from '../../src/model/errors.js';
import type { Order } from '../../src/purchases/journal.js';

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
