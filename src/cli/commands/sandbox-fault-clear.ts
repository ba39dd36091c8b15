// svcd sandbox fault clear

import { HOME_OPTION, type Command } from '../command.js';
import { counted, printJson, printLines } from '../output.js';
import { askSandbox } from '../sandbox-client.js';

export const sandboxFaultClearCommand: Command = {
  options: HOME_OPTION,
  examples: [
    ['svcd sandbox fault clear', 'all of them'],
    ['svcd sandbox fault clear 2', 'one of them'],
  ],
  run: async (input) => {
    const id = input.findWord('id');
    const path = id === undefined ? '/sandbox/faults' : `/sandbox/faults/${encodeURIComponent(id)}`;
    const answer = (await askSandbox(input, 'DELETE', path)) as { removed: number };
    return input.json ? printJson(answer) : printLines(`${counted(answer.removed, 'fault rule')} removed.`);
  },
};
