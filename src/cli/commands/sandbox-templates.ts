// svcd sandbox templates

import { HOME_OPTION, type Command } from '../command.js';
import { counted, plain, printJson, printLines } from '../output.js';
import { askSandbox } from '../sandbox-client.js';
import { layOut } from '../table.js';

type Released = {
  readonly template: string;
  readonly known_issues: readonly string[];
  readonly tips: readonly string[];
};

export const sandboxTemplatesCommand: Command = {
  options: HOME_OPTION,
  examples: [['svcd sandbox templates', 'what "svcd sandbox download" and "buy" can be asked for']],
  run: async (input) => {
    const answer = (await askSandbox(input, 'GET', '/sandbox/templates')) as { templates: Released[] };
    if (input.json) return printJson(answer);
    const rows = answer.templates.map(({ template, known_issues: issues, tips }) => [
      plain(template),
      counted(issues.length, 'known issue'),
      counted(tips.length, 'tip'),
    ]);
    return printLines(...layOut(rows));
  },
};
