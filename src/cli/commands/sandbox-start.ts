// svcd sandbox start

import type { Command } from '../command.js';
import { HOME_OPTION } from '../command.js';

const SEED_MAX = 999_999_999;
const CREDITS_MAX = 999_999_999;

export const sandboxStartCommand: Command = {
  options: {
    ...HOME_OPTION,
    port: {
      type: 'string',
      requiresArg: true,
      describe: 'Port on loopback; 0 lets the system choose. [7824]',
    },
    seed: { type: 'string', requiresArg: true, describe: 'Same seed, same Keys, ids, images and faults.' },
    credits: { type: 'string', requiresArg: true, describe: 'What the main account begins with. [1000]' },
    fresh: { type: 'boolean', describe: 'Forget what a sandbox on this home knew.' },
    with: { type: 'string', requiresArg: true, describe: 'What is only described, switched on: a,b.' },
  },
  examples: [
    ['svcd sandbox start', 'the whole service at http://127.0.0.1:7824, with 1,000 credits'],
    ['svcd sandbox start --fresh --seed 1 --credits 20 --json', 'the same every time, for a test'],
  ],
  run: async (input) => {
    const { serveSandbox } = await import('../serve-sandbox.js');
    return serveSandbox(
      {
        home: input.text('home'),
        port: input.whole('port', 0, 65_535),
        seed: input.whole('seed', 0, SEED_MAX),
        credits: input.whole('credits', 0, CREDITS_MAX),
        fresh: input.flag('fresh'),
        modules: (input.text('with') ?? '').split(',').filter((name) => name !== ''),
      },
      input.json,
    );
  },
};
