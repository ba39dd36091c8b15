// svcd offline

import { HOME_OPTION, type Command } from '../command.js';
import { printJson, printLines } from '../output.js';
import { describeSwitch, switchWay } from '../switch-way.js';

export const offlineCommand: Command = {
  options: HOME_OPTION,
  examples: [['svcd offline', 'search, match and what is owned go on; nothing can be bought']],
  run: async (input) => {
    const switched = await switchWay(input, true);
    if (input.json) return printJson(switched);
    const then = 'Search, match and all that is owned go on; what would have to be bought gets a default.';
    return printLines(...describeSwitch(switched, then));
  },
};
