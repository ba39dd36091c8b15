// svcd sandbox fault list

import { HOME_OPTION, type Command } from '../command.js';
import { printJson, printLines } from '../output.js';
import { openPaint } from '../colors.js';
import { askSandbox } from '../sandbox-client.js';
import type { FaultView } from '../sandbox-view.js';
import { layOut } from '../table.js';

export const sandboxFaultListCommand: Command = {
  options: HOME_OPTION,
  examples: [['svcd sandbox fault', 'what goes wrong, and the seed it can be replayed with']],
  run: async (input) => {
    const answer = (await askSandbox(input, 'GET', '/sandbox/faults')) as {
      seed: number;
      faults: FaultView[];
    };
    if (input.json) return printJson(answer);
    if (answer.faults.length === 0)
      return printLines('Nothing goes wrong. "svcd sandbox fault add" changes that.');
    const head = ['id', 'fault', 'path', 'matched', 'went wrong', 'more'].map(openPaint().faint);
    return printLines(...layOut([head, ...answer.faults.map(rowOf)]), `Seed ${answer.seed}`);
  },
};

function rowOf({ id, kind, path, seen, fired, ...more }: FaultView): string[] {
  const parts = Object.entries(more).map(([name, value]) => `${name}=${String(value)}`);
  return [`${id}`, kind, path, `${seen}`, `${fired}`, parts.join(' ')];
}
