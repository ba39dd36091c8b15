// One paid call, told in terms of money: what an exchange with the remote means for a purchase.

import { SvcdError } from '../model/errors.js';
import type { Exchange } from '../upstream/exchange.js';
import { chargedNothing, remoteError } from '../upstream/remote-error.js';
import { balanceIn } from '../upstream/remote.js';
import type { PurchaseItem, Unpacked } from './item.js';
import type { ItemFile } from './owned-store.js';

/**
 * How a paid call ended; `balance` is the credits left, if its answer says so, and `cost` what it took, where that is not
 * the price.
 */
export type PaidAnswer = { readonly balance?: number | undefined; readonly cost?: number | undefined } & (
  | { readonly kind: 'delivered'; readonly file: ItemFile }
  /** Charged, but the answer cannot be used. */
  | { readonly kind: 'unusable'; readonly file: ItemFile; readonly error: SvcdError }
  /** Certainly not charged: nothing was sent, or the remote said no. */
  | { readonly kind: 'refused'; readonly error: SvcdError }
  /** Sent, and whether it was charged cannot be seen. */
  | { readonly kind: 'lost'; readonly error: SvcdError }
);

/** Judges an exchange that was to buy `item` from the remote at `baseUrl`. */
export function judgePaidCall(item: PurchaseItem, exchange: Exchange, baseUrl: string): PaidAnswer {
  if (exchange.kind === 'unreached') return { kind: 'refused', error: exchange.error };
  if (exchange.kind === 'lost') return { kind: 'lost', error: exchange.error };
  const balance = balanceIn(exchange);
  if (exchange.status >= 200 && exchange.status < 300)
    return { ...charged(item, item.unpack(exchange, baseUrl)), balance };
  const error = remoteError(exchange);
  if (!chargedNothing(exchange, item.kind)) return { kind: 'lost', error, balance };
  return { kind: 'refused', error: sayingFree(error), balance };
}

function charged(item: PurchaseItem, { bytes, contentType, problem }: Unpacked): PaidAnswer {
  const file = { item: item.name, bytes, contentType };
  if (problem === undefined) return { kind: 'delivered', file };
  const error = new SvcdError('upstream_failure', `the file that the remote sent cannot be used: ${problem}`);
  return { kind: 'unusable', file, error };
}

/** A refusal that says what the client will ask next. */
export function sayingFree(error: SvcdError): SvcdError {
  const { code, message, retryAfterS, fromRemote, hint = 'Nothing was charged.' } = error;
  return new SvcdError(code, message, {
    cause: error,
    hint,
    fromRemote,
    ...(retryAfterS === undefined ? {} : { retryAfterS }),
  });
}
