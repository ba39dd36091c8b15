// svcd token: the home's own token, and further ones with a scope and a budget of their own.

import type { TokenView } from '../../api/answers.js';
import { loadConfig } from '../../config/config.js';
import { type Bodies, command, type GroupBody, textOption } from '../command.js';
import { formatMinute, formatNumber, formatTableWithHead, sanitize } from '../terminal/format.js';
import { getHomeToken, replaceToken, tokenFile } from '../connection/home-token.js';
import { type Input, invalidArgument } from '../terminal/input.js';
import { ONLY_OPTION, readCredits, readOnly } from '../terminal/options.js';
import { printAnswer, printNote } from '../terminal/output.js';
import { requestDaemon } from '../request-command.js';
import { askDaemon, findRunningDaemon } from '../connection/running-daemon.js';
import { tokenWords } from './words.js';

const words = tokenWords();

/** What the limits were called here alone, and are called everywhere. */
const RENAMED = { daily: 'day', monthly: 'month', 'per-request': 'request' } as const;

const tokenGroup: GroupBody = {
  otherwise: 'list',
  commands: [
    command('show', words.show, {
      examples: [`curl -H "Authorization: Bearer $(svcd token show)" … # ${words.showExample}`],
      run: async (input) => {
        const home = await input.home();
        const { token } = await getHomeToken(home);
        return printAnswer(input, { token, file: tokenFile(home) }, () => token);
      },
    }),
    command('rotate', words.rotate, { run: rotate }),
    command('add <name>', words.add, {
      options: {
        ...ONLY_OPTION,
        day: textOption(words.day),
        month: textOption(words.month),
        request: textOption(words.request),
        ...Object.fromEntries(Object.keys(RENAMED).map((old) => [old, { ...textOption(''), hidden: true }])),
      },
      examples: words.addExamples,
      run: async (input) => {
        refuseRenamed(input);
        await add(input);
        if (!input.json) printNote(words.added(JSON.stringify(input.word('name'))));
      },
    }),
    command('list', words.list, {
      run: requestDaemon('GET /svcd/tokens', ({ tokens }: { tokens: TokenView[] }) =>
        tokens.length === 0 ? words.none : formatTableWithHead(words.head, tokens.map(rowOf)),
      ),
    }),
    command('revoke <name>', words.revoke, {
      run: requestDaemon('DELETE /svcd/tokens/{name}', ({ revoked }: { revoked: string }) =>
        words.revoked(JSON.stringify(revoked)),
      ),
    }),
    { usage: 'env', what: words.env, load: () => import('../run/run.js') },
  ],
};

export const bodies: Bodies = { token: tokenGroup };

const add = requestDaemon('POST /svcd/tokens', ({ token }: { token: string }) => token, {
  body: (input) => ({
    name: input.word('name'),
    only: readOnly(input),
    day: readCredits(input, 'day'),
    month: readCredits(input, 'month'),
    request: readCredits(input, 'request'),
  }),
  bare: true,
});

/** A script that knows the earlier names must not go on without its limit. */
function refuseRenamed(input: Input): void {
  for (const [old, now] of Object.entries(RENAMED)) {
    const value = input.text(old);
    if (value === undefined) continue;
    throw invalidArgument(words.renamed(old, now), words.writeNow(`svcd token add NAME --${now} ${sanitize(value)}`));
  }
}

async function rotate(input: Input): Promise<void> {
  const home = await input.home();
  const running = await findRunningDaemon(home);
  const { token } =
    running === undefined
      ? { token: replaceToken(home, (await loadConfig({ home })).port) }
      : await askDaemon<{ token: string }>(running, 'POST', '/svcd/token/rotate');
  return printAnswer(input, { token, file: tokenFile(home) }, () => [token, words.rotated]);
}

function rowOf({ name, template, only, limits, spent, temporary, last_used_at: usedAt }: TokenView): string[] {
  const called = temporary ? words.ofCommand(name, template) : name;
  return [
    sanitize(called),
    only.length === 0 ? words.nothing : only.join(','),
    budgetOf(limits, spent),
    formatNumber(spent.day),
    usedAt === null ? words.never : formatMinute(usedAt),
  ];
}

function budgetOf({ request, day, month, total }: TokenView['limits'], spent: TokenView['spent']): string {
  const parts = [
    request === null ? '' : words.aRequest(request),
    day === null ? '' : words.aDay(day),
    month === null ? '' : words.aMonth(month, spent.month),
    total === null ? '' : words.inAll(total, spent.total),
  ].filter((part) => part !== '');
  return parts.length === 0 ? words.homes : parts.join(words.comma);
}
