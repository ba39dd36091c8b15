// svcd sandbox buy

import { HOME_OPTION, type Command } from '../command.js';
import { printJson, printLines } from '../output.js';
import { askSandbox } from '../sandbox-client.js';
import { describePayment, type KeyView, type PaymentView } from '../sandbox-view.js';

export const sandboxBuyCommand: Command = {
  options: {
    ...HOME_OPTION,
    account: { type: 'string', requiresArg: true, describe: 'Whose; main when not given.' },
  },
  examples: [
    ['svcd sandbox buy birthday-card@1.1.0 30', 'brings a Key for its service.key.json, and a locked reward'],
  ],
  run: async (input) => {
    const account = input.text('account');
    const body = {
      template: input.word('template'),
      amount: input.word('cny'),
      ...(account === undefined ? {} : { account }),
    };
    const payment = (await askSandbox(input, 'POST', '/sandbox/purchases', body)) as PaymentView & {
      key: KeyView;
    };
    if (input.json) return printJson(payment);
    const key = `Key for its service.key.json, shown once: ${payment.key.key ?? ''}`;
    return printLines(...describePayment(payment), key);
  },
};
