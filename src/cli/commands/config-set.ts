// svcd config set

import { findHome, writeSetting } from '../../config/config.js';
import { prepareHome } from '../../platform/home-folder.js';
import { HOME_OPTION, type Command } from '../command.js';
import { printJson, printLines } from '../output.js';
import { getFileName } from '../setting-name.js';

export const configSetCommand: Command = {
  options: HOME_OPTION,
  examples: [
    ['svcd config set remote https://assets.example.com', 'use this service from the next start on'],
    ['svcd config set deadlineMs 3000', 'give up on the service sooner'],
  ],
  run: async (input) => {
    const home = await findHome({ home: input.text('home') });
    const name = getFileName(input.word('name'));
    const value = input.word('value');
    prepareHome(home);
    writeSetting(home, name, value);
    if (input.json) return printJson({ name, value, home });
    return printLines(`${name} is ${value} from the next start on.`);
  },
};
