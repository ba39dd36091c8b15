// svcd sandbox clock, capability, requests, fault and reset: how the sandbox behaves.

import type { Options } from 'yargs';
import type { Capability } from '../../contract/capability.js';
import type { FaultView, RequestView } from '../../sandbox/control/control-routes.js';
import { command, type Command, group, type Group, switchOption, textOption } from '../command.js';
import { formatCount, formatDuration, formatTableWithHead, sanitize } from '../format.js';
import type { Input } from '../input.js';
import { invalidArgument, wrongValue } from '../invalid-argument.js';
import { printAnswer } from '../output.js';
import { askSandbox, requestSandbox } from '../sandbox-client.js';

/** Parts of a fault rule, as the control surface names them, with dashes. The sandbox checks which kind takes which. */
const FAULT_OPTIONS: Readonly<Record<string, Options>> = {
  path: textOption('Only paths like this, * standing for anything.'),
  method: textOption('Only this method.'),
  count: textOption('How often at most.'),
  after: textOption('How many requests pass before.'),
  probability: textOption('How likely, from 0 to 1.'),
  ms: textOption('latency: milliseconds, always the same.'),
  'median-ms': textOption('latency: median milliseconds of a log-normal distribution.'),
  sigma: textOption('latency: sigma of that distribution (0.5).'),
  status: textOption('status: 300 to 599.'),
  code: textOption('status: the code of the refusal.'),
  'retry-after-s': textOption('status, busy: seconds.'),
  'at-byte': textOption('reset: after so many bytes of the body; without it before the headers.'),
  by: textOption('wrong-length: bytes more than there are, or fewer.'),
  'bytes-per-s': textOption('slow-body: bytes a second.'),
  size: textOption('size: such as 1024x1024; without it any but the one asked for.'),
  work: switchOption('reset, black-hole: do the work, and charge for it, before.'),
};
const TEXT_PARTS = new Set(['path', 'method', 'code', 'size']);
const UNIT_MS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };

export const BEHAVIOR_COMMANDS: readonly (Command | Group)[] = [
  command('clock', 'Show the time of the sandbox, or move it forward.', {
    options: {
      advance: textOption('How far, such as 14d, 36h, 90m or 30s.'),
      to: textOption('An instant such as 2027-01-01T00:00:00Z.'),
    },
    examples: [
      'svcd sandbox clock # the time in the sandbox',
      "svcd sandbox clock --advance 14d # today's rewards become due",
    ],
    run: async (input) => {
      const move = readMove(input);
      const answer = await askSandbox<{ now: string; ahead_ms: number }>(
        input,
        move === undefined ? 'GET' : 'POST',
        '/sandbox/clock',
        move,
      );
      return printAnswer(input, answer, ({ now, ahead_ms: aheadMs }) => {
        const ahead = aheadMs === 0 ? 'the same as outside' : `${formatDuration(aheadMs)} ahead`;
        return `It is ${now} in the sandbox, ${ahead}.`;
      });
    },
  }),
  command('capability [id] [state]', 'Show the capabilities, or switch one on or off.', {
    examples: [
      'svcd sandbox capability # which are on',
      'svcd sandbox capability images.generate off # images give 503 not_enabled',
    ],
    run: async (input) => {
      const [id, state = ''] = [input.findWord('id'), input.findWord('state')];
      if (id === undefined) return listCapabilities(input);
      if (state !== 'on' && state !== 'off') {
        throw invalidArgument(`give on or off after ${id}, got ${JSON.stringify(state)}`);
      }
      return setCapability(input);
    },
  }),
  command('requests', 'List the requests it received, newest first.', {
    options: {
      limit: textOption('How many at most; 50 when not given.'),
      account: textOption('Only those of one account.'),
      path: textOption('Only those whose path begins so.'),
    },
    examples: [
      'svcd sandbox requests --path /api/v1/stickers/ # downloads, newest first',
      'svcd sandbox requests --json | jq .requests[0] # the last one',
    ],
    run: requestSandbox(
      'GET /sandbox/requests',
      ({ requests }: { requests: RequestView[] }) =>
        requests.length === 0
          ? 'There were no requests yet.'
          : formatTableWithHead(
              ['at', 'status', 'method', 'path', 'cost', 'account', 'fault'],
              requests.map(requestRow),
            ),
      {
        query: (input) => ({
          limit: input.text('limit'),
          account: input.text('account'),
          path: input.text('path'),
        }),
      },
    ),
  }),
  group('fault', 'Make requests fail.', {
    otherwise: 'list',
    commands: [
      command('list', 'List the fault rules and how often each applied.', {
        examples: ['svcd sandbox fault # the rules, and the seed to repeat them with'],
        run: requestSandbox('GET /sandbox/faults', ({ seed, faults }: { seed: number; faults: FaultView[] }) =>
          faults.length === 0
            ? 'There are no fault rules. "svcd sandbox fault add" adds one.'
            : [
                ...formatTableWithHead(['id', 'fault', 'path', 'matched', 'went wrong', 'more'], faults.map(faultRow)),
                `Seed ${seed}`,
              ],
        ),
      }),
      command('add <kind>', 'Make requests fail from now on.', {
        options: FAULT_OPTIONS,
        examples: [
          "svcd sandbox fault add reset --at-byte 500 --path '/api/v1/stickers/*' --count 3 # three downloads break off",
          'svcd sandbox fault add latency --median-ms 300 --sigma 0.8 --probability 0.2 # one answer in five is late',
          'svcd sandbox fault add no-credits --after 10 # 402 after ten requests',
          'svcd sandbox fault add status --status 502 --code bad_gateway --method POST # kinds: latency status reset black-hole wrong-length slow-body bad-json no-credits busy size',
        ],
        run: requestSandbox(
          'POST /sandbox/faults',
          ({ id, kind, path }: FaultView) => `Fault ${id}: ${kind} for ${path} from now on.`,
          { body: (input) => ({ kind: input.word('kind'), ...readFaultParts(input) }) },
        ),
      }),
      command('clear [id]', 'Remove all fault rules, or one.', {
        examples: ['svcd sandbox fault clear # all of them', 'svcd sandbox fault clear 2 # one of them'],
        run: requestSandbox(
          'DELETE /sandbox/faults/{id}',
          ({ removed }: { removed: number }) => `${formatCount(removed, 'fault rule')} removed.`,
        ),
      }),
    ],
  }),
  command('reset', 'Restart with the same seed; the catalogue stays.', {
    examples: ['svcd sandbox reset # accounts, money, time and faults as on the first day; the main Key stays'],
    run: requestSandbox(
      'POST /sandbox/reset',
      ({ seed }: { seed: number }) => `The sandbox was reset, with seed ${seed}.`,
    ),
  }),
];

