// When the remote says to come back: the Retry-After header in both of its forms.

import type { Exchange, RemoteAnswer } from './exchange.js';

/**
 * Seconds until asking again makes sense, or undefined when the answer does not say. A date is compared with the
 * answer's own Date header, so that neither clock need be right.
 */
export function findRetryAfterS({ headers }: Pick<RemoteAnswer, 'headers'>): number | undefined {
  const value = headers['retry-after']?.trim();
  if (value === undefined) return undefined;
  if (/^\d{1,9}(\.\d+)?$/.test(value)) return Number(value);
  const waitMs = Date.parse(value) - Date.parse(headers['date'] ?? '');
  return Number.isFinite(waitMs) ? Math.max(0, Math.ceil(waitMs / 1000)) : undefined;
}

/** Milliseconds that the remote asks to wait; 0 when it does not say. */
export function retryAfterMs(result: Exchange): number {
  return result.kind === 'answer' ? (findRetryAfterS(result) ?? 0) * 1000 : 0;
}
