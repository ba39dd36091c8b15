// svcd sandbox start

import type { Command } from '../command.js';
import { HOME_OPTION } from '../command.js';
import { readSandboxOptions, SANDBOX_OPTIONS } from '../sandbox-options.js';

export const sandboxStartCommand: Command = {
  options: {
    ...HOME_OPTION,
    port: {
      type: 'string',
      requiresArg: true,
      describe: 'Port on loopback; 0 lets the system choose. [7824]',
    },
    ...SANDBOX_OPTIONS,
  },
  examples: [
    ['svcd sandbox start', 'the whole service at http://127.0.0.1:7824, with 1,000 credits'],
    ['svcd sandbox start --fresh --seed 1 --credits 20 --json', 'the same every time, for a test'],
  ],
  run: async (input) => {
    const { serveSandbox } = await import('../serve-sandbox.js');
    const [home, port] = [input.text('home'), input.whole('port', 0, 65_535)];
    return serveSandbox({ ...readSandboxOptions(input), home, port }, input.json);
  },
};
