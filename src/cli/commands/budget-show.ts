// svcd budget show

import { withClient } from '../client.js';
import { HOME_OPTION, type Command } from '../command.js';
import { printJson, printLines } from '../output.js';
import { askSpending, describeBudgets } from '../spending.js';
import { whichRemote } from '../which-remote.js';

export const budgetShowCommand: Command = {
  options: HOME_OPTION,
  examples: [['svcd budget', 'the limits, and what of them is used']],
  run: async (input) => {
    const needs = { json: input.json, spends: false };
    await withClient({ home: input.text('home') }, needs, async (client) => {
      const { budgets } = await askSpending(client);
      if (input.json) return printJson({ budgets });
      return printLines(`Budgets (${await whichRemote(client)}):`, ...describeBudgets(budgets));
    });
  },
};
