// svcd usage and svcd budget: what svcd spent, saved and may spend, beside the service's own figures.

import type { Spending } from '../../api/answers.js';
import { isSvcdError, SvcdError } from '../../model/errors.js';
import { type Client, withClient } from '../connection/client.js';
import { type Bodies, command, type CommandBody, type GroupBody, switchOption, textOption } from '../command.js';
import { describeFields, describeValue } from '../terminal/describe-fields.js';
import { errorWords } from '../terminal/error-words.js';
import { formatCount, formatDuration, formatNumber, formatTable, formatValue, sanitize } from '../terminal/format.js';
import { describeBudgets as describeHubBudgets } from '../hub/hub-tables.js';
import { type Input, invalidArgument } from '../terminal/input.js';
import { printAnswer } from '../terminal/output.js';
import { describeRemote, remoteOf } from '../connection/running-daemon.js';
import { ownedWords } from './words.js';
import type { HubBudgetView, MachineLimits } from '../../api/hub.js';
import { findBelonging } from '../../config/membership.js';
import { openHubClient } from '../../hub/member/hub-client.js';

const words = ownedWords();
const { translated } = errorWords();

/** It succeeds with our figures when the service does not answer, and says so (`remote_error`). */
const usageCommand: CommandBody = {
  run: async (input) => {
    const { at, ...figures } = await withClient({ ...input, spends: true }, async (client) => {
      const hub = await askHubLimits(input, client);
      return {
        ...(await askRemote(client)),
        svcd: await client.ask<Spending>('GET', '/svcd/spending'),
        ...(hub !== undefined && { hub }),
        at: describeRemote(await client.status()),
      };
    });
    return printAnswer(input, figures, ({ svcd, hub, ...remote }) => [
      ...describeFigures(remote),
      '',
      words.through(at),
      ...describeSpending(svcd),
      ...(hub === undefined ? [] : ['', ...describeLimits(hub)]),
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
    const why = sanitize(error === undefined ? words.noAnswer : translated(error.message).replace(/[.。]$/, ''));
    return [words.noFigures(why), ...(error?.hint ? [sanitize(translated(error.hint))] : [])];
  }
  const stale = ageS === undefined ? [] : [words.stale(formatDuration(ageS * 1000))];
  return [...stale, ...describeUsage(remote)];
}

function describeUsage(usage: Usage): string[] {
  const { effective_credits_remaining: credits, capabilities = [], ...rest } = usage;
  return [
    credits === undefined ? words.unknown : words.spendable(formatCount(credits, 'credit')),
    ...formatTable(describeFields(rest).map(([label, value]) => [`  ${label}`, value])),
    ...(capabilities.length === 0 ? [] : ['', ...formatTable(capabilities.map(capabilityRow))]),
  ];
}

function describeSpending({ stopped, spent, unsettled, saved, purchases, budgets }: Spending): string[] {
  const rows = [
    [words.spent, formatCount(spent, 'credit'), words.inPurchases(formatCount(purchases.paid ?? 0, 'purchase'))],
    [words.unsettled, formatCount(unsettled, 'credit'), unsettled === 0 ? '' : words.seePurchases],
    [words.saved, formatCount(saved, 'credit'), words.ownedAlready],
  ];
  return [
    ...formatTable(rows.map(([name = '', ...cells]) => [`  ${name}`, ...cells])),
    '',
    ...(stopped === null ? [] : [...describeStop(stopped), '']),
    words.budgets,
    ...describeBudgets(budgets),
  ];
}

function capabilityRow(capability: Readonly<Record<string, unknown>>): string[] {
  const { name, id, status, cost, possible_count: possible } = capability;
  return [
    `  ${formatValue(name ?? id)}`,
    status === undefined || status === null ? '' : describeValue(status),
    typeof cost === 'number' ? (cost === 0 ? words.free : formatCount(cost, 'credit')) : '',
    typeof possible === 'number' && cost !== 0 ? words.enoughFor(formatNumber(possible)) : '',
  ];
}

const PERIODS = ['request', 'day', 'month'] as const;

const budgetGroup: GroupBody = {
  otherwise: 'show',
  commands: [
    command('show', words.show, {
      run: (input) =>
        withClient(input, async (client) => {
          const { budgets, stopped } = await client.ask<Spending>('GET', '/svcd/spending');
          const remote = describeRemote(await client.status());
          return printAnswer(input, { budgets, stopped }, () => [
            words.show.title(remote),
            ...describeBudgets(budgets),
            ...(stopped === null ? [] : describeStop(stopped)),
          ]);
        }),
    }),
    command('set', words.set, {
      options: Object.fromEntries(PERIODS.map((period) => [period, textOption(words.set[period])])),
      run: (input) => {
        const change = readChange(input);
        return withClient(input, async (client) => {
          const status = await client.status();
          // Budgets are kept by remote: one set for none would protect nothing without a warning.
          if (remoteOf(status) === 'none')
            throw new SvcdError('invalid_config', words.set.noRemote, { hint: words.set.noRemoteHint });
          const remote = describeRemote(status);
          const answer = await client.ask<Pick<Spending, 'budgets'>>('PUT', '/svcd/budget', change);
          return printAnswer(input, answer, ({ budgets }) => [words.set.title(remote), ...describeBudgets(budgets)]);
        });
      },
    }),
    command('stop', words.stop, {
      // As "svcd stop-spending --lift", its old name, has it.
      options: { lift: { ...switchOption(''), hidden: true } },
      run: (input) => setStopped(input, input.flag('lift') !== true),
    }),
    command('resume', words.resume, { run: (input) => setStopped(input, false) }),
  ],
};

function setStopped(input: Input, stopped: boolean): Promise<void> {
  return withClient(input, async (client) => {
    const spending = await client.ask<Spending>('POST', '/svcd/spending', { stopped });
    return printAnswer(input, { stopped: spending.stopped }, () => describeStop(spending.stopped));
  });
}

export const bodies: Bodies = { usage: usageCommand, budget: budgetGroup };

/** Whether anything is bought, and what to do when not. */
function describeStop(stopped: Spending['stopped']): string[] {
  if (stopped === null) return [words.stop.allowed];
  const [why, hint] = [translated(stopped.why), translated(stopped.hint)];
  return [sanitize(words.stop[stopped.by === 'user' ? 'forGood' : 'forNow'](why)), sanitize(hint)];
}

function readChange(input: Input): object {
  const change = Object.fromEntries(PERIODS.map((period) => [period, input.limit(period)]));
  if (Object.values(change).some((limit) => limit !== undefined)) return change;
  throw invalidArgument(words.set.nothing, words.set.nothingHint);
}

type BudgetState = Spending['budgets'][number];

/** A line for each budget: its limit, and what of it is used. */
function describeBudgets(budgets: readonly BudgetState[]): string[] {
  return formatTable(
    budgets.map(({ period, limit, spent }) => [
      `  ${words.periods[period]}`,
      limit === null ? words.noLimit : words.atMost(formatNumber(limit)),
      spent === null ? '' : words.used(formatNumber(spent)),
      limit === null || spent === null ? '' : words.left(formatNumber(Math.max(0, limit - spent))),
    ]),
  );
}

/**
 * What the hub lets this machine spend, of its project, its user and itself, or why that is not known; undefined for a home that
 * belongs to no hub. The machine's own budgets are another matter.
 */
type LimitsAtHub =
  | { readonly limits: readonly HubBudgetView[] }
  | { readonly error: { readonly code: string; readonly message: string } };

async function askHubLimits(
  input: Pick<Input, 'home'>,
  client: Pick<Client, 'status'>,
): Promise<LimitsAtHub | undefined> {
  const belonging = findBelonging(await input.home());
  if (belonging.kind !== 'hub') return undefined;
  const { hub: of, remote } = await client.status();
  if (remote.forced) return { error: { code: 'offline', message: words.hubNotAsked } };
  const { addresses, pin, token, project } = belonging.membership;
  const hub = openHubClient({ addresses, pin, token });
  try {
    const path = `/svcd/hub/limits?project=${encodeURIComponent(of?.project ?? project)}`;
    const { limits } = await hub.ask<MachineLimits>('GET', path);
    return { limits };
  } catch (error) {
    if (!isSvcdError(error)) throw error;
    return { error: { code: error.code, message: error.message } };
  } finally {
    hub.close();
  }
}

function describeLimits(at: LimitsAtHub): string[] {
  if ('error' in at) return [sanitize(words.hubLimitsUnknown(at.error.message))];
  if (at.limits.length === 0) return [words.noHubLimits];
  return [words.hubLimits, ...describeHubBudgets({ budgets: at.limits }).map((line) => `  ${line}`)];
}
