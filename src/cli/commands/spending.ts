// svcd usage and svcd budget: what svcd spent, saved and may spend, beside the service's own figures.

import type { Spending } from '../../api/answers.js';
import { SvcdError } from '../../model/errors.js';
import { type Client, withClient } from '../client.js';
import { type Bodies, command, type CommandBody, type GroupBody, switchOption, textOption } from '../command.js';
import { flatten, formatCount, formatDuration, formatNumber, formatTable, formatValue, sanitize } from '../format.js';
import type { Input } from '../input.js';
import { invalidArgument } from '../invalid-argument.js';
import { printAnswer } from '../output.js';
import { describeRemote, NO_REMOTE } from '../running-daemon.js';

/** It succeeds with our figures when the service does not answer, and says so (`remote_error`). */
const usageCommand: CommandBody = {
  examples: ['svcd usage # credits left, spent and saved', 'svcd usage --json | jq .svcd.saved # one figure of it'],
  run: async (input) => {
    const { at, ...figures } = await withClient({ ...input, spends: true }, async (client) => ({
      ...(await askRemote(client)),
      svcd: await client.ask<Spending>('GET', '/svcd/spending'),
      at: describeRemote(await client.status()),
    }));
    return printAnswer(input, figures, ({ svcd, ...remote }) => [
      ...describeFigures(remote),
      '',
      `Through svcd (${at}):`,
      ...describeSpending(svcd),
    ]);
  },
};

/** The two fields that the document names; others are shown as they come. */
interface Usage {
  readonly effective_credits_remaining?: number;
  readonly capabilities?: readonly Readonly<Record<string, unknown>>[];
  readonly [field: string]: unknown;
}

interface RemoteFigures {
  readonly remote: Usage | null;
  /** Seconds since the remote said so; undefined when it did just now. */
  readonly remote_age_s?: number;
  readonly remote_error?: { readonly code: string; readonly message: string; readonly hint?: string };
}

async function askRemote(client: Client): Promise<RemoteFigures> {
  const answer = await client.request('GET', '/api/v1/usage');
  const body = answer.json();
  if (answer.status >= 400) {
    return { remote: null, remote_error: body as NonNullable<RemoteFigures['remote_error']> };
  }
  const isOld = answer.header('x-svcd-source') === 'last-known';
  return { remote: body as Usage, ...(isOld && { remote_age_s: Number(answer.header('age') ?? 0) }) };
}

function describeFigures({ remote, remote_age_s: ageS, remote_error: error }: RemoteFigures): string[] {
  if (remote === null) {
    const why = sanitize(error?.message ?? 'it does not answer');
    return [`The service gives no figures: ${why}.`, ...(error?.hint ? [sanitize(error.hint)] : [])];
  }
  const stale =
    ageS === undefined
      ? []
      : [`The service cannot be asked now; these figures are ${formatDuration(ageS * 1000)} old.`];
  return [...stale, ...describeUsage(remote)];
}

function describeUsage(usage: Usage): string[] {
  const { effective_credits_remaining: credits, capabilities = [], ...rest } = usage;
  const others = Object.entries(rest).flatMap(([name, value]) => flatten(name, value));
  return [
    credits === undefined
      ? 'The service does not say how many credits are left.'
      : `${formatCount(credits, 'credit')} can be spent with this Key.`,
    ...formatTable(others.filter(([, value]) => value !== '').map(([name, value]) => [`  ${name}`, value])),
    ...(capabilities.length === 0 ? [] : ['', ...formatTable(capabilities.map(capabilityRow))]),
  ];
}

function describeSpending({ stopped, spent, unsettled, saved, purchases, budgets }: Spending): string[] {
  const rows = [
    ['spent', formatCount(spent, 'credit'), `in ${formatCount(purchases.paid ?? 0, 'purchase')}`],
    ['unsettled', formatCount(unsettled, 'credit'), unsettled === 0 ? '' : 'see "svcd purchases"'],
    ['saved', formatCount(saved, 'credit'), 'not spent, because it was owned already'],
  ];
  return [
    ...formatTable(rows.map(([name = '', ...cells]) => [`  ${name}`, ...cells])),
    '',
    ...(stopped === null ? [] : [...describeStop(stopped), '']),
    'Budgets:',
    ...describeBudgets(budgets),
  ];
}

