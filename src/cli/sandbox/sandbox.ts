// svcd sandbox: the documented service alone, and what its owner asks of it and does to it. Most commands are a row: what to
// ask of its control surface; what it answers is printed by one printer.

import type { Options } from 'yargs';
import { SvcdError } from '../../model/errors.js';
import { FAULT_KINDS, FAULT_PARAMETERS, type FaultParameter } from '../../sandbox/faults/fault-kinds.js';
import { type Bodies, command, type Command, type CommandBody, group, switchOption, textOption } from '../command.js';
import type { RequestDetails } from '../request-command.js';
import { formatDuration, formatTable, formatTableWithHead, formatTime } from '../terminal/format.js';
import { type Input, invalidArgument, parseSpan, wrongValue } from '../terminal/input.js';
import { OVERWRITE_OPTION, readSandboxOptions, SANDBOX_OPTIONS } from '../terminal/options.js';
import { printAnswer } from '../terminal/output.js';
import { agrees } from '../terminal/terminal-input.js';
import { askSandbox, downloadPackage, requestSandbox } from './sandbox-client.js';
import { sandboxWords } from './words.js';
import { describeFields, describeValue } from '../terminal/describe-fields.js';

const words = sandboxWords();
const SWITCHES: readonly string[] = ['unverified', 'off', 'anomaly', 'verified', 'yes'];
const LIMITS = ['request', 'day', 'month', 'permissions'] as const;
const RESET = 'POST /sandbox/reset';

/** Parts of a fault rule, with dashes. The sandbox checks which kind takes which. */
const FAULT_OPTIONS = Object.fromEntries(
  Object.entries(FAULT_PARAMETERS).map(([name, type]) => {
    const what = words.fault[name as FaultParameter];
    return [dashed(name), type === 'switch' ? switchOption(what) : textOption(what)];
  }),
);

const KINDS_EXAMPLE = `svcd sandbox fault add status --status 502 --code bad_gateway --method POST # ${words.kinds(Object.keys(FAULT_KINDS))}`;

export const bodies: Bodies = {
  sandbox: {
    examples: told('sandbox', ['start --seed 1', 'topup 12.50']),
    commands: [
      verb('start', ['', '--fresh --seed 1 --credits 20 --json'], {
        options: { ...options('port'), ...SANDBOX_OPTIONS },
        run: async (input) => {
          const settings = { ...readSandboxOptions(input), port: input.whole('port', 0, 65_535) };
          const { serveSandbox } = await import('./serve-sandbox.js');
          return serveSandbox(await input.home(), settings, input.json);
        },
      }),
      group('accounts', words.what.accounts, {
        otherwise: 'list',
        commands: [
          verb('accounts list', [''], {
            run: list('accounts', ['name', 'credits', 'pending_credits', 'email_verified', 'invited_by', 'keys']),
          }),
          verb('accounts add <name>', ['bob --invited-by ada'], {
            options: options('invited-by', 'unverified'),
            run: ask('POST /sandbox/accounts', (input) => ({
              name: input.word('name'),
              email_verified: input.flag('unverified') !== true,
              invited_by: input.text('invited-by'),
            })),
          }),
          verb('accounts verify <name>', ['ada --off'], {
            options: options('off'),
            run: ask('PATCH /sandbox/accounts/{name}', (input) => ({ email_verified: input.flag('off') !== true })),
          }),
        ],
      }),
      verb('invite <inviter> <account>', ['ada bob'], {
        run: ask('POST /sandbox/invitations', (input) => ({
          inviter: input.word('inviter'),
          account: input.word('account'),
        })),
      }),
      group('keys', words.what.keys, {
        otherwise: 'list',
        commands: [
          verb('keys list', [''], {
            run: list('keys', ['id', 'masked', 'account', 'kind', 'state', 'limits', 'template']),
          }),
          verb('keys add', ['--month 100', '--template birthday-card@1.1.0'], {
            options: options('account', 'template', ...LIMITS),
            run: ask('POST /sandbox/keys', (input) => ({
              ...texts(input, 'account', 'template'),
              ...readLimits(input),
            })),
          }),
          verb('keys set <id>', ['1 --state disabled', '1 --state active --day 20'], {
            options: options('state', ...LIMITS),
            run: ask('PATCH /sandbox/keys/{id}', (input) => ({ ...texts(input, 'state'), ...readLimits(input) })),
          }),
        ],
      }),
      verb('topup <cny>', ['12.50'], {
        options: options('account'),
        run: ask('POST /sandbox/topups', (input) => ({ amount: input.word('cny'), ...texts(input, 'account') })),
      }),
      verb('buy <template> <cny>', ['birthday-card@1.1.0 30'], {
        options: options('account'),
        run: ask('POST /sandbox/purchases', (input) => ({
          template: input.word('template'),
          amount: input.word('cny'),
          ...texts(input, 'account'),
        })),
      }),
      group('payments', words.what.payments, {
        otherwise: 'list',
        commands: [
          verb('payments list', [''], {
            run: list('payments', ['id', 'account', 'kind', 'amount', 'credits', 'template', 'refunded', 'rewards']),
          }),
          verb('payments judge <payment>', ['ID --anomaly', 'ID --no-anomaly'], {
            options: options('anomaly', 'verified'),
            run: ask('PATCH /sandbox/payments/{payment}', readJudgement),
          }),
        ],
      }),
      verb('refund <payment>', ['ID'], { run: ask('POST /sandbox/payments/{payment}/refund') }),
      verb('ledger', ['--json'], { run: ask('GET /sandbox/ledger') }),
      verb('templates', [''], { run: list('templates', ['template', 'known_issues', 'tips']) }),
      verb('release <template>', ['birthday-card@1.2.0 --tip "Less is more."'], {
        options: { issue: several(words.options.issue), tip: several(words.options.tip) },
        run: ask('POST /sandbox/templates', (input) => ({
          template: input.word('template'),
          known_issues: input.list('issue'),
          tips: input.list('tip'),
        })),
      }),
      verb('download <template> [where]', ['birthday-card', 'birthday-card@1.0.0 card.zip'], {
        options: { ...options('account'), ...OVERWRITE_OPTION },
        run: downloadPackage,
      }),
      verb('clock', ['', '--advance 14d'], { options: options('advance', 'to'), run: clock }),
      verb('capability [id] [state]', ['', 'images.generate off'], { run: capability }),
      verb('requests', ['--path /api/v1/stickers/'], {
        options: {
          ...options('limit'),
          account: textOption(words.options['of-account']),
          path: textOption(words.options['of-path']),
        },
        run: list('requests', ['at', 'status', 'code', 'method', 'path', 'cost', 'account', 'fault'], {
          query: (input) => texts(input, 'limit', 'account', 'path'),
        }),
      }),
      group('fault', words.what.fault, {
        otherwise: 'list',
        commands: [
          verb('fault list', [''], { run: list('faults', ['id', 'kind', 'path', 'seen', 'fired', 'more']) }),
          verb(
            'fault add <kind>',
            [
              "reset --at-byte 500 --path '/api/v1/stickers/*' --count 3",
              'latency --median-ms 300 --sigma 0.8 --probability 0.2',
              'no-credits --after 10',
            ],
            {
              firstWords: Object.keys(FAULT_KINDS),
              options: FAULT_OPTIONS,
              run: ask('POST /sandbox/faults', (input) => ({ kind: input.word('kind'), ...readFaultParts(input) })),
            },
            [KINDS_EXAMPLE],
          ),
          verb('fault clear [id]', ['', '2'], { run: ask('DELETE /sandbox/faults/{id}') }),
        ],
      }),
      verb('reset', [''], { options: options('yes'), run: reset }),
    ],
  },
};

