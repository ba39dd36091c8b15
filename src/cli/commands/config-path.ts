// svcd config path

import { join } from 'node:path';
import { findHome } from '../../config/config.js';
import { HOME_OPTION, type Command } from '../command.js';
import { printJson, printLines } from '../output.js';

export const configPathCommand: Command = {
  options: HOME_OPTION,
  examples: [['$EDITOR "$(svcd config path)"', 'edit the settings by hand']],
  run: async (input) => {
    const path = join(await findHome({ home: input.text('home') }), 'config.json');
    return input.json ? printJson({ path }) : printLines(path);
  },
};
