// svcd sandbox topup

import { HOME_OPTION, type Command } from '../command.js';
import { printJson, printLines } from '../output.js';
import { askSandbox } from '../sandbox-client.js';
import { describePayment, type PaymentView } from '../sandbox-view.js';

export const sandboxTopupCommand: Command = {
  options: {
    ...HOME_OPTION,
    account: { type: 'string', requiresArg: true, describe: 'Whose; main when not given.' },
  },
  examples: [
    ['svcd sandbox topup 12.50', '125 credits at once, and a reward of 6 that is locked for 14 days'],
    ['svcd sandbox topup 100 --account ada', 'for somebody else'],
  ],
  run: async (input) => {
    const account = input.text('account');
    const body = { amount: input.word('cny'), ...(account === undefined ? {} : { account }) };
    const payment = (await askSandbox(input, 'POST', '/sandbox/topups', body)) as PaymentView;
    return input.json ? printJson(payment) : printLines(...describePayment(payment));
  },
};
