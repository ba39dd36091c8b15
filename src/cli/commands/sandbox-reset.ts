// svcd sandbox reset

import { HOME_OPTION, type Command } from '../command.js';
import { printJson, printLines } from '../output.js';
import { askSandbox } from '../sandbox-client.js';

export const sandboxResetCommand: Command = {
  options: HOME_OPTION,
  examples: [
    ['svcd sandbox reset', 'accounts, money, time and faults as on the first day; the main Key stays'],
  ],
  run: async (input) => {
    const answer = (await askSandbox(input, 'POST', '/sandbox/reset')) as { seed: number };
    return input.json ? printJson(answer) : printLines(`The sandbox begins anew, with seed ${answer.seed}.`);
  },
};
