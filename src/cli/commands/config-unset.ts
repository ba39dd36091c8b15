// svcd config unset

import { findHome, writeSetting } from '../../config/config.js';
import { prepareHome } from '../../platform/home-folder.js';
import { HOME_OPTION, type Command } from '../command.js';
import { printJson, printLines } from '../output.js';
import { getFileName } from '../setting-name.js';

export const configUnsetCommand: Command = {
  options: HOME_OPTION,
  examples: [['svcd config unset remote', 'back to the default']],
  run: async (input) => {
    const home = await findHome({ home: input.text('home') });
    const name = getFileName(input.word('name'));
    prepareHome(home);
    writeSetting(home, name, undefined);
    if (input.json) return printJson({ name, value: null, home });
    return printLines(`${name} has its default again from the next start on.`);
  },
};
