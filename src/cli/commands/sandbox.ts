// svcd sandbox: the documented service alone; what it knows is changed by the commands of the files beside this one.

import { type Bodies, command, type GroupBody, textOption } from '../command.js';
import { readSandboxOptions, SANDBOX_OPTIONS } from '../options.js';
import { ACCOUNT_COMMANDS } from './sandbox-accounts.js';
import { BEHAVIOR_COMMANDS } from './sandbox-behavior.js';
import { MONEY_COMMANDS } from './sandbox-money.js';

const sandboxGroup: GroupBody = {
  commands: [
    command('start', 'Run the sandbox alone, without svcd.', {
      options: {
        port: textOption('Port on loopback; 0 lets the system choose. [7824]'),
        ...SANDBOX_OPTIONS,
      },
      examples: [
        'svcd sandbox start # the whole service at http://127.0.0.1:7824, with 1,000 credits',
        'svcd sandbox start --fresh --seed 1 --credits 20 --json # the same every time, for a test',
      ],
      run: async (input) => {
        const options = { ...readSandboxOptions(input), port: input.whole('port', 0, 65_535) };
        const { serveSandbox } = await import('../serve-sandbox.js');
        return serveSandbox(await input.home(), options, input.json);
      },
    }),
    ...ACCOUNT_COMMANDS,
    ...MONEY_COMMANDS,
    ...BEHAVIOR_COMMANDS,
  ],
  examples: [
    'svcd sandbox start --seed 1 # the documented service alone, the same every time',
    'svcd sandbox topup 12.50 # buy credits for its main account',
  ],
};

export const bodies: Bodies = { sandbox: sandboxGroup };
