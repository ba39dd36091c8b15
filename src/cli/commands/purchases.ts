// svcd purchases: what was bought, and what became of purchases whose outcome is unknown.

import type { PurchaseView } from '../../api/answers.js';
import { systemClock } from '../../platform/clock.js';
import { withClient } from '../client.js';
import { type Bodies, command, type GroupBody, switchOption, textOption } from '../command.js';
import {
  formatCost,
  formatCount,
  formatForeign,
  formatTable,
  formatTableWithHead,
  openPaint,
  sanitize,
} from '../format.js';
import { type Answer, costIn } from '../http-exchange.js';
import type { Input } from '../input.js';
import { invalidArgument, wrongValue } from '../invalid-argument.js';
import { printAnswer } from '../output.js';
import { requestDaemon } from '../request-command.js';
import { describeRemote, expectOk } from '../running-daemon.js';
import { confirm } from '../terminal-input.js';

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 10_000;
const DAY_MS = 24 * 60 * 60_000;

const purchasesGroup: GroupBody = {
  otherwise: 'list',
  commands: [
    command('list', 'List purchases, newest first.', {
      options: {
        since: textOption('Only from this day on (2026-11-21, local time) or instant (2026-11-21T08:00:00Z).'),
        preset: textOption('Only of this sticker.'),
        state: textOption('Only in this state: intent, sent, paid, refused or unknown.'),
        all: switchOption('Also purchases older than a day that were not charged.'),
        limit: textOption(`How many to list, newest first, 1 to ${LIMIT_MAX} [${LIMIT_DEFAULT}].`),
      },
      examples: [
        'svcd purchases # what was bought, newest first',
        'svcd purchases --state unknown # what may or may not have been charged',
        'svcd purchases --since 2026-11-01 --json # for a script',
      ],
      run: list,
    }),
    command('settle <id>', 'Settle a purchase of unknown outcome: by the balance, or by your decision. Free.', {
      options: {
        as: textOption('Your decision: charged or free. Without it the service is asked for the balance.'),
      },
      examples: [
        'svcd purchases settle 7 # ask the service for the balance; costs nothing',
        'svcd purchases settle 7 --as free # it was not charged, so it may be bought again',
      ],
      run: requestDaemon((input) => `POST /svcd/purchases/${readPurchaseId(input)}/settle`, describeSettled, {
        body: (input) => ({ as: readDecision(input) }),
        spends: true,
      }),
    }),
    command('retry <id>', 'Buy the sticker of a purchase again. May cost a second time.', {
      options: {
        yes: { ...switchOption('Do not ask: it may cost another credit.'), alias: 'y' },
      },
      examples: [
        'svcd purchases retry 7 # buy the sticker of purchase 7 again, after a question',
        'svcd purchases retry 7 --yes --json # the same from a script',
      ],
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
      ? `${isFiltered(query) ? 'No purchase is like that' : 'Nothing was bought'} (${remote}).`
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

/** A day begins at local midnight. */
function parseSince(text: string): string {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const instant = /^\d{4}-\d{2}-\d{2}(T|$)/.test(text) ? Date.parse(day ? `${text}T00:00` : text) : NaN;
  if (Number.isFinite(instant)) return new Date(instant).toISOString();
  throw wrongValue('--since', 'a day or instant such as 2026-11-21 or 2026-11-21T08:00:00Z', text);
}

/** The number of the purchase that was typed. Throws `invalid_argument`. */
function readPurchaseId(input: Input): string {
  const id = input.word('id');
  if (/^\d{1,15}$/.test(id)) return id;
  const message = `ID must be the number of a purchase, got ${JSON.stringify(id)}`;
  throw invalidArgument(message, '"svcd purchases" lists them.');
}

function readDecision(input: Input): string | undefined {
  const as = input.text('as');
  if (as === undefined || as === 'charged' || as === 'free') return as;
  throw wrongValue('--as', 'charged or free', as);
}

/** The one command that may pay twice for the same thing, so it asks first. */
async function retry(input: Input): Promise<void> {
  const id = readPurchaseId(input);
  if (input.flag('yes') !== true) {
    // A client of its own, closed before the question: a waiting prompt must not hold the home.
    const found = await withClient(input, (client) => client.ask<PurchaseView>('GET', `/svcd/purchases/${id}`));
    const cost = formatCount(found.price, 'credit');
    await confirm(`Buying ${nameOf(found)} again (purchase ${id}) may cost ${cost} more.`);
  }
  const answer = await withClient({ ...input, spends: true }, async (client) =>
    expectOk(await client.request('POST', `/svcd/purchases/${id}/retry`)),
  );
  return printAnswer(input, retryFacts(answer, id), describeRetry);
}

function retryFacts(answer: Answer, id: string) {
  const credits = answer.header('x-service-credits-remaining');
  return {
    purchase: Number(id),
    source: answer.header('x-svcd-source'),
    cost: costIn(answer),
    bytes: answer.bytes().byteLength,
    credits_remaining: credits === undefined ? undefined : Number(credits),
  };
}

function describeRetry(facts: ReturnType<typeof retryFacts>): string {
  const { purchase, source, cost, credits_remaining: credits } = facts;
  const left = credits === undefined ? '' : `; ${formatCount(credits, 'credit')} left`;
  if (source === 'remote') {
    return `The sticker of purchase ${purchase} was bought again (remote, ${formatCost(cost)}${left}) and is owned.`;
  }
  return `The sticker of purchase ${purchase} is there already (${source ?? 'unknown'}, no charge${left}).`;
}

function describeSettled(purchase: PurchaseView): string {
  const { id, state, cost, price, owned } = purchase;
  const which = `Purchase ${id} (${nameOf(purchase)})`;
  if (state === 'refused' && owned) return `${which} was not charged; another purchase owns it.`;
  if (state === 'refused') return `${which} was not charged; the next request for it buys it.`;
  const paid = `${which} was charged: ${formatCount(cost ?? price, 'credit')}`;
  if (owned) return `${paid}. It is owned.`;
  return `${paid}. Its file is not owned; "svcd purchases retry ${id}" buys it again.`;
}

const STATES: Readonly<Record<PurchaseView['state'], string>> = {
  intent: 'not sent yet',
  sent: 'under way',
  paid: 'paid',
  refused: 'not charged',
  unknown: 'UNKNOWN, may have been charged',
};

/** Words for the reasons that need some; the others are error codes. */
const REASONS: Readonly<Record<string, string>> = {
  bytes_lost: 'charged, but its file never came',
  decided: 'as you decided',
  interrupted: 'svcd was stopped before its end was seen',
  not_charged: 'the balance had not moved',
  not_written: 'its end could not be written down',
};

const IMAGE_CHARACTERS = 8;
// As `ls -l`, in the time of this machine. Swedish writes dates as ISO 8601 does.
const TIME_FORMAT = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium' });

/** A preset, or an image by the beginning of its digest. */
function nameOf({ preset, image = '' }: PurchaseView): string {
  return preset === undefined ? `image ${sanitize(image.slice(0, IMAGE_CHARACTERS))}…` : sanitize(preset);
}

function rowOf(purchase: PurchaseView): string[] {
  const { id, state, reason, cost, price, owned, template = '', created_at: createdAt } = purchase;
  const row = [
    String(id),
    TIME_FORMAT.format(Date.parse(createdAt)),
    nameOf(purchase),
    STATES[state] ?? sanitize(state),
    reason === null ? '' : (REASONS[reason] ?? sanitize(reason).replaceAll('_', ' ')),
    cost === null ? `${price}?` : String(cost),
    owned ? 'owned' : 'no',
    formatForeign(template),
  ];
  return state === 'unknown' ? row.map(openPaint().strong) : row;
}

function describeList(purchases: readonly PurchaseView[], limit: number): string[] {
  const why = purchases.some(({ reason }) => reason !== null) ? 'why' : '';
  const template = purchases.some((one) => one.template !== undefined) ? 'template' : '';
  const unknown = purchases.filter(({ state }) => state === 'unknown');
  const head = ['number', 'when', 'what', 'state', why, 'credits', 'owned', template];
  return [
    ...formatTableWithHead(head, purchases.map(rowOf), [
      'template',
      ['when', 'word'],
      ['template', 'nothing'],
      ['why', 'below'],
      ['owned', 'nothing'],
    ]),
    ...describeUnknown(unknown.filter(({ owned }) => !owned)),
    ...describeBoughtAgain(unknown.filter(({ owned }) => owned)),
    ...describeLost(purchases.filter(({ state, owned }) => state === 'paid' && !owned)),
    ...(purchases.length < limit ? [] : ['', `The ${limit} newest; --limit and --since show others.`]),
  ];
}

function describeUnknown([first, ...others]: readonly PurchaseView[]): string[] {
  if (first === undefined) return [];
  const count = others.length === 0 ? 'One purchase has' : `${others.length + 1} purchases have`;
  const again = `buys it again; may cost ${formatCount(first.price, 'credit')} more`;
  return [
    '',
    `${count} an unknown outcome. svcd does not send the same request again by itself.`,
    ...formatTable([
      [`  svcd purchases settle ${first.id}`, 'asks the service for the balance, which may tell'],
      [`  svcd purchases settle ${first.id} --as charged|free`, 'records your decision'],
      ...(first.kind === 'image' ? [] : [[`  svcd purchases retry ${first.id}`, again]]),
    ]),
  ];
}

/** Paid for, and nothing of it is owned: its bytes never came, or were lost later. */
function describeLost(lost: readonly PurchaseView[]): string[] {
  const [first] = lost;
  if (first === undefined) return [];
  const count = lost.length === 1 ? 'One purchase was' : `${lost.length} purchases were`;
  const again = lost.find(({ kind }) => kind === 'sticker');
  return [
    '',
    `${count} paid for and nothing of it is owned. svcd does not buy the same again by itself:`,
    ...formatTable([
      ...(again === undefined
        ? []
        : [[`  svcd purchases retry ${again.id}`, `buys it again, for ${formatCount(again.price, 'credit')} more`]]),
      ...(lost.some(({ kind }) => kind === 'image')
        ? [['  X-Svcd-Allow-Repay: 1', 'as a header of the same request buys an image again']]
        : []),
    ]),
  ];
}

/** They were bought again since; only their cost is open. */
function describeBoughtAgain([first]: readonly PurchaseView[]): string[] {
  if (first === undefined) return [];
  return [
    '',
    'What is unknown and owned was bought again since: the first call may have been charged too. It counts',
    'against the budget of its own day and month until the balance or your decision settles it:',
    `  svcd purchases settle ${first.id} --as charged|free`,
  ];
}