const listCapabilities = requestSandbox(
  'GET /sandbox/capabilities',
  ({ capabilities }: { capabilities: Capability[] }) =>
    formatTableWithHead(
      ['capability', 'status', 'is'],
      capabilities.map(({ id, status, enabled }) => [id, status, enabled ? 'on' : 'off']),
    ),
);

const setCapability = requestSandbox(
  'PUT /sandbox/capabilities/{id}',
  (_, input) => `${input.word('id')} is ${input.word('state')}.`,
  { body: (input) => ({ enabled: input.word('state') === 'on' }) },
);

function readMove(input: Input): object | undefined {
  const [advance, to] = [input.text('advance'), input.text('to')];
  if (advance !== undefined && to !== undefined) {
    throw invalidArgument('--advance and --to exclude each other');
  }
  if (to !== undefined) return { to };
  return advance === undefined ? undefined : { advance_ms: parseDuration(advance) };
}

function parseDuration(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6}(?:\.\d{1,6})?)([dhms])$/.exec(text) ?? [];
  const ms = Number(count) * (UNIT_MS[unit] ?? NaN);
  if (count !== '' && Number.isFinite(ms)) return Math.round(ms);
  throw wrongValue('--advance', 'a duration such as 14d or 36h', text);
}

function requestRow({ at, method, path, status, code, account, cost, fault }: RequestView): string[] {
  const end = [status ?? 'none', code ?? ''].join(' ').trim();
  return [at.slice(0, 19), end, sanitize(method), sanitize(path), `${cost}`, sanitize(account ?? ''), fault ?? ''];
}

function faultRow({ id, kind, path, seen, fired, ...more }: FaultView): string[] {
  const parts = Object.entries(more).map(([name, value]) => `${name}=${String(value)}`);
  return [`${id}`, kind, path, `${seen}`, `${fired}`, parts.join(' ')];
}

function readFaultParts(input: Input): Record<string, unknown> {
  return Object.fromEntries(
    Object.keys(FAULT_OPTIONS).map((name) => [
      name.replaceAll('-', '_'),
      name === 'work' ? input.flag(name) : readFaultPart(name, input.text(name)),
    ]),
  );
}

function readFaultPart(name: string, text: string | undefined): string | number | undefined {
  if (text === undefined || TEXT_PARTS.has(name)) return text;
  if (/^-?\d{1,12}(\.\d{1,6})?$/.test(text)) return Number(text);
  throw wrongValue(`--${name}`, 'a number', text);
}
