// svcd usage: the service's figures beside ours. It fails only when ours cannot be had: that the service does not
// answer is told in words, and as `remote_error`.

import { withClient, type Client } from '../client.js';
import { HOME_OPTION, type Command } from '../command.js';
import type { Answer } from '../http-exchange.js';
import { flatten, shown } from '../flatten.js';
import { counted, grouped, plain, printJson, printLines } from '../output.js';
import { spanOf } from '../duration.js';
import { askSpending, describeBudgets, type Spending } from '../spending.js';
import { layOut } from '../table.js';
import { whichRemote } from '../which-remote.js';

export const usageCommand: Command = {
  options: HOME_OPTION,
  examples: [
    ['svcd usage', 'credits left, spent and saved'],
    ['svcd usage --json | jq .svcd.saved', 'one figure of it'],
  ],
  run: async (input) => {
    const needs = { json: input.json, spends: true };
    const figures = await withClient({ home: input.text('home') }, needs, async (client) => ({
      ...(await askRemote(client)),
      svcd: await askSpending(client),
      at: await whichRemote(client),
    }));
    const { at, ...told } = figures;
    return input.json ? printJson(told) : printLines(...describe(told, at));
  },
};

/** The two fields the document names; whatever else there is, is shown as it comes. */
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
  return { remote: body as Usage, ...ageOf(answer) };
}

function ageOf(answer: Answer): Pick<RemoteFigures, 'remote_age_s'> {
  return answer.header('x-svcd-source') === 'last-known'
    ? { remote_age_s: Number(answer.header('age') ?? 0) }
    : {};
}

function describe({ svcd, ...figures }: RemoteFigures & { svcd: Spending }, at: string): string[] {
  return [...describeRemote(figures), '', `Through svcd (${at}):`, ...describeOurs(svcd)];
}

function describeRemote({ remote, remote_age_s: ageS, remote_error: error }: RemoteFigures): string[] {
  if (remote === null) {
    const why = plain(error?.message ?? 'it does not answer');
    return [`The service does not tell its figures: ${why}.`, ...(error?.hint ? [plain(error.hint)] : [])];
  }
  const stale =
    ageS === undefined
      ? []
      : [`The service cannot be asked now; this is what it said ${spanOf(ageS * 1000)} ago.`];
  return [...stale, ...describeUsage(remote)];
}

function describeUsage(usage: Usage): string[] {
  const { effective_credits_remaining: credits, capabilities = [], ...rest } = usage;
  const others = Object.entries(rest).flatMap(([name, value]) => flatten(name, value));
  return [
    credits === undefined
      ? 'The service does not say how many credits are left.'
      : `${counted(credits, 'credit')} can be spent with this Key.`,
    ...layOut(others.filter(([, value]) => value !== '').map(([name, value]) => [`  ${name}`, value])),
    ...(capabilities.length === 0 ? [] : ['', ...layOut(capabilities.map(capabilityRow))]),
  ];
}

function describeOurs({ spent, unsettled, saved, purchases, budgets }: Spending): string[] {
  const rows = [
    ['spent', counted(spent, 'credit'), `in ${counted(purchases['paid'] ?? 0, 'purchase')}`],
    ['unsettled', counted(unsettled, 'credit'), unsettled === 0 ? '' : 'see "svcd purchases"'],
    ['saved', counted(saved, 'credit'), 'not spent, because it was owned already'],
  ];
  return [
    ...layOut(rows.map(([name = '', ...cells]) => [`  ${name}`, ...cells])),
    '',
    'Budgets:',
    ...describeBudgets(budgets),
  ];
}

function capabilityRow(capability: Readonly<Record<string, unknown>>): string[] {
  const { name, id, status, cost, possible_count: possible } = capability;
  return [
    `  ${shown(name ?? id)}`,
    shown(status),
    typeof cost === 'number' ? (cost === 0 ? 'free' : counted(cost, 'credit')) : '',
    typeof possible === 'number' && cost !== 0 ? `enough for ${grouped(possible)}` : '',
  ];
}
