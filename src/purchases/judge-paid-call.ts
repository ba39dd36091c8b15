// One paid call, told in terms of money: what an exchange with the remote means for a purchase.

import { SvcdError } from '../model/errors.js';
import type { Brought } from './owned-store.js';
import type { PurchaseKind } from './journal.js';
import type { PaidAnswer } from './purchase-coordinator.js';
import type { ReadBalance } from './settlement.js';
import type { Exchange, RemoteAnswer } from '../upstream/exchange.js';
import { chargedNothing, remoteError } from '../upstream/remote-error.js';
import { balanceIn, type Remote } from '../upstream/remote.js';

/** What a charged answer brought, or why it cannot be used. */
export type Unpacked =
  { readonly brought: Brought } | { readonly brought: Brought; readonly problem: string };

const USAGE_TIMEOUT_MS = 2000;
const USAGE_MAX_BYTES = 1024 * 1024;

/** Judges an exchange; `unpack` is asked about a success only. */
export async function judgePaidCall(
  kind: PurchaseKind,
  exchange: Exchange,
  unpack: (answer: RemoteAnswer) => Unpacked | Promise<Unpacked>,
): Promise<PaidAnswer> {
  if (exchange.kind === 'unreached') return { kind: 'refused', error: exchange.error };
  if (exchange.kind === 'lost') return { kind: 'lost', error: exchange.error };
  const balance = balanceIn(exchange);
  if (exchange.status >= 200 && exchange.status < 300) return { ...charged(await unpack(exchange)), balance };
  const error = remoteError(exchange);
  if (!chargedNothing(exchange, kind)) return { kind: 'lost', error, balance };
  return { kind: 'refused', error: sayingFree(error), balance };
}

/** A refusal that says what the client will ask next. */
function sayingFree(error: SvcdError): SvcdError {
  const { code, message, retryAfterS, fromRemote, hint = 'Nothing was charged.' } = error;
  return new SvcdError(code, message, {
    cause: error,
    hint,
    fromRemote,
    ...(retryAfterS === undefined ? {} : { retryAfterS }),
  });
}

/** A reading of the balance behind a Key, through the free usage call. */
export function balanceReader(remote: Remote, key: string): ReadBalance {
  return async () => {
    const request = { method: 'GET', path: '/api/v1/usage', key, cost: 'free' } as const;
    const exchange = await remote.exchange({
      ...request,
      timeoutMs: USAGE_TIMEOUT_MS,
      queueTimeoutMs: USAGE_TIMEOUT_MS,
      maxBytes: USAGE_MAX_BYTES,
    });
    return exchange.kind === 'answer' && exchange.status === 200 ? balanceIn(exchange) : undefined;
  };
}

function charged(unpacked: Unpacked): PaidAnswer {
  if (!('problem' in unpacked)) return { kind: 'delivered', ...unpacked };
  const error = new SvcdError('upstream_failure', `what the remote sent cannot be used: ${unpacked.problem}`);
  return { kind: 'unusable', brought: unpacked.brought, error };
}
