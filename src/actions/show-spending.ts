// What was spent, what may have been, what was saved, and what the budgets allow.

import type { Spending } from '../api/answers.js';
import type { Budget } from '../purchases/budget.js';
import type { Journal } from '../purchases/journal.js';
import type { Savings } from '../purchases/savings.js';

export type ShowSpending = () => Spending;

/** Sums up the journal and the budgets. */
export function createShowSpending(journal: Journal, budget: Budget, savings: Savings): ShowSpending {
  return () => {
    const purchases = { intent: 0, sent: 0, paid: 0, refused: 0, unknown: 0 };
    const credits = { ...purchases };
    for (const row of journal.sums()) {
      purchases[row.state] = row.purchases;
      credits[row.state] = row.credits;
    }
    return {
      spent: credits.paid,
      unsettled: credits.intent + credits.sent + credits.unknown,
      saved: savings.total(),
      purchases,
      budgets: budget.show(),
    };
  };
}
