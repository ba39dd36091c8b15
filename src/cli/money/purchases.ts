// svcd purchases: what was bought, and what became of purchases whose outcome is unknown.

import type { PurchaseView, SettledPurchases } from '../../api/answers.js';
import { systemClock } from '../../platform/clock.js';
import { withClient } from '../connection/client.js';
import { type Bodies, command, type GroupBody, switchOption, textOption } from '../command.js';
import {
  formatCost,
  formatCount,
  formatForeign,
  formatTable,
  formatTableWithHead,
  formatTime,
  openPaint,
  sanitize,
} from '../terminal/format.js';
import { type Answer, costIn, creditsLeftIn } from '../connection/http-exchange.js';
import { type Input, invalidArgument, wrongValue } from '../terminal/input.js';
import { printAnswer } from '../terminal/output.js';
import { requestDaemon } from '../request-command.js';
import { describeRemote, expectOk } from '../connection/running-daemon.js';
import { confirm } from '../terminal/terminal-input.js';
import { errorWords } from '../terminal/error-words.js';
import { purchaseWords } from './purchases-words.js';

const words = purchaseWords();

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 10_000;
const DAY_MS = 24 * 60 * 60_000;

const purchasesGroup: GroupBody = {
  otherwise: 'list',
  commands: [
    command('list', words.list, {
      options: {
        since: textOption(words.list.since),
        preset: textOption(words.list.preset),
        state: textOption(words.list.state),
        all: switchOption(words.list.all),
        limit: textOption(words.list.limit(LIMIT_MAX, LIMIT_DEFAULT)),
      },
      run: list,
    }),
    command('settle [id]', words.settle, {
      options: { as: textOption(words.settle.as), all: switchOption(words.settle.all) },
      run: settle,
    }),
    command('retry <id>', words.retry, {
      options: { yes: { ...switchOption(words.retry.yes), alias: 'y' } },
      run: retry,
    }),
  ],
};

export const bodies: Bodies = { purchases: purchasesGroup };

async function list(input: Input): Promise<void> {
  const limit = input.whole('limit', 1, LIMIT_MAX) ?? LIMIT_DEFAULT;
  const query = queryOf(input, limit);
  const { answer, remote } = await withClient(input, async (client) => ({
    answer: await client.ask<{ purchases: PurchaseView[] }>('GET', `/svcd/purchases?${query.toString()}`),
    remote: describeRemote(await client.status()),
  }));
  return printAnswer(input, answer, ({ purchases }) =>
    purchases.length === 0
      ? words.list[isFiltered(query) ? 'noneLike' : 'none'](remote)
      : describeList(purchases, limit),
  );
}

const FILTERS = ['since', 'preset', 'state'] as const;

function queryOf(input: Input, limit: number): URLSearchParams {
  const query = new URLSearchParams({ limit: String(limit) });
  for (const name of FILTERS) {
    const value = input.text(name);
    if (value !== undefined) query.set(name, name === 'since' ? parseSince(value) : value);
  }
  // Old attempts that cost nothing would bury what was bought.
  if (!isFiltered(query) && !input.json && input.flag('all') !== true) {
    query.set('free_since', new Date(systemClock.now() - DAY_MS).toISOString());
  }
  return query;
}

function isFiltered(query: URLSearchParams): boolean {
  return FILTERS.some((name) => query.has(name));
}

/** What `--since` takes, as an instant; a day begins at local midnight. */
export function parseSince(text: string): string {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const instant = /^\d{4}-\d{2}-\d{2}(T|$)/.test(text) ? Date.parse(day ? `${text}T00:00` : text) : NaN;
  if (Number.isFinite(instant)) return new Date(instant).toISOString();
  throw wrongValue('--since', words.sinceRule, text);
}

/** The number of the purchase that was typed. Throws `invalid_argument`. */
function readPurchaseId(input: Input): string {
  const id = input.word('id');
  if (/^\d{1,15}$/.test(id)) return id;
  throw invalidArgument(words.badId(JSON.stringify(id)), words.idHint);
}

/** One purchase, by the balance or by what the user says of it; or all by one look at the balance. */
function settle(input: Input): Promise<void> {
  const [all, hasId] = [input.flag('all') === true, input.findWord('id') !== undefined];
  if (!all && !hasId) throw invalidArgument(words.settle.which, words.idHint);
  if (!all) return settleOne(input);
  if (!hasId && input.text('as') === undefined) return settleAll(input);
  throw invalidArgument(words.settle.allAlone, words.settle.allHint);
}

const settleOne = requestDaemon((input) => `POST /svcd/purchases/${readPurchaseId(input)}/settle`, describeSettled, {
  body: (input) => ({ as: input.choice('as', ['charged', 'free']) }),
  spends: true,
});

const settleAll = requestDaemon('POST /svcd/purchases/settle', describeAllSettled, { spends: true });

function describeAllSettled({ settled, left }: SettledPurchases): string[] {
  if (settled.length + left.length === 0) return [words.settle.nothing];
  const looks = left.flatMap((one) => one.looks_again_at ?? []).toSorted();
  return [
    ...settled.map(describeSettled),
    ...left.map((one) =>
      words.settle.left(words.settled.which(one.id, nameOf(one)), sanitize(errorWords().translated(one.why))),
    ),
    ...looks.slice(0, 1).map((at) => words.settle.looksAgain(formatTime(at))),
    ...left.slice(0, 1).map(({ id }) => words.settle.decide(id)),
  ];
}

