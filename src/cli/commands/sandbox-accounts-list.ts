// svcd sandbox accounts list

import { HOME_OPTION, type Command } from '../command.js';
import { grouped, plain, printJson, printLines } from '../output.js';
import { openPaint } from '../colors.js';
import { askSandbox } from '../sandbox-client.js';
import type { AccountView } from '../sandbox-view.js';
import { layOut } from '../table.js';

export const sandboxAccountsListCommand: Command = {
  options: HOME_OPTION,
  examples: [['svcd sandbox accounts', 'who there is, and what they have']],
  run: async (input) => {
    const answer = (await askSandbox(input, 'GET', '/sandbox/accounts')) as { accounts: AccountView[] };
    if (input.json) return printJson(answer);
    const head = ['account', 'credits', 'pending', 'email', 'invited by', 'Keys'].map(openPaint().faint);
    return printLines(...layOut([head, ...answer.accounts.map(rowOf)]));
  },
};

function rowOf(account: AccountView): string[] {
  const { name, credits, pending_credits: pending, keys } = account;
  const email = account.email_verified ? 'verified' : 'not verified';
  return [plain(name), grouped(credits), grouped(pending), email, plain(account.invited_by ?? ''), `${keys}`];
}
