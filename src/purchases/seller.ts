// Who sells: what a paid call says besides what it asks for, and what an exchange means in terms of money. Here is the service; a
// hub, which pays for its machines, is the other seller (hub/member/trade.ts).

import type { Cost } from '../model/asset.js';
import { SvcdError } from '../model/errors.js';
import type { Exchange } from '../upstream/exchange.js';
import { chargedNothing, remoteError } from '../upstream/remote-error.js';
import { balanceIn } from '../upstream/remote.js';
import type { Attempt } from './join-purchase.js';
import type { PurchaseItem, Unpacked } from './item.js';
import type { Purchase } from './journal.js';
import type { ItemFile } from './owned-store.js';
import { CHARGED_REFUSAL } from './settlement-rules.js';

/**
 * How a paid call ended; `balance` is the credits left, if its answer says so, and `cost` what it took, where that is not
 * the price: `unknown` until the seller tells it.
 */
export type PaidAnswer = { readonly balance?: number | undefined; readonly cost?: Cost | undefined } & (
  | { readonly kind: 'delivered'; readonly file: ItemFile }
  /** Charged, but the answer cannot be used. */
  | { readonly kind: 'unusable'; readonly file: ItemFile; readonly error: SvcdError }
  /** Certainly not charged: nothing was sent, or the remote said no. */
  | { readonly kind: 'refused'; readonly error: SvcdError }
  /** Sent, and whether it was charged cannot be seen. */
  | { readonly kind: 'lost'; readonly error: SvcdError; readonly reason?: string | undefined }
);

export interface Seller {
  /** Whether its purchases are its own, made for this machine too: what is in doubt here is settled there. */
  readonly isHub: boolean;
  /** Headers by which it knows a purchase again. */
  nameOf(id: number): Promise<Readonly<Record<string, string>>>;
  /** What an exchange that was to bring the item of a purchase means for it. */
  judge(id: number, attempt: Attempt, exchange: Exchange): Promise<PaidAnswer>;
  /** Whether it knows of this very purchase, and gives its bytes again for nothing. */
  knows(purchase: Purchase): boolean;
  /** Whether it lets a purchase that it was asked for wait for its turn; undefined where that is not known in time. */
  letsWait(id: number, attempt: Attempt, timeoutMs: number): Promise<boolean | undefined>;
}

/** The service: it knows no purchase by a name, and has whoever asks wait here. */
export const SERVICE: Seller = {
  isHub: false,
  nameOf: () => Promise.resolve({}),
  judge: (_id, { item, remote }, exchange) => judgePaidCall(item, exchange, remote.baseUrl),
  knows: () => false,
  letsWait: () => Promise.resolve(undefined),
};

/** How purchases are asked of a seller, whose files are at most so large. */
export function createPaidCalls(seller: Seller, maxFileBytes: number) {
  const requestOf = async (id: number, { item, key, order }: Attempt) => {
    const headers = {
      ...item.request.headers,
      ...(await seller.nameOf(id)),
      ...(order.allowRepay === true && { 'X-Svcd-Allow-Repay': '1' }),
    };
    return { ...item.request, key, cost: 'paid', price: item.price, maxBytes: maxFileBytes, headers } as const;
  };
  return {
    requestOf,
    /** What the seller knows, and knows more of than this journal: asked for by its name, it is not bought again. */
    askAgain: async (purchase: Purchase, attempt: Attempt): Promise<PaidAnswer> => {
      const exchange = await attempt.remote.exchange(await requestOf(purchase.id, attempt));
      const isBrought = exchange.kind === 'answer' && exchange.status < 300;
      const again = isBrought && purchase.state === 'unknown' ? { ...exchange, again: true } : exchange;
      return seller.judge(purchase.id, attempt, again);
    },
  };
}

/** Judges an exchange that was to buy `item` from the service at `baseUrl`. */
export async function judgePaidCall(item: PurchaseItem, exchange: Exchange, baseUrl: string): Promise<PaidAnswer> {
  if (exchange.kind === 'unreached') return { kind: 'refused', error: exchange.error };
  if (exchange.kind === 'lost') return { kind: 'lost', error: exchange.error };
  const balance = balanceIn(exchange);
  if (exchange.status >= 200 && exchange.status < 300)
    return { ...charged(item, await item.unpack(exchange, baseUrl)), balance };
  const error = remoteError(exchange);
  const reason = exchange.fell === true ? CHARGED_REFUSAL : undefined;
  if (!chargedNothing(exchange, item.kind)) return { kind: 'lost', error, balance, reason };
  if (reason !== undefined) return { kind: 'lost', error: fellWith(error, exchange.status), reason };
  return { kind: 'refused', error: sayingFree(error), balance };
}

function charged(item: PurchaseItem, { bytes, contentType, problem }: Unpacked): PaidAnswer {
  const file = { item: item.name, bytes, contentType };
  if (problem === undefined) return { kind: 'delivered', file };
  const error = new SvcdError('upstream_failure', `the file that the remote sent cannot be used: ${problem}`);
  return { kind: 'unusable', file, error };
}

function fellWith(cause: SvcdError, status: number): SvcdError {
  const what = `the remote refused it (${status}, ${cause.code}), and yet the balance fell`;
  return new SvcdError('upstream_failure', what, { cause, fromRemote: true });
}

const OTHER_KEY = 'Nothing was charged. "svcd key status" says which Key svcd uses; "svcd key set" stores another.';

/** A refusal that says what the client will ask next. */
export function sayingFree(error: SvcdError): SvcdError {
  const { code, hint = code === 'invalid_key' || code === 'key_disabled' ? OTHER_KEY : 'Nothing was charged.' } = error;
  return error.with({ hint });
}
