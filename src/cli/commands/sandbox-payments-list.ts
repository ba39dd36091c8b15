// svcd sandbox payments list

import { HOME_OPTION, type Command } from '../command.js';
import { printJson, printLines } from '../output.js';
import { askSandbox } from '../sandbox-client.js';
import { describePayment, type PaymentView } from '../sandbox-view.js';

export const sandboxPaymentsListCommand: Command = {
  options: HOME_OPTION,
  examples: [['svcd sandbox payments', 'every payment, with its id and its rewards']],
  run: async (input) => {
    const answer = (await askSandbox(input, 'GET', '/sandbox/payments')) as { payments: PaymentView[] };
    if (input.json) return printJson(answer);
    if (answer.payments.length === 0) return printLines('Nothing was paid yet.');
    return printLines(...answer.payments.flatMap((payment) => [...describePayment(payment), '']));
  },
};
