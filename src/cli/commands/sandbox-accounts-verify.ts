// svcd sandbox accounts verify

import { HOME_OPTION, type Command } from '../command.js';
import { printJson, printLines } from '../output.js';
import { askSandbox } from '../sandbox-client.js';
import type { AccountView } from '../sandbox-view.js';

export const sandboxAccountsVerifyCommand: Command = {
  options: {
    ...HOME_OPTION,
    off: { type: 'boolean', describe: 'It is not verified (any more).' },
  },
  examples: [
    ['svcd sandbox accounts verify ada', 'rewards of ada can be released'],
    ['svcd sandbox accounts verify ada --off', 'and cannot'],
  ],
  run: async (input) => {
    const path = `/sandbox/accounts/${encodeURIComponent(input.word('name'))}`;
    const body = { email_verified: input.flag('off') !== true };
    const account = (await askSandbox(input, 'PATCH', path, body)) as AccountView;
    if (input.json) return printJson(account);
    return printLines(`The email of ${account.name} is ${account.email_verified ? '' : 'not '}verified.`);
  },
};
