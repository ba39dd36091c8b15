// svcd budget set

import { SvcdError } from '../../model/errors.js';
import { expectOk, withClient } from '../client.js';
import { HOME_OPTION, type Command } from '../command.js';
import type { Input } from '../input.js';
import { printJson, printLines } from '../output.js';
import { describeBudgets, type BudgetState, type Period } from '../spending.js';
import { NO_REMOTE, whichRemote } from '../which-remote.js';

const PERIODS: readonly Period[] = ['request', 'day', 'month'];

export const budgetSetCommand: Command = {
  options: {
    ...HOME_OPTION,
    request: { type: 'string', requiresArg: true, describe: 'Credits one request may cost, or none.' },
    day: { type: 'string', requiresArg: true, describe: 'Credits a day, or none for no limit.' },
    month: { type: 'string', requiresArg: true, describe: 'Credits a calendar month, or none.' },
  },
  examples: [
    ['svcd budget set --day 20 --month 200', 'what is not named stays as it is'],
    ['svcd budget set --day none', 'no limit a day any more'],
  ],
  run: async (input) => {
    const body = JSON.stringify(readChange(input));
    const headers = { 'content-type': 'application/json' };
    const needs = { json: input.json, spends: false };
    await withClient({ home: input.text('home') }, needs, async (client) => {
      const remote = await whichRemote(client);
      if (remote === NO_REMOTE) throw nothingToLimit();
      const answer = expectOk(await client.request('PUT', '/svcd/budget', { body, headers })).json();
      if (input.json) return printJson(answer);
      const { budgets } = answer as { budgets: BudgetState[] };
      return printLines(`Budgets from now on (${remote}):`, ...describeBudgets(budgets));
    });
  },
};

function readChange(input: Input): Partial<Record<Period, number | null>> {
  const change: Partial<Record<Period, number | null>> = {};
  for (const period of PERIODS) {
    const text = input.text(period);
    if (text !== undefined) change[period] = parseLimit(period, text);
  }
  if (Object.keys(change).length > 0) return change;
  throw new SvcdError('invalid_argument', 'give at least one of --request, --day and --month', {
    hint: '"svcd budget" shows the limits.',
  });
}

/** Budgets are kept by remote: one set for none would protect nothing, and its owner would not know. */
function nothingToLimit(): SvcdError {
  return new SvcdError('invalid_config', `${NO_REMOTE}, and a budget belongs to one`, {
    hint: 'Start svcd first, or name the remote with "svcd config set remote https://…".',
  });
}

function parseLimit(period: Period, text: string): number | null {
  if (text === 'none') return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new SvcdError(
    'invalid_argument',
    `--${period} must be a whole number of credits or none, got ${JSON.stringify(text)}`,
  );
}
