// svcd sandbox payments judge

import { SvcdError } from '../../model/errors.js';
import { HOME_OPTION, type Command } from '../command.js';
import { printJson, printLines } from '../output.js';
import { askSandbox } from '../sandbox-client.js';
import { describePayment, type PaymentView } from '../sandbox-view.js';

export const sandboxPaymentsJudgeCommand: Command = {
  options: {
    ...HOME_OPTION,
    anomaly: { type: 'boolean', describe: 'Whether there is an anomaly.' },
    verified: { type: 'boolean', describe: "Whether the provider's verification succeeded." },
  },
  examples: [
    ['svcd sandbox payments judge ID --anomaly', 'its rewards stay locked'],
    ['svcd sandbox payments judge ID --no-anomaly', 'and are released when they are due'],
  ],
  run: async (input) => {
    const [anomaly, verified] = [input.flag('anomaly'), input.flag('verified')];
    if (anomaly === undefined && verified === undefined) {
      throw new SvcdError(
        'invalid_argument',
        'give --anomaly or --verified, or one of them with --no- before it',
      );
    }
    const body = {
      ...(anomaly === undefined ? {} : { anomaly }),
      ...(verified === undefined ? {} : { verified }),
    };
    const path = `/sandbox/payments/${encodeURIComponent(input.word('payment'))}`;
    const payment = (await askSandbox(input, 'PATCH', path, body)) as PaymentView;
    return input.json ? printJson(payment) : printLines(...describePayment(payment));
  },
};
