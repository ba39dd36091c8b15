// svcd token show

import { findHome } from '../../config/config.js';
import { HOME_OPTION, type Command } from '../command.js';
import { getHomeToken, tokenFile } from '../home-token.js';
import { printJson, printLines } from '../output.js';

export const tokenShowCommand: Command = {
  options: HOME_OPTION,
  examples: [['curl -H "Authorization: Bearer $(svcd token show)" …', 'use it in a script']],
  run: async (input) => {
    const home = await findHome({ home: input.text('home') });
    const { token } = await getHomeToken(home);
    return input.json ? printJson({ token, file: tokenFile(home) }) : printLines(token);
  },
};
