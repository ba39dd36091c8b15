// svcd sandbox keys add

import { HOME_OPTION, type Command } from '../command.js';
import { readKeyLimits } from '../key-limits.js';
import { printJson, printLines } from '../output.js';
import { askSandbox } from '../sandbox-client.js';
import { describeLimits, type KeyView } from '../sandbox-view.js';

export const sandboxKeysAddCommand: Command = {
  options: {
    ...HOME_OPTION,
    account: { type: 'string', requiresArg: true, describe: 'Whose; main when not given.' },
    template: { type: 'string', requiresArg: true, describe: 'name@version of the package it is for.' },
    request: { type: 'string', requiresArg: true, describe: 'Credits a request may cost, or none.' },
    day: { type: 'string', requiresArg: true, describe: 'Credits a day, or none.' },
    month: { type: 'string', requiresArg: true, describe: 'Credits a calendar month, or none.' },
  },
  examples: [
    ['svcd sandbox keys add --month 100', 'a general-purpose Key that may spend 100 credits a month'],
    ['svcd sandbox keys add --template birthday-card@1.1.0', 'as when the package is downloaded again'],
  ],
  run: async (input) => {
    const [account, template] = [input.text('account'), input.text('template')];
    const body = {
      ...(account === undefined ? {} : { account }),
      ...(template === undefined ? {} : { template }),
      ...readKeyLimits(input),
    };
    const made = (await askSandbox(input, 'POST', '/sandbox/keys', body)) as KeyView;
    if (input.json) return printJson(made);
    const what = `Key ${made.id} of ${made.account} (${made.template ?? made.kind}, ${describeLimits(made)})`;
    return printLines(`${what}, shown once:`, `  ${made.key ?? ''}`);
  },
};
