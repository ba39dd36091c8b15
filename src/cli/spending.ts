// What svcd spent, saved and may spend, as the daemon tells it and as people read it.

import { expectOk, type Client } from './client.js';
import { grouped } from './output.js';
import { layOut } from './table.js';

export type Period = 'request' | 'day' | 'month';

export interface BudgetState {
  readonly period: Period;
  /** Credits; null when there is no limit. */
  readonly limit: number | null;
  /** Credits spent or reserved in the present period; null for `request`. */
  readonly spent: number | null;
}

export interface Spending {
  readonly spent: number;
  readonly unsettled: number;
  readonly saved: number;
  readonly purchases: Readonly<Record<string, number>>;
  readonly budgets: readonly BudgetState[];
}

/** Asks for our own figures; needs no remote. */
export async function askSpending(client: Client): Promise<Spending> {
  return expectOk(await client.request('GET', '/svcd/spending')).json() as Spending;
}

const NAMES: Readonly<Record<Period, string>> = {
  request: 'per request',
  day: 'today',
  month: 'this month',
};

/** A line for each budget: what it is, its limit, and what of it is used. */
export function describeBudgets(budgets: readonly BudgetState[]): string[] {
  return layOut(budgets.map(({ period, limit, spent }) => rowOf(NAMES[period], limit, spent)));
}

function rowOf(name: string, limit: number | null, spent: number | null): string[] {
  return [
    `  ${name}`,
    limit === null ? 'no limit' : `at most ${grouped(limit)}`,
    spent === null ? '' : `${grouped(spent)} spent or reserved`,
    limit === null || spent === null ? '' : `${grouped(Math.max(0, limit - spent))} left`,
  ];
}
