// svcd purchases list

import { systemClock } from '../../platform/clock.js';
import { SvcdError } from '../../model/errors.js';
import { expectOk, withClient, type Client } from '../client.js';
import { HOME_OPTION, type Command } from '../command.js';
import type { Input } from '../input.js';
import { limitOf } from '../list-options.js';
import { counted, printJson, printLines } from '../output.js';
import { openPaint, type Paint } from '../colors.js';
import { creditsOf, momentOf, reasonOf, stateOf, whatOf, type PurchaseView } from '../purchase-view.js';
import { layOut } from '../table.js';
import { whichRemote } from '../which-remote.js';

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 10_000;
const DAY_MS = 24 * 60 * 60_000;

export const purchasesListCommand: Command = {
  options: {
    ...HOME_OPTION,
    since: {
      type: 'string',
      requiresArg: true,
      describe: 'Only from this day on (2026-11-21, local time) or instant (2026-11-21T08:00:00Z).',
    },
    preset: { type: 'string', requiresArg: true, describe: 'Only of this sticker.' },
    state: {
      type: 'string',
      requiresArg: true,
      describe: 'Only in this state: intent, sent, paid, refused or unknown.',
    },
    all: {
      type: 'boolean',
      describe: 'Also those of more than a day ago that were not charged.',
    },
    limit: {
      type: 'string',
      requiresArg: true,
      describe: `How many to list, newest first, 1 to ${LIMIT_MAX} [${LIMIT_DEFAULT}].`,
    },
  },
  examples: [
    ['svcd purchases', 'what was bought, newest first'],
    ['svcd purchases --state unknown', 'what may or may not have been charged'],
    ['svcd purchases --since 2026-11-01 --json', 'for a script'],
  ],
  run: async (input) => {
    const limit = limitOf(input);
    const query = queryOf(input, limit);
    hideOldFree(input, query);
    const needs = { json: input.json, spends: false };
    await withClient({ home: input.text('home') }, needs, async (client) => {
      const answer = expectOk(await client.request('GET', `/svcd/purchases?${query.toString()}`)).json();
      if (input.json) return printJson(answer);
      const { purchases } = answer as { purchases: PurchaseView[] };
      if (purchases.length === 0) return printLines(await describeNone(client, query));
      return printLines(...describe(purchases, openPaint()), ...more(purchases.length, limit));
    });
  },
};

function queryOf(input: Input, limit: number): URLSearchParams {
  const query = new URLSearchParams({ limit: String(limit) });
  const since = input.text('since');
  if (since !== undefined) query.set('since', parseSince(since));
  for (const name of ['preset', 'state']) {
    const value = input.text(name);
    if (value !== undefined) query.set(name, value);
  }
  return query;
}

/** What came to nothing days ago would only bury what was bought; who asks for something in particular sees all of it. */
function hideOldFree(input: Input, query: URLSearchParams): void {
  const asks = ['since', 'preset', 'state'].some((name) => query.has(name));
  if (asks || input.json || input.flag('all') === true) return;
  query.set('free_since', new Date(systemClock.now() - DAY_MS).toISOString());
}

/** A day begins when it begins here, not in Greenwich. */
function parseSince(text: string): string {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const instant = /^\d{4}-\d{2}-\d{2}(T|$)/.test(text) ? Date.parse(day ? `${text}T00:00` : text) : NaN;
  if (Number.isFinite(instant)) return new Date(instant).toISOString();
  throw new SvcdError(
    'invalid_argument',
    `--since must be a day or instant such as 2026-11-21 or 2026-11-21T08:00:00Z, got ${JSON.stringify(text)}`,
  );
}

async function describeNone(client: Client, query: URLSearchParams): Promise<string> {
  const remote = await whichRemote(client);
  const asked = query.size - (query.has('free_since') ? 1 : 0);
  return `${asked > 1 ? 'No purchase is like that' : 'Nothing was bought'} (${remote}).`;
}

function describe(purchases: readonly PurchaseView[], paint: Paint): string[] {
  const why = purchases.some(({ reason }) => reason !== null) ? 'why' : '';
  const head = ['number', 'when', 'what', 'state', why, 'credits', 'owned'].map(paint.faint);
  const unknown = purchases.filter(({ state }) => state === 'unknown');
  return [
    ...layOut([head, ...purchases.map((one) => rowOf(one, paint))]),
    ...whatToDo(unknown.filter(({ owned }) => !owned)),
    ...whatOfBoughtAgain(unknown.filter(({ owned }) => owned)),
  ];
}

function rowOf(purchase: PurchaseView, paint: Paint): string[] {
  const row = [
    String(purchase.id),
    momentOf(purchase),
    whatOf(purchase),
    stateOf(purchase),
    reasonOf(purchase),
    creditsOf(purchase),
    purchase.owned ? 'owned' : 'no',
  ];
  return purchase.state === 'unknown' ? row.map(paint.strong) : row;
}

function whatToDo([first, ...others]: readonly PurchaseView[]): string[] {
  if (first === undefined) return [];
  const how = others.length === 0 ? 'One is' : `${others.length + 1} are`;
  return [
    '',
    `${how} unknown: the end was not seen, so svcd does not send the same again by itself.`,
    ...layOut([
      [`  svcd purchases settle ${first.id}`, 'asks the service for the balance, which may tell'],
      [`  svcd purchases settle ${first.id} --as charged|free`, 'decides it by your word'],
      ...(first.kind === 'image'
        ? []
        : [
            [
              `  svcd purchases retry ${first.id}`,
              `buys it again; may cost ${counted(first.price, 'credit')} more`,
            ],
          ]),
    ]),
  ];
}

/** Bought again since, so nothing is kept back for them; only the figures are open. */
function whatOfBoughtAgain([first]: readonly PurchaseView[]): string[] {
  if (first === undefined) return [];
  return [
    '',
    'What is unknown and owned was bought again since: the first call may have been charged too. It counts',
    'against the budget of its own day and month until a balance tells, or you do:',
    `  svcd purchases settle ${first.id} --as charged|free`,
  ];
}

function more(listed: number, limit: number): string[] {
  return listed < limit ? [] : ['', `The ${limit} newest; --limit and --since show others.`];
}
