// svcd start

import { SvcdError } from '../../model/errors.js';
import type { Flags } from '../../config/config.js';
import type { Command } from '../command.js';
import { readSandboxOptions, SANDBOX_OPTIONS } from '../sandbox-options.js';
import { readSettingFlags, SETTING_OPTIONS } from '../setting-options.js';

export const startCommand: Command = {
  options: {
    ...SETTING_OPTIONS,
    ...SANDBOX_OPTIONS,
    detach: { type: 'boolean', describe: 'Run in the background and return when it is ready.' },
  },
  examples: [
    ['svcd start --sandbox', 'try everything without an account'],
    [
      'svcd start --sandbox --fresh --seed 1 --with music,tasks',
      'the same sandbox every time, with all parts',
    ],
    ['svcd start --remote https://assets.example.com', 'use the real service'],
    ['svcd start --detach --json', 'start it from a script'],
  ],
  run: async (input) => {
    const flags = settleRemote(readSettingFlags(input));
    const wishes = readSandboxOptions(input);
    if (input.flag('detach') === true) {
      const { startDetached } = await import('../detach.js');
      return startDetached(flags, wishes, input.json);
    }
    const { serve } = await import('../serve.js');
    return serve(flags, wishes, input.json);
  },
};

/** A remote that was typed wins over a sandbox that is only configured; both typed is a contradiction. */
function settleRemote(flags: Flags): Flags {
  if (flags['remote'] === undefined || flags['sandbox'] === false) return flags;
  if (flags['sandbox'] === undefined) return { ...flags, sandbox: false };
  throw new SvcdError(
    'invalid_argument',
    '--sandbox and --remote exclude each other: the sandbox is a remote',
  );
}
