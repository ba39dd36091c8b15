// One paid call, told in terms of money: what an exchange with the remote means for a purchase.

import { SvcdError } from '../errors.js';
import type { PaidAnswer } from '../purchases/purchase-desk.js';
import type { Brought } from '../purchases/owned-store.js';
import type { Exchange, RemoteAnswer } from '../upstream/exchange.js';
import { chargedNothing, remoteError } from '../upstream/remote-error.js';

/** What a charged answer brought, or why it cannot be used. */
export type Unpacked =
  | { readonly brought: Brought; readonly extra?: readonly Brought[] }
  | { readonly brought: Brought; readonly problem: string };

/** Judges an exchange; `unpack` is asked about a success only. */
export async function judgePaidCall(
  exchange: Exchange,
  price: number,
  unpack: (answer: RemoteAnswer) => Unpacked | Promise<Unpacked>,
): Promise<PaidAnswer> {
  if (exchange.kind === 'unreached') return { kind: 'refused', error: exchange.error };
  if (exchange.kind === 'lost') return { kind: 'lost', error: exchange.error };
  if (exchange.status >= 200 && exchange.status < 300) return charged(await unpack(exchange), price);
  const error = remoteError(exchange);
  return { kind: chargedNothing(exchange.status, error.code) ? 'refused' : 'lost', error };
}

function charged(unpacked: Unpacked, cost: number): PaidAnswer {
  if (!('problem' in unpacked)) return { kind: 'delivered', cost, ...unpacked };
  const error = new SvcdError('upstream_failure', `what the remote sent cannot be used: ${unpacked.problem}`);
  return { kind: 'unusable', cost, brought: unpacked.brought, error };
}
