// Whether a default may stand in for what could not be had, and under which reason.

import type { FallbackReason } from '../model/asset.js';
import type { Spender } from '../model/spender.js';
import { SvcdError, type ErrorCode } from '../model/errors.js';

// A wrong Key, an unknown preset and a bad request are for a person to mend: no row, no default.
const REASON_OF: Partial<Record<ErrorCode, FallbackReason>> = {
  offline: 'offline',
  insufficient_credits: 'insufficient_credits',
  key_limit_exceeded: 'insufficient_credits',
  budget: 'budget',
  not_enabled: 'not_enabled',
  unsettled: 'unsettled',
  upstream_failure: 'upstream_failure',
  timeout: 'upstream_failure',
  rate_limited: 'upstream_failure',
  busy: 'upstream_failure',
  duplicate_request: 'upstream_failure',
  internal: 'upstream_failure',
};

/** The reason a default is served under; throws the error itself where it must reach the client. */
export function fallbackReason(error: SvcdError, fallback: boolean): FallbackReason {
  const reason = REASON_OF[error.code];
  if (reason === undefined || !fallback) throw error;
  return reason;
}

/** The reason a default stands in for what may have been charged; throws `error` where it must reach the client. */
export function unsettledReason(error: SvcdError, fallback: boolean): FallbackReason {
  if (!fallback) throw error;
  return 'unsettled';
}

/** Throws for a request that can spend nobody's credits: what it showed is wrong, or a default will not do. */
export function refuseNobody(spender: Spender, fallback: boolean): void {
  if (spender.kind !== 'nobody') return;
  if (spender.error !== undefined) throw spender.error;
  if (!fallback) throw missingKey();
}

/** The Key to ask with. Throws the documented refusal when there is none. */
export function requireKey(spender: Spender): string {
  if (spender.kind === 'key') return spender.key;
  throw spender.error ?? missingKey();
}

function missingKey(): SvcdError {
  return new SvcdError(
    'invalid_key',
    'this needs a Key: the request brings none, and svcd holds none for it',
    {
      hint: 'Send "Authorization: Bearer …" with your Key, or with the local token ("svcd token show"). svcd\'s own Key: "svcd key status".',
    },
  );
}

/** The result, or undefined when it takes longer than `ms`; the work itself goes on. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
