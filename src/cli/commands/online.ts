// svcd online

import { HOME_OPTION, type Command } from '../command.js';
import { printJson, printLines } from '../output.js';
import { describeSwitch, switchWay } from '../switch-way.js';

export const onlineCommand: Command = {
  options: HOME_OPTION,
  examples: [['svcd online', 'after "svcd offline"']],
  run: async (input) => {
    const switched = await switchWay(input, false);
    if (input.json) return printJson(switched);
    return printLines(...describeSwitch(switched, '"svcd status" tells whether the remote can be reached.'));
  },
};
