// svcd sandbox refund

import { HOME_OPTION, type Command } from '../command.js';
import { printJson, printLines } from '../output.js';
import { askSandbox } from '../sandbox-client.js';
import { describePayment, type PaymentView } from '../sandbox-view.js';

export const sandboxRefundCommand: Command = {
  options: HOME_OPTION,
  examples: [['svcd sandbox refund ID', 'the id is in "svcd sandbox payments"']],
  run: async (input) => {
    const path = `/sandbox/payments/${encodeURIComponent(input.word('payment'))}/refund`;
    const payment = (await askSandbox(input, 'POST', path)) as PaymentView;
    return input.json ? printJson(payment) : printLines(...describePayment(payment));
  },
};
