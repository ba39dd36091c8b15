// svcd token list

import type { TokenView } from '../../api/answers.js';
import { expectOk, withClient } from '../client.js';
import { HOME_OPTION, type Command } from '../command.js';
import { grouped, plain, printJson, printLines } from '../output.js';
import { openPaint } from '../colors.js';
import { layOut } from '../table.js';

export const tokenListCommand: Command = {
  options: HOME_OPTION,
  examples: [['svcd token list', 'name, scope, budget, spent, last used']],
  run: async (input) => {
    const needs = { json: input.json, spends: false };
    const answer = await withClient({ home: input.text('home') }, needs, async (client) =>
      expectOk(await client.request('GET', '/svcd/tokens')).json(),
    );
    if (input.json) return printJson(answer);
    const { tokens } = answer as { tokens: TokenView[] };
    if (tokens.length === 0) return printLines("There is no token but the home's own: svcd token show.");
    const head = ['name', 'for', 'budget', 'spent today', 'last used'].map(openPaint().faint);
    return printLines(...layOut([head, ...tokens.map(rowOf)]));
  },
};

function rowOf({ name, only, limits, spent, temporary, last_used_at: usedAt }: TokenView): string[] {
  const last = usedAt === null ? 'never' : usedAt.slice(0, 16).replace('T', ' ');
  const called = temporary ? `${name} (a command that runs)` : name;
  return [plain(called), only.join(','), budgetOf(limits, spent), grouped(spent.day), last];
}

function budgetOf({ request, day, month, total }: TokenView['limits'], spent: TokenView['spent']): string {
  const parts = [
    request === null ? '' : `${grouped(request)} a request`,
    day === null ? '' : `${grouped(day)} a day`,
    month === null ? '' : `${grouped(month)} a month (${grouped(spent.month)} spent)`,
    total === null ? '' : `${grouped(total)} in all (${grouped(spent.total)} spent)`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? "the home's" : parts.join(', ');
}
