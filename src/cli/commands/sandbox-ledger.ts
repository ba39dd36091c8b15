// svcd sandbox ledger

import { HOME_OPTION, type Command } from '../command.js';
import { counted, printJson, printLines } from '../output.js';
import { askSandbox } from '../sandbox-client.js';

export const sandboxLedgerCommand: Command = {
  options: HOME_OPTION,
  examples: [['svcd sandbox ledger --json', 'movements, and how many of them do not add up']],
  run: async (input) => {
    const answer = (await askSandbox(input, 'GET', '/sandbox/ledger')) as Record<string, number>;
    if (input.json) return printJson(answer);
    const { movements = 0, unbalanced = 0, wrong_balances: wrong = 0 } = answer;
    const told =
      unbalanced + wrong === 0
        ? 'all of it adds up'
        : `${unbalanced} do not add up, ${wrong} balances are wrong`;
    return printLines(`${counted(movements, 'movement')}: ${told}.`);
  },
};