function capabilityRow(capability: Readonly<Record<string, unknown>>): string[] {
  const { name, id, status, cost, possible_count: possible } = capability;
  return [
    `  ${formatValue(name ?? id)}`,
    formatValue(status),
    typeof cost === 'number' ? (cost === 0 ? 'free' : formatCount(cost, 'credit')) : '',
    typeof possible === 'number' && cost !== 0 ? `enough for ${formatNumber(possible)}` : '',
  ];
}

const PERIODS = ['request', 'day', 'month'] as const;

const budgetGroup: GroupBody = {
  otherwise: 'show',
  commands: [
    command('show', 'Show the limits and how much of them is used.', {
      examples: ['svcd budget # the limits, and what of them is used'],
      run: (input) =>
        withClient(input, async (client) => {
          const { budgets } = await client.ask<Spending>('GET', '/svcd/spending');
          const remote = describeRemote(await client.status());
          return printAnswer(input, { budgets }, () => [`Budgets (${remote}):`, ...describeBudgets(budgets)]);
        }),
    }),
    command('set', 'Set limits in credits per request, day or month.', {
      options: {
        request: textOption('Credits one request may cost, or none for no limit.'),
        day: textOption('Credits a day, or none.'),
        month: textOption('Credits a calendar month, or none.'),
      },
      examples: [
        'svcd budget set --day 20 --month 200 # limits that are not named stay as they are',
        'svcd budget set --day none # remove the limit per day',
      ],
      run: (input) => {
        const change = readChange(input);
        return withClient(input, async (client) => {
          const remote = describeRemote(await client.status());
          if (remote === NO_REMOTE) throw nothingToLimit();
          const answer = await client.ask<Pick<Spending, 'budgets'>>('PUT', '/svcd/budget', change);
          return printAnswer(input, answer, ({ budgets }) => [
            `Budgets from now on (${remote}):`,
            ...describeBudgets(budgets),
          ]);
        });
      },
    }),
  ],
};

const stopSpendingCommand: CommandBody = {
  options: { lift: switchOption('Allow spending again.') },
  examples: [
    'svcd stop-spending # nothing is bought from now on; what was sent already is kept',
    'svcd stop-spending --lift # allow it again',
  ],
  run: (input) => {
    const stopped = input.flag('lift') !== true;
    return withClient(input, async (client) => {
      const spending = await client.ask<Spending>('POST', '/svcd/spending', { stopped });
      return printAnswer(input, { stopped: spending.stopped }, () => describeStop(spending.stopped));
    });
  },
};

export const bodies: Bodies = { usage: usageCommand, budget: budgetGroup, 'stop-spending': stopSpendingCommand };

/** Whether anything is bought, and what to do when not. */
function describeStop(stopped: Spending['stopped']): string[] {
  if (stopped === null) return ['Spending is allowed, within the budgets.'];
  const { by, why, hint } = stopped;
  const effect = by === 'user' ? 'Nothing is bought, also after a restart' : 'Nothing is bought';
  return [sanitize(`${effect}: ${why}.`), sanitize(hint)];
}

function readChange(input: Input): object {
  const change = Object.fromEntries(PERIODS.map((period) => [period, input.limit(period)]));
  if (Object.values(change).some((limit) => limit !== undefined)) return change;
  throw invalidArgument('give at least one of --request, --day and --month', '"svcd budget" shows the limits.');
}

/** Budgets are kept by remote: one set for none would protect nothing without a warning. */
function nothingToLimit(): SvcdError {
  return new SvcdError('invalid_config', `${NO_REMOTE}, and a budget belongs to one`, {
    hint: 'Start svcd first, or name the remote with "svcd config set remote https://…".',
  });
}

type BudgetState = Spending['budgets'][number];

const NAMES: Readonly<Record<BudgetState['period'], string>> = {
  request: 'per request',
  day: 'today',
  month: 'this month',
};

/** A line for each budget: its limit, and what of it is used. */
function describeBudgets(budgets: readonly BudgetState[]): string[] {
  return formatTable(
    budgets.map(({ period, limit, spent }) => [
      `  ${NAMES[period]}`,
      limit === null ? 'no limit' : `at most ${formatNumber(limit)}`,
      spent === null ? '' : `${formatNumber(spent)} spent or reserved`,
      limit === null || spent === null ? '' : `${formatNumber(Math.max(0, limit - spent))} left`,
    ]),
  );
}