/** The one command that may pay twice for the same thing, so it asks first. */
async function retry(input: Input): Promise<void> {
  const id = readPurchaseId(input);
  if (input.flag('yes') !== true) {
    // A client of its own, closed before the question: a waiting prompt must not hold the home.
    const found = await withClient(input, (client) => client.ask<PurchaseView>('GET', `/svcd/purchases/${id}`));
    if (found.owned) return printAnswer(input, { purchase: found.id, source: 'owned', cost: 0 }, describeRetry);
    const cost = formatCount(found.price, 'credit');
    await confirm(words.retry.question(nameOf(found), id, cost));
  }
  const answer = await withClient({ ...input, spends: true }, async (client) =>
    expectOk(await client.request('POST', `/svcd/purchases/${id}/retry`)),
  );
  return printAnswer(input, retryFacts(answer, id), describeRetry);
}

function retryFacts(answer: Answer, id: string) {
  return {
    purchase: Number(id),
    source: answer.header('x-svcd-source'),
    cost: costIn(answer),
    bytes: answer.bytes().byteLength,
    credits_remaining: creditsLeftIn(answer),
  };
}

function describeRetry(
  facts: Partial<ReturnType<typeof retryFacts>> & { purchase: number; cost: number | null },
): string {
  const { purchase, source, cost, credits_remaining: credits } = facts;
  const left = credits === undefined ? '' : words.retry.left(formatCount(credits, 'credit'));
  if (source === 'owned') return words.retry.isOwned(purchase, left);
  if (source === 'remote') return words.retry.bought(purchase, formatCost(cost), left);
  return words.retry.there(purchase, source ?? words.retry.unknown, left);
}

function describeSettled(purchase: PurchaseView): string {
  const { id, state, cost, price, owned } = purchase;
  const { settled } = words;
  const which = settled.which(id, nameOf(purchase));
  if (state === 'refused') return owned ? settled.freeOwned(which) : settled.free(which);
  const paid = formatCount(cost ?? price, 'credit');
  return owned ? settled.paidOwned(which, paid) : settled.paidLost(which, paid, id);
}

const IMAGE_CHARACTERS = 8;

/** A preset, or an image by the beginning of its digest. */
function nameOf({ preset, image = '' }: PurchaseView): string {
  return preset === undefined ? words.image(sanitize(image.slice(0, IMAGE_CHARACTERS))) : sanitize(preset);
}

function rowOf(purchase: PurchaseView): string[] {
  const { id, state, reason, cost, price, owned, template = '', created_at: createdAt } = purchase;
  const reasons: Readonly<Record<string, string>> = words.reasons;
  const row = [
    String(id),
    formatTime(createdAt),
    nameOf(purchase),
    words.states[state] ?? sanitize(state),
    reason === null ? '' : (reasons[reason] ?? errorWords().headline(reason) ?? sanitize(reason).replaceAll('_', ' ')),
    cost === null ? `${price}?` : String(cost),
    owned ? words.owned : words.notOwned,
    formatForeign(template),
  ];
  return state === 'unknown' ? row.map(openPaint().strong) : row;
}

function describeList(purchases: readonly PurchaseView[], limit: number): string[] {
  const { head } = words;
  const why = purchases.some(({ reason }) => reason !== null) ? head.why : '';
  const template = purchases.some((one) => one.template !== undefined) ? head.template : '';
  const unknown = purchases.filter(({ state }) => state === 'unknown');
  const openOnes = unknown.filter(({ owned }) => owned);
  const columns = [head.number, head.when, head.what, head.state, why, head.credits, head.owned, template];
  return [
    ...formatTableWithHead(columns, purchases.map(rowOf), [
      head.template,
      [head.when, 'word'],
      [head.template, 'nothing'],
      [head.why, 'below'],
      [head.owned, 'nothing'],
    ]),
    ...describeUnknown(unknown.filter(({ owned }) => !owned)),
    ...openOnes.slice(0, 1).flatMap(describeOpen),
    ...describeLost(purchases.filter(({ state, owned }) => state === 'paid' && !owned)),
    ...(purchases.length < limit ? [] : ['', words.list.more(limit)]),
  ];
}

function describeUnknown([first, ...others]: readonly PurchaseView[]): string[] {
  if (first === undefined) return [];
  return [
    '',
    words.unknown.count(others.length + 1),
    ...formatTable([
      [`  svcd purchases settle ${first.id}`, words.unknown.settle],
      [`  svcd purchases settle ${first.id} --as charged|free`, words.unknown.decide],
      ...(first.kind === 'image'
        ? []
        : [[`  svcd purchases retry ${first.id}`, words.unknown.retry(formatCount(first.price, 'credit'))]]),
    ]),
  ];
}

/** More than a person retries by hand in one go. */
const LOST_SHOWN = 5;

/** Paid for, and nothing of it is owned: its bytes never came, or were lost later. */
function describeLost(lost: readonly PurchaseView[]): string[] {
  if (lost.length === 0) return [];
  const again = lost.filter(({ kind }) => kind === 'sticker').slice(0, LOST_SHOWN);
  return [
    '',
    words.lost.count(lost.length),
    ...formatTable([
      ...again.map(({ id, price }) => [`  svcd purchases retry ${id}`, words.lost.retry(formatCount(price, 'credit'))]),
      ...(lost.some(({ kind }) => kind === 'image') ? [['  X-Svcd-Allow-Repay: 1', words.lost.image]] : []),
    ]),
  ];
}

/** Only their cost is open: they came through a hub, or were bought again since. */
function describeOpen({ id, reason }: PurchaseView): string[] {
  const why = reason === 'cost_untold' ? words.costUntold : words.boughtAgain;
  return ['', why, `  svcd purchases settle ${id} --as charged|free`];
}
