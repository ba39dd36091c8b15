// svcd synonyms path

import { findHome } from '../../config/config.js';
import { userSynonymsPath } from '../../library/user-synonyms.js';
import { HOME_OPTION, type Command } from '../command.js';
import { printJson, printLines } from '../output.js';

export const synonymsPathCommand: Command = {
  options: HOME_OPTION,
  examples: [
    ['echo "发薪日 工资" >> "$(svcd synonyms path)"', 'add one; a running svcd reads it within a second'],
  ],
  run: async (input) => {
    const path = userSynonymsPath(await findHome({ home: input.text('home') }));
    return input.json ? printJson({ path }) : printLines(path);
  },
};
