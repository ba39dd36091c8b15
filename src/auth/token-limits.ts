// The limits of each further token, beside the home's budget. As there, running and unknown purchases count as spent.

import { SvcdError } from '../model/errors.js';
import type { Database } from '../platform/open-database.js';
import { openPayerLines, payerOfToken } from './payer-lines.js';

/** Limits of one token in credits; null for none. */
export interface TokenLimits {
  readonly request: number | null;
  readonly day: number | null;
  readonly month: number | null;
  /** For as long as it lives. */
  readonly total: number | null;
}

/** Credits that a token spent or reserved. */
export interface TokenSpending {
  readonly day: number;
  readonly month: number;
  readonly total: number;
}

export interface TokenLimitLedger {
  /**
   * Throws `budget` when `price` more would go over a limit of this token, and `invalid_token` when it was revoked
   * in between; `taken` is what the same request reserved before. To be called in the transaction that reserves it;
   * `today` is `YYYY-MM-DD`.
   */
  reserve(tokenId: number, price: number, today: string, taken?: number): void;
  /**
   * Throws the same when what this token reserved and spent is over a limit, the latest reservation of `price` with it:
   * to be asked again before it leaves.
   */
  confirm(tokenId: number, price: number, today: string): void;
  spent(tokenId: number, today: string): TokenSpending;
}

const PERIODS = ['request', 'day', 'month', 'total'] as const;

/** Opens the limits of one scope. */
export function openTokenLimits(db: Database, scope: string): TokenLimitLedger {
  const live = db.prepare<[number], TokenLimits & { name: string }>(
    `SELECT name, per_request AS request, per_day AS day, per_month AS month, in_total AS total
     FROM token WHERE id = ? AND revoked_at IS NULL`,
  );
  const linesOf = openPayerLines(db, scope);
  const spent = (tokenId: number, today: string) => linesOf(payerOfToken(tokenId), today);
  /** Checks a price against what was spent besides it, and what the request took before. */
  const check = (tokenId: number, price: number, today: string, reserved: number, taken: number) => {
    const token = live.get(tokenId);
    if (token === undefined) throw new SvcdError('invalid_token', 'the token was revoked');
    const { day, month, total } = spent(tokenId, today);
    const already = { request: taken, day: day - reserved, month: month - reserved, total: total - reserved };
    for (const period of PERIODS) {
      const limit = token[period];
      if (limit !== null && already[period] + price > limit) {
        throw tokenExceeded(token.name, period, limit, already[period], price);
      }
    }
  };
  return {
    spent,
    reserve: (tokenId, price, today, taken = 0) => check(tokenId, price, today, 0, taken),
    confirm: (tokenId, price, today) => check(tokenId, price, today, price, 0),
  };
}

/** Says which limit of a token another price would go over. */
export function tokenExceeded(name: string, period: string, limit: number, already: number, price: number): SvcdError {
  const which = period === 'total' ? '' : ` per ${period}`;
  const used = already === 0 && period === 'request' ? '' : ` (${already} spent or reserved)`;
  const budget = `the budget${which} of the token ${JSON.stringify(name)}`;
  return new SvcdError('budget', `${budget} is ${limit}${used}, and this costs ${price}`, {
    hint: '"svcd token list" shows the limits of every token; they were set when it was made.',
  });
}
