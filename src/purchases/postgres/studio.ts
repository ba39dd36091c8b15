// What all hubs of a database share: the time zone of its days, and the budget that a new one begins with.

import { randomUUID } from 'node:crypto';
import type { Postgres } from '../../platform/postgres/transaction.js';
import { ALL_PAYERS, FIRST_DAY_LIMIT, type FirstBudget } from '../budget.js';

export interface Studio {
  /** As the database says; before it was asked, as this hub would. */
  timeZone(): string;
  /** Given where this database had neither bought nor limited anything of a real remote. */
  readonly firstBudget: FirstBudget;
  /** Asks the database. Throws `database_away`. */
  enter(): Promise<void>;
}

/** Days are the studio's: the first hub says where they end, and the others follow. */
export function createStudio(db: Postgres, scope: string, timeZone: string | undefined): Studio {
  let zone = timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  let isDue = false;
  const firstBudget: FirstBudget = {
    give: () => {
      const told = isDue;
      isDue = false;
      return told;
    },
    isDue: () => isDue,
    end: () => void (isDue = false),
  };
  return {
    timeZone: () => zone,
    firstBudget,
    enter: async () => {
      const found = await enterStudio(db, scope, zone);
      zone = found.timeZone;
      isDue = found.given;
    },
  };
}

async function enterStudio(db: Postgres, scope: string, zone: string): Promise<{ timeZone: string; given: boolean }> {
  const { value } = await db.transaction(async (tx) => {
    await tx.run('INSERT INTO studio (only_row, id, time_zone) VALUES (true, $1, $2) ON CONFLICT DO NOTHING', [
      randomUUID(),
      zone,
    ]);
    const studio = await tx.one<{ timeZone: string }>('SELECT time_zone AS "timeZone" FROM studio');
    const given =
      scope === 'sandbox' || scope === 'none'
        ? 0
        : await tx.run(
            `INSERT INTO spending_limit (scope, payer, period, credits) SELECT $1, $2, 'day', $3
             WHERE NOT EXISTS (SELECT 1 FROM hub_event WHERE verb = 'first budget' AND subject = $1)
               AND NOT EXISTS (SELECT 1 FROM spending_limit WHERE scope = $1 AND payer = $2)
               AND NOT EXISTS (SELECT 1 FROM purchase WHERE scope = $1)`,
            [scope, ALL_PAYERS, FIRST_DAY_LIMIT],
          );
    if (given > 0) {
      await tx.run(`INSERT INTO hub_event (actor, verb, subject, detail) VALUES ('hub', 'first budget', $1, $2)`, [
        scope,
        JSON.stringify({ day: FIRST_DAY_LIMIT }),
      ]);
    }
    return { timeZone: studio?.timeZone ?? zone, given: given > 0 };
  });
  return value;
}