/** A command by its usage below `svcd sandbox`, with the ends of its examples. */
function verb(usage: string, ends: readonly string[], body: CommandBody, more: readonly string[] = []): Command {
  const name = usage.replace(/ *[<[].*/, '') as keyof typeof words.what & keyof typeof words.examples;
  const examples = [
    ...told(
      name,
      ends.map((end) => `${name} ${end}`.trim()),
    ),
    ...more,
  ];
  return command(usage.slice(name.lastIndexOf(' ') + 1), words.what[name], { ...body, examples });
}

function told(name: keyof typeof words.examples, lines: readonly string[]): string[] {
  return lines.map((line, at) => `svcd sandbox ${line} # ${words.examples[name][at] ?? ''}`);
}

function options(...names: readonly (keyof typeof words.options)[]): Record<string, Options> {
  return Object.fromEntries(
    names.map((name) => [name, (SWITCHES.includes(name) ? switchOption : textOption)(words.options[name])]),
  );
}

function several(what: string): Options {
  return { ...textOption(what), array: true };
}

/** One question, whose answer is printed field by field. */
function ask(question: `${string} /${string}`, body?: RequestDetails['body']): CommandBody['run'] {
  return requestSandbox(question as typeof RESET, (answer) => describeAnswer(answer), body && { body });
}

/** One question for a list, which is a table of these fields; others of a row stand together at its end. */
function list(name: string, columns: readonly string[], details?: RequestDetails): CommandBody['run'] {
  return requestSandbox(`GET /sandbox/${name}`, (answer) => describeAnswer(answer, name, columns), details);
}

function texts(input: Input, ...names: readonly string[]): Record<string, string | undefined> {
  return Object.fromEntries(names.map((name) => [name, input.text(name)]));
}

function dashed(name: string): string {
  return name.replaceAll('_', '-');
}

/** The limits and permissions that were typed, as the control surface names them. Throws `invalid_argument`. */
function readLimits(input: Input): { limits?: object; permissions?: string[] } {
  const limits = { per_request: input.limit('request'), daily: input.limit('day'), monthly: input.limit('month') };
  const typed = input.text('permissions');
  const permissions = typed === 'none' ? [] : typed?.split(',').map((name) => name.trim());
  return {
    ...(Object.values(limits).some((one) => one !== undefined) && { limits }),
    ...(permissions !== undefined && { permissions }),
  };
}

function readJudgement(input: Input): object {
  const [anomaly, verified] = [input.flag('anomaly'), input.flag('verified')];
  if (anomaly !== undefined || verified !== undefined) return { anomaly, verified };
  throw invalidArgument(words.judgeRule);
}

async function clock(input: Input): Promise<void> {
  const move = readMove(input);
  const method = move === undefined ? 'GET' : 'POST';
  const answer = await askSandbox<{ now: string; ahead_ms: number }>(input, method, '/sandbox/clock', move);
  return printAnswer(input, answer, ({ now, ahead_ms: aheadMs }) =>
    aheadMs === 0 ? words.same(formatTime(now)) : words.ahead(formatTime(now), formatDuration(aheadMs)),
  );
}

function readMove(input: Input): object | undefined {
  const [advance, to] = [input.text('advance'), input.text('to')];
  if (advance !== undefined && to !== undefined) throw invalidArgument(words.clockRule);
  if (to !== undefined) return { to };
  if (advance === undefined) return undefined;
  const span = parseSpan(advance);
  if (span === undefined) throw wrongValue('--advance', words.duration, advance);
  return { advance_ms: span };
}

async function capability(input: Input): Promise<void> {
  const [id, state = ''] = [input.findWord('id'), input.findWord('state')];
  if (id === undefined) return list('capabilities', ['id', 'status', 'enabled'])(input);
  if (state !== 'on' && state !== 'off') throw invalidArgument(words.switchRule(id, JSON.stringify(state)));
  return ask('PUT /sandbox/capabilities/{id}', () => ({ enabled: state === 'on' }))(input);
}

function readFaultParts(input: Input): Record<string, unknown> {
  const parts = Object.entries(FAULT_PARAMETERS).map(([name, type]) => {
    const option = dashed(name);
    if (type === 'switch') return [name, input.flag(option)];
    const typed = input.text(option);
    return [name, typed === undefined || type === 'text' ? typed : readNumber(option, typed)];
  });
  return Object.fromEntries(parts) as Record<string, unknown>;
}

function readNumber(option: string, typed: string): number {
  if (/^-?\d{1,12}(\.\d{1,6})?$/.test(typed)) return Number(typed);
  throw wrongValue(`--${option}`, words.number, typed);
}

/** A script is not asked: it is play money, and scripts that reset between two tests were there before the question. */
async function reset(input: Input): Promise<void> {
  if (input.flag('yes') !== true && process.stdin.isTTY) {
    const { accounts } = await askSandbox<{ accounts: object[] }>(input, 'GET', '/sandbox/accounts');
    if (!(await agrees(words.resetQuestion(accounts.length)))) throw new SvcdError('interrupted', words.kept);
  }
  return requestSandbox(RESET, (answer) => [words.wasReset, ...describeAnswer(answer)])(input);
}

type Fields = Readonly<Record<string, unknown>>;

/** Numbers that are typed again as they are, and not counted. */
const NAMES = new Set(['id', 'seed']);

/** Lines of names and values; of a list its rows by `columns` (`more` for all other fields), then what stands beside it. */
function describeAnswer(answer: object, listName = '', columns: readonly string[] = []): string[] {
  const { [listName]: rows, ...rest } = answer as Fields;
  const lines = describeFields(asTyped(rest), words.labels);
  return [...(Array.isArray(rows) ? tableOf(rows as Fields[], columns) : []), ...formatTable(lines)];
}

function tableOf(rows: readonly Fields[], columns: readonly string[]): string[] {
  const { labels, empty } = words;
  if (rows.length === 0) return [empty];
  const cellsOf = (row: Fields) => {
    const more = Object.fromEntries(Object.entries(row).filter(([name]) => !columns.includes(name)));
    return columns.map((name) => cellOf(asTyped({ more, ...row })[name]));
  };
  return formatTableWithHead(
    columns.map((name) => labels[name] ?? name.replaceAll('_', ' ')),
    rows.map(cellsOf),
  );
}

/** Empty for what is not there; of a list of names how many they are. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return describeValue(value);
  if (!Array.isArray(value)) {
    const set = describeFields(value, words.labels).filter((_, at) => Object.values(value)[at] !== null);
    return set.map((pair) => pair.join(' ')).join(', ');
  }
  const isList = value.some((one) => typeof one === 'object');
  return isList
    ? value.map((one: Fields) => Object.values(one).map(describeValue).join(' ')).join('; ')
    : `${value.length}`;
}

/** Numbers as they are typed again; of a Key that came with a purchase itself alone. */
function asTyped(fields: Fields): Fields {
  const shown = Object.entries(fields).map(([name, value]) => {
    if (name === 'key' && typeof value === 'object') return [name, (value as { key: string }).key];
    return [name, NAMES.has(name) ? String(value) : value];
  });
  return Object.fromEntries(shown) as Fields;
}
