// svcd hub purchases and svcd hub report: as a table, and whole as CSV or lines of JSON for other programs.

import type { HubPurchaseView, HubReport, Reported } from '../../api/hub.js';
import { withClient } from '../connection/client.js';
import { parseSince } from '../money/purchases.js';
import { formatNumber, formatTableWithHead, sanitize } from '../terminal/format.js';
import { type Input, invalidArgument } from '../terminal/input.js';
import { print, printAnswer } from '../terminal/output.js';
import { describePurchases } from './hub-tables.js';
import { hubWords } from './words.js';

const words = hubWords();
const MACHINE_MAX = 999_999_999;
const LISTED_MAX = 10_000;
const PAGE = 1000;

type Cell = string | number | null;

/** A line of CSV (RFC 4180). What a table program would take for a formula is text. */
function csvLine(cells: readonly Cell[]): string {
  const texts = cells.map((cell) => {
    const text = typeof cell === 'string' ? cell.replace(/^[=+\-@\t\r]/, "'$&") : `${cell ?? ''}`;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${texts.join(',')}\r\n`;
}

export async function listPurchases(input: Input): Promise<void> {
  const format = readFormat(input);
  const limit = input.whole('limit', 1, LISTED_MAX);
  const since = input.text('since');
  const query = new URLSearchParams({ limit: `${limit ?? (format === undefined ? 100 : PAGE)}` });
  for (const name of ['project', 'user', 'state']) query.set(name, input.text(name) ?? '');
  query.set('machine', `${input.whole('machine', 1, MACHINE_MAX) ?? ''}`);
  query.set('since', since === undefined ? '' : parseSince(since));
  for (const [name, value] of Array.from(query)) if (value === '') query.delete(name);
  await withClient(input, async (client) => {
    const ask = () => client.ask<{ purchases: HubPurchaseView[] }>('GET', `/svcd/hub/purchases?${query.toString()}`);
    if (format === undefined) return printAnswer(input, await ask(), describePurchases);
    if (format === 'csv') await print(csvLine(COLUMNS));
    for (;;) {
      const { purchases } = await ask();
      await print(purchases.map(format === 'csv' ? csvOf : (one) => `${JSON.stringify(one)}\n`).join(''));
      const last = purchases.at(-1);
      if (limit !== undefined || last === undefined || purchases.length < PAGE) return;
      query.set('before', `${last.id}`);
    }
  });
}

function readFormat(input: Input): 'csv' | 'ndjson' | undefined {
  const typed = (['csv', 'ndjson'] as const).filter((name) => input.flag(name) === true);
  if (typed.length + (input.json ? 1 : 0) > 1) throw invalidArgument(words.oneFormat);
  return typed[0];
}

const COLUMNS = 'id,created_at,settled_at,item,state,price,cost,reason,project,user,machine,machine_name'.split(',');

function csvOf(purchase: HubPurchaseView): string {
  const { id, created_at: created, settled_at: settled, item, state, price, cost, reason, payers, machine } = purchase;
  const nameOf = (kind: Reported) => payers.find((one) => one.startsWith(`${kind}:`))?.slice(kind.length + 1) ?? null;
  const who = [nameOf('project'), nameOf('user'), machine?.id ?? null, machine?.name ?? null];
  return csvLine([id, created, settled, item, state, price, cost, reason, ...who]);
}

const SUMS = ['purchases', 'credits', 'unknown', 'unknown_credits'] as const;

export async function report(input: Input): Promise<void> {
  const isCsv = readFormat(input) === 'csv';
  const query = new URLSearchParams();
  for (const name of ['month', 'by']) {
    const text = input.text(name);
    if (text !== undefined) query.set(name, text);
  }
  const answer = await withClient(input, (client) =>
    client.ask<HubReport>('GET', `/svcd/hub/report?${query.toString()}`),
  );
  if (!isCsv) return printAnswer(input, answer, describeReport);
  const { month, by, rows } = answer;
  const lines = rows.map((row) => [month, ...by.map((kind) => row[kind]), ...SUMS.map((name) => row[name])]);
  return print([['month', ...by, ...SUMS], ...lines].map(csvLine).join(''));
}

function describeReport({ month, by, rows }: HubReport): string[] {
  if (rows.length === 0) return [words.nothingIn(month)];
  return formatTableWithHead(
    [...by.map((kind) => words.reportHead[kind]), ...SUMS.map((name) => words.reportHead[name])],
    rows.map((row) => [...by.map((kind) => sanitize(row[kind] ?? '')), ...SUMS.map((name) => formatNumber(row[name]))]),
  );
}
