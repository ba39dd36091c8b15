// svcd sandbox accounts add

import { HOME_OPTION, type Command } from '../command.js';
import { printJson, printLines } from '../output.js';
import { askSandbox } from '../sandbox-client.js';
import type { AccountView } from '../sandbox-view.js';

export const sandboxAccountsAddCommand: Command = {
  options: {
    ...HOME_OPTION,
    'invited-by': { type: 'string', requiresArg: true, describe: 'The account that invited it.' },
    unverified: { type: 'boolean', describe: 'Its email is not verified.' },
  },
  examples: [
    ['svcd sandbox accounts add ada', 'an account without credits; its Key is shown once'],
    ['svcd sandbox accounts add bob --invited-by ada', 'what bob pays rewards ada too'],
  ],
  run: async (input) => {
    const by = input.text('invited-by');
    const body = {
      name: input.word('name'),
      email_verified: input.flag('unverified') !== true,
      ...(by === undefined ? {} : { invited_by: by }),
    };
    const made = (await askSandbox(input, 'POST', '/sandbox/accounts', body)) as AccountView;
    if (input.json) return printJson(made);
    return printLines(
      `${made.name} has an account without credits, and this Key, which is shown once:`,
      `  ${made.key ?? ''}`,
    );
  },
};
