// svcd sandbox release

import { HOME_OPTION, type Command } from '../command.js';
import { printJson, printLines } from '../output.js';
import { askSandbox } from '../sandbox-client.js';

export const sandboxReleaseCommand: Command = {
  options: {
    ...HOME_OPTION,
    issue: { type: 'string', array: true, requiresArg: true, describe: 'A known issue; may be repeated.' },
    tip: {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: "A tip of its author's; may be repeated.",
    },
  },
  examples: [
    [
      'svcd sandbox release birthday-card@1.2.0 --tip "Less is more."',
      'productions of older versions get a notice',
    ],
  ],
  run: async (input) => {
    const body = {
      template: input.word('template'),
      known_issues: input.list('issue'),
      tips: input.list('tip'),
    };
    const released = await askSandbox(input, 'POST', '/sandbox/templates', body);
    return input.json ? printJson(released) : printLines(`${body.template} is released.`);
  },
};
