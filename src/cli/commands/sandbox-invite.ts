// svcd sandbox invite

import { HOME_OPTION, type Command } from '../command.js';
import { printJson, printLines } from '../output.js';
import { askSandbox } from '../sandbox-client.js';

export const sandboxInviteCommand: Command = {
  options: HOME_OPTION,
  examples: [['svcd sandbox invite ada bob', 'from now on ada gets 5 % of what bob pays, too']],
  run: async (input) => {
    const body = { inviter: input.word('inviter'), account: input.word('account') };
    const account = await askSandbox(input, 'POST', '/sandbox/invitations', body);
    if (input.json) return printJson(account);
    return printLines(`${body.account} was invited by ${body.inviter}.`);
  },
};
