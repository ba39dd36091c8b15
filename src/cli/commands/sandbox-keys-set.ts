// svcd sandbox keys set

import { HOME_OPTION, type Command } from '../command.js';
import { readKeyLimits } from '../key-limits.js';
import { printJson, printLines } from '../output.js';
import { askSandbox } from '../sandbox-client.js';
import { describeLimits, type KeyView } from '../sandbox-view.js';

export const sandboxKeysSetCommand: Command = {
  options: {
    ...HOME_OPTION,
    state: { type: 'string', requiresArg: true, describe: 'active, disabled or revoked (for good).' },
    request: { type: 'string', requiresArg: true, describe: 'Credits a request may cost, or none.' },
    day: { type: 'string', requiresArg: true, describe: 'Credits a day, or none.' },
    month: { type: 'string', requiresArg: true, describe: 'Credits a calendar month, or none.' },
  },
  examples: [
    ['svcd sandbox keys set 1 --state disabled', 'calls with it give 403 key_disabled'],
    ['svcd sandbox keys set 1 --state active --day 20', 'and work again, for 20 credits a day'],
  ],
  run: async (input) => {
    const state = input.text('state');
    const body = { ...(state === undefined ? {} : { state }), ...readKeyLimits(input) };
    const path = `/sandbox/keys/${encodeURIComponent(input.word('id'))}`;
    const key = (await askSandbox(input, 'PATCH', path, body)) as KeyView;
    if (input.json) return printJson(key);
    return printLines(`Key ${key.id} of ${key.account} is ${key.state}, ${describeLimits(key)}.`);
  },
};
