// What all hubs of a database share: the time zone of its days, and the budget that its first real Key brings.

import { randomUUID } from 'node:crypto';
import type { Log } from '../../platform/log.js';
import type { Postgres } from '../../platform/postgres/transaction.js';
import { ALL_PAYERS, FIRST_BUDGET_WORDS, FIRST_DAY_LIMIT, type FirstBudget } from '../budget.js';

export interface Studio {
  /** As the database says; before it was asked, as this hub would. */
  timeZone(): string;
  /** By the rules of owned.db, once for each database; it is written down beside all else. */
  readonly firstBudget: FirstBudget;
  /** Resolves when a first budget that is due stands: nothing is bought before. Throws `database_away`. */
  untilBudgeted(this: void): Promise<void>;
  /** Asks the database. Throws `database_away`. */
  enter(): Promise<void>;
}

/** Whether a first budget was given, or somebody has decided about the budget of all. */
const IS_APPLIED = `EXISTS (SELECT 1 FROM hub_event WHERE verb = 'first budget' OR (verb = 'budget' AND subject = '${ALL_PAYERS}'))`;

/** Days are the studio's: the first hub says where they end, and the others follow. */
export function createStudio(db: Postgres, scope: string, timeZone: string | undefined, log: Log): Studio {
  let zone = timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const isPlay = scope === 'sandbox' || scope === 'none';
  let isDue = false;
  let keyId: string | undefined;
  let giving: Promise<void> | undefined;
  const untilBudgeted = async (): Promise<void> => {
    if (!isDue || keyId === undefined) return;
    giving ??= give(keyId).finally(() => (giving = undefined));
    await giving;
  };
  const give = async (of: string): Promise<void> => {
    const { value } = await db.transaction(async (tx) => {
      const noted = await tx.run(
        `INSERT INTO hub_event (actor, verb, subject) SELECT 'hub', 'first budget', $1 WHERE NOT ${IS_APPLIED}`,
        [scope],
      );
      if (noted === 0) return 0;
      return tx.run(
        `INSERT INTO spending_limit (scope, payer, period, credits) SELECT $1, $2, 'day', $3
         WHERE NOT EXISTS (SELECT 1 FROM spending_limit WHERE scope = $1 AND payer = $2)
           AND NOT EXISTS (SELECT 1 FROM purchase WHERE scope = $1 AND key_id = $4) ON CONFLICT DO NOTHING`,
        [scope, ALL_PAYERS, FIRST_DAY_LIMIT, of],
      );
    });
    isDue = false;
    if (value > 0) log.info(FIRST_BUDGET_WORDS);
  };
  return {
    timeZone: () => zone,
    firstBudget: {
      give: (of) => {
        keyId = of;
        // What buys asks again.
        untilBudgeted().catch(() => undefined);
        return false;
      },
      isDue: () => isDue,
      end: () => void (isDue = false),
    },
    untilBudgeted,
    enter: async () => {
      await db.run('INSERT INTO studio (only_row, id, time_zone) VALUES (true, $1, $2) ON CONFLICT DO NOTHING', [
        randomUUID(),
        zone,
      ]);
      const found = await db.one<{ timeZone: string; isApplied: boolean }>(
        `SELECT time_zone AS "timeZone", ${IS_APPLIED} AS "isApplied" FROM studio`,
      );
      zone = found?.timeZone ?? zone;
      isDue = !isPlay && found?.isApplied === false;
      await untilBudgeted();
    },
  };
}
