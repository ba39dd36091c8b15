// The budget that a home starts with when it gets its first real Key: a script gone wrong must not empty an account
// before its owner has thought of a limit.

import type { Database } from '../platform/open-database.js';

/** Credits a day. */
export const FIRST_DAY_LIMIT = 100;

/** What it means, for a person. */
export const FIRST_BUDGET_WORDS =
  `svcd spends at most ${FIRST_DAY_LIMIT} credits a day with this home's first Key; ` +
  '"svcd budget set --day N" changes that, "svcd budget set --day none" removes it';

export interface FirstBudget {
  /**
   * Sets the limit per day if this is the first real Key of the home, and the user has neither set budgets nor bought
   * with it. Once for each home: a limit that was removed stays removed. True when it is set now.
   */
  give(keyId: string): boolean;
  /** Whether none was given yet, nor refused: the first real Key will bring one. */
  isDue(): boolean;
  /** The user has decided about budgets: none will be given. */
  end(): void;
}

/** Not a remote: its row says that the rule has been applied in this home, and to which limit. */
const APPLIED = 'first key';

/** Opens it for one scope. Without a real remote nothing is ever given. */
export function openFirstBudget(db: Database, scope: string): FirstBudget {
  const isApplied = db.prepare<[string], object>(`SELECT 1 FROM budget WHERE scope = ?`);
  const isDue = () => isApplied.get(APPLIED) === undefined;
  if (scope === 'sandbox' || scope === 'none') return { give: () => false, isDue, end: () => undefined };
  const mark = db.prepare(`INSERT INTO budget (scope, period, credits) VALUES (?, 'day', ?) ON CONFLICT DO NOTHING`);
  const isUsed = db.prepare<[string, string, string], object>(
    `SELECT 1 FROM budget WHERE scope = ? UNION ALL SELECT 1 FROM purchase WHERE scope = ? AND key_id = ? LIMIT 1`,
  );
  const give = db.transaction((keyId: string): boolean => {
    if (!isDue()) return false;
    const isNew = isUsed.get(scope, scope, keyId) === undefined;
    mark.run(APPLIED, FIRST_DAY_LIMIT);
    if (isNew) mark.run(scope, FIRST_DAY_LIMIT);
    return isNew;
  });
  return {
    // Immediate: a command and a daemon may come here at once.
    give: (keyId) => isDue() && give.immediate(keyId),
    isDue,
    end: () => void mark.run(APPLIED, FIRST_DAY_LIMIT),
  };
}
