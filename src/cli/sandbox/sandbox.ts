// svcd sandbox: the documented service alone; what it knows is changed by the commands of the files beside this one.

import { type Bodies, command, type GroupBody, textOption } from '../command.js';
import { readSandboxOptions, SANDBOX_OPTIONS } from '../terminal/options.js';
import { ACCOUNT_COMMANDS } from './sandbox-accounts.js';
import { BEHAVIOR_COMMANDS } from './sandbox-behavior.js';
import { MONEY_COMMANDS } from './sandbox-money.js';
import { sandboxWords } from './words.js';

const words = sandboxWords();

const sandboxGroup: GroupBody = {
  commands: [
    command('start', words.start.what, {
      options: {
        port: textOption(words.start.port),
        ...SANDBOX_OPTIONS,
      },
      examples: words.start.examples,
      run: async (input) => {
        const options = { ...readSandboxOptions(input), port: input.whole('port', 0, 65_535) };
        const { serveSandbox } = await import('./serve-sandbox.js');
        return serveSandbox(await input.home(), options, input.json);
      },
    }),
    ...ACCOUNT_COMMANDS,
    ...MONEY_COMMANDS,
    ...BEHAVIOR_COMMANDS,
  ],
  examples: words.examples,
};

export const bodies: Bodies = { sandbox: sandboxGroup };
