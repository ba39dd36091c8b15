// What a payer reserved and spent, by day, month and in all. The file itself keeps these lines beside the journal
// (purchases/guard-schema.ts), so that no purchase is forgotten in them.

import type { Database } from '../platform/open-database.js';

/** Credits reserved or spent. */
export interface PayerLines {
  readonly day: number;
  readonly month: number;
  readonly total: number;
}

/** Reads the lines of a payer, such as `all` or `token:3`; `today` is `YYYY-MM-DD`. Later days are not counted but in all. */
export type ReadPayerLines = (payer: string, today: string) => PayerLines;

/** Who pays for whatever this home or hub buys. */
export const ALL_PAYERS = 'all';

/** The payer that a further token is. */
export function payerOfToken(tokenId: number): string {
  return `token:${tokenId}`;
}

/** The number of the token that a payer is; undefined for any other payer. */
export function tokenOfPayer(payer: string): number | undefined {
  const number = /^token:(\d+)$/.exec(payer)?.[1];
  return number === undefined ? undefined : Number(number);
}

const NONE: PayerLines = { day: 0, month: 0, total: 0 };

/** Opens the lines of one scope. */
export function openPayerLines(db: Database, scope: string): ReadPayerLines {
  const sum = db.prepare<{ scope: string; payer: string; today: string; month: string }, PayerLines>(
    `SELECT coalesce(sum(iif(day = @today, credits, 0)), 0) AS day,
            coalesce(sum(iif(day >= @month AND day <= @today, credits, 0)), 0) AS month,
            coalesce(sum(credits), 0) AS total
     FROM (SELECT day, reserved + spent AS credits FROM budget_use WHERE scope = @scope AND payer = @payer)`,
  );
  return (payer, today) => sum.get({ scope, payer, today, month: `${today.slice(0, 7)}-01` }) ?? NONE;
}
