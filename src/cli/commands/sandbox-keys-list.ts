// svcd sandbox keys list

import { HOME_OPTION, type Command } from '../command.js';
import { plain, printJson, printLines } from '../output.js';
import { openPaint } from '../colors.js';
import { askSandbox } from '../sandbox-client.js';
import { describeLimits, type KeyView } from '../sandbox-view.js';
import { layOut } from '../table.js';

export const sandboxKeysListCommand: Command = {
  options: HOME_OPTION,
  examples: [['svcd sandbox keys', 'every Key, by its last four characters']],
  run: async (input) => {
    const answer = (await askSandbox(input, 'GET', '/sandbox/keys')) as { keys: KeyView[] };
    if (input.json) return printJson(answer);
    const head = ['id', 'Key', 'account', 'for', 'state', 'may spend'].map(openPaint().faint);
    return printLines(...layOut([head, ...answer.keys.map(rowOf)]));
  },
};

function rowOf(key: KeyView): string[] {
  const { id, masked, account, kind, template, state } = key;
  return [`${id}`, masked, plain(account), plain(template ?? kind), state, describeLimits(key)];
}
