// svcd token: the home's own token, and further ones with a scope and a budget of their own.

import type { TokenView } from '../../api/answers.js';
import { loadConfig } from '../../config/config.js';
import { type Bodies, command, type GroupBody, textOption } from '../command.js';
import { formatNumber, formatTableWithHead, sanitize } from '../format.js';
import { getHomeToken, replaceToken, tokenFile } from '../home-token.js';
import type { Input } from '../input.js';
import { ONLY_OPTION, readCredits, readOnly } from '../options.js';
import { printAnswer, printNote } from '../output.js';
import { requestDaemon } from '../request-command.js';
import { askDaemon, findRunningDaemon } from '../running-daemon.js';

const tokenGroup: GroupBody = {
  otherwise: 'list',
  commands: [
    command('show', "Print the home's own token.", {
      examples: ['curl -H "Authorization: Bearer $(svcd token show)" … # use it in a script'],
      run: async (input) => {
        const home = await input.home();
        const { token } = await getHomeToken(home);
        return printAnswer(input, { token, file: tokenFile(home) }, () => token);
      },
    }),
    command('rotate', "Replace the home's own token; the old one stops working at once.", {
      examples: ['svcd token rotate # after the token was disclosed'],
      run: rotate,
    }),
    command('add <name>', 'Add a token with a budget and a scope of its own.', {
      options: {
        ...ONLY_OPTION,
        daily: textOption('Credits it may spend a day.'),
        monthly: textOption('Credits it may spend a calendar month.'),
        'per-request': textOption('Credits one request may cost.'),
      },
      examples: [
        'svcd token add promo --daily 20 --only stickers # stickers only, 20 credits a day',
        'svcd token add ci --monthly 100 --only stickers,images # for a job or another user of the machine',
      ],
      run: async (input) => {
        await add(input);
        if (input.json) return;
        const name = JSON.stringify(input.word('name'));
        printNote(`This is token ${name}. It is shown only once: svcd stores only its digest.`);
      },
    }),
    command('list', 'List the added tokens and what they spent.', {
      examples: ['svcd token list # name, scope, budget, spent, last used'],
      run: requestDaemon('GET /svcd/tokens', ({ tokens }: { tokens: TokenView[] }) =>
        tokens.length === 0
          ? "There is no token except the home's own: svcd token show."
          : formatTableWithHead(['name', 'for', 'budget', 'spent today', 'last used'], tokens.map(rowOf)),
      ),
    }),
    command('revoke <name>', 'Revoke an added token at once.', {
      examples: ['svcd token revoke promo # it stops working at once'],
      run: requestDaemon(
        'DELETE /svcd/tokens/{name}',
        ({ revoked }: { revoked: string }) => `Token ${JSON.stringify(revoked)} revoked.`,
      ),
    }),
  ],
};

export const bodies: Bodies = { token: tokenGroup };

const add = requestDaemon('POST /svcd/tokens', ({ token }: { token: string }) => token, {
  body: (input) => ({
    name: input.word('name'),
    only: readOnly(input),
    day: readCredits(input, 'daily'),
    month: readCredits(input, 'monthly'),
    request: readCredits(input, 'per-request'),
  }),
  bare: true,
});

async function rotate(input: Input): Promise<void> {
  const home = await input.home();
  const running = await findRunningDaemon(home);
  const { token } =
    running === undefined
      ? { token: replaceToken(home, (await loadConfig({ home })).port) }
      : await askDaemon<{ token: string }>(running, 'POST', '/svcd/token/rotate');
  return printAnswer(input, { token, file: tokenFile(home) }, () => [
    token,
    'The old token no longer works. Give this one to the programs that used it.',
  ]);
}

function rowOf({ name, template, only, limits, spent, temporary, last_used_at: usedAt }: TokenView): string[] {
  const last = usedAt === null ? 'never' : usedAt.slice(0, 16).replace('T', ' ');
  const called = temporary ? `${name} (${template === undefined ? 'a command' : template} that runs)` : name;
  return [
    sanitize(called),
    only.length === 0 ? 'nothing' : only.join(','),
    budgetOf(limits, spent),
    formatNumber(spent.day),
    last,
  ];
}

function budgetOf({ request, day, month, total }: TokenView['limits'], spent: TokenView['spent']): string {
  const parts = [
    request === null ? '' : `${formatNumber(request)} a request`,
    day === null ? '' : `${formatNumber(day)} a day`,
    month === null ? '' : `${formatNumber(month)} a month (${formatNumber(spent.month)} spent)`,
    total === null ? '' : `${formatNumber(total)} in all (${formatNumber(spent.total)} spent)`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? "the home's" : parts.join(', ');
}
