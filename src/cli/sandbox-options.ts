// What a sandbox may be begun with, alone or behind svcd.

import type { Options } from 'yargs';
import type { SandboxStartOptions } from '../daemon/host-sandbox.js';
import type { Input } from './input.js';

const SEED_MAX = 999_999_999;
const CREDITS_MAX = 999_999_999;

/** The options of every command that starts a sandbox. */
export const SANDBOX_OPTIONS = {
  seed: { type: 'string', requiresArg: true, describe: 'Same seed, same Keys, ids, images and faults.' },
  credits: { type: 'string', requiresArg: true, describe: 'What the main account begins with. [1000]' },
  fresh: { type: 'boolean', describe: 'Forget what a sandbox on this home knew.' },
  with: { type: 'string', requiresArg: true, describe: 'What is only described, switched on: music,tasks.' },
} as const satisfies Record<string, Options>;

/** What was typed of them; what was not is undefined. Throws `invalid_argument`. */
export function readSandboxOptions(input: Input): SandboxStartOptions {
  return {
    seed: input.whole('seed', 0, SEED_MAX),
    credits: input.whole('credits', 0, CREDITS_MAX),
    fresh: input.flag('fresh'),
    modules: input
      .text('with')
      ?.split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  };
}

/** The same as arguments, for a process that is told them on its command line. */
export function sandboxArguments({ seed, credits, fresh, modules }: SandboxStartOptions): string[] {
  return [
    ...(seed === undefined ? [] : [`--seed=${seed}`]),
    ...(credits === undefined ? [] : [`--credits=${credits}`]),
    ...(fresh === undefined ? [] : [`--fresh=${fresh}`]),
    ...(modules === undefined ? [] : [`--with=${modules.join(',')}`]),
  ];
}
