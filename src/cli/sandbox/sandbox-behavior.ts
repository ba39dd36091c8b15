// svcd sandbox clock, capability, requests, fault and reset: how the sandbox behaves.

import type { Options } from 'yargs';
import type { Capability } from '../../contract/capability.js';
import { SvcdError } from '../../model/errors.js';
import type { AccountView, FaultView, RequestView } from '../../sandbox/control/control-routes.js';
import { command, type Command, group, type Group, switchOption, textOption } from '../command.js';
import { formatCount, formatDuration, formatTableWithHead, sanitize } from '../terminal/format.js';
import type { Input } from '../terminal/input.js';
import { invalidArgument, wrongValue } from '../terminal/invalid-argument.js';
import { printAnswer } from '../terminal/output.js';
import { askSandbox, requestSandbox } from './sandbox-client.js';
import { agrees } from '../terminal/terminal-input.js';
import { sandboxWords } from './words.js';

const words = sandboxWords();
const { fault: faultWords } = words;

/** Parts of a fault rule, as the control surface names them, with dashes. The sandbox checks which kind takes which. */
const FAULT_OPTIONS: Readonly<Record<string, Options>> = {
  ...Object.fromEntries(Object.entries(faultWords.options).map(([name, what]) => [name, textOption(what)])),
  work: switchOption(faultWords.options.work),
};
const TEXT_PARTS = new Set(['path', 'method', 'code', 'size']);
const UNIT_MS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };

export const BEHAVIOR_COMMANDS: readonly (Command | Group)[] = [
  command('clock', words.clock.what, {
    options: {
      advance: textOption(words.clock.advance),
      to: textOption(words.clock.to),
    },
    examples: words.clock.examples,
    run: async (input) => {
      const move = readMove(input);
      const answer = await askSandbox<{ now: string; ahead_ms: number }>(
        input,
        move === undefined ? 'GET' : 'POST',
        '/sandbox/clock',
        move,
      );
      return printAnswer(input, answer, ({ now, ahead_ms: aheadMs }) =>
        aheadMs === 0 ? words.clock.same(now) : words.clock.ahead(now, formatDuration(aheadMs)),
      );
    },
  }),
  command('capability [id] [state]', words.capability.what, {
    examples: words.capability.examples,
    run: async (input) => {
      const [id, state = ''] = [input.findWord('id'), input.findWord('state')];
      if (id === undefined) return listCapabilities(input);
      if (state !== 'on' && state !== 'off') {
        throw invalidArgument(words.capability.rule(id, JSON.stringify(state)));
      }
      return setCapability(input);
    },
  }),
  command('requests', words.requests.what, {
    options: {
      limit: textOption(words.requests.limit),
      account: textOption(words.requests.account),
      path: textOption(words.requests.path),
    },
    examples: words.requests.examples,
    run: requestSandbox(
      'GET /sandbox/requests',
      ({ requests }: { requests: RequestView[] }) =>
        requests.length === 0
          ? words.requests.none
          : formatTableWithHead(words.requests.head, requests.map(requestRow)),
      {
        query: (input) => ({
          limit: input.text('limit'),
          account: input.text('account'),
          path: input.text('path'),
        }),
      },
    ),
  }),
  group('fault', faultWords.what, {
    otherwise: 'list',
    commands: [
      command('list', faultWords.list, {
        examples: faultWords.listExamples,
        run: requestSandbox('GET /sandbox/faults', ({ seed, faults }: { seed: number; faults: FaultView[] }) =>
          faults.length === 0
            ? faultWords.none
            : [...formatTableWithHead(faultWords.head, faults.map(faultRow)), faultWords.seed(seed)],
        ),
      }),
      command('add <kind>', faultWords.add, {
        options: FAULT_OPTIONS,
        examples: faultWords.addExamples,
        run: requestSandbox(
          'POST /sandbox/faults',
          ({ id, kind, path }: FaultView) => faultWords.added(id, kind, path),
          { body: (input) => ({ kind: input.word('kind'), ...readFaultParts(input) }) },
        ),
      }),
      command('clear [id]', faultWords.clear, {
        examples: faultWords.clearExamples,
        run: requestSandbox('DELETE /sandbox/faults/{id}', ({ removed }: { removed: number }) =>
          faultWords.cleared(formatCount(removed, 'fault rule')),
        ),
      }),
    ],
  }),
  command('reset', words.reset.what, {
    options: { yes: switchOption(words.reset.yes) },
    examples: words.reset.examples,
    run: async (input) => {
      await confirmReset(input);
      return reset(input);
    },
  }),
];

const reset = requestSandbox('POST /sandbox/reset', ({ seed }: { seed: number }) => words.reset.done(seed));

/** A script is not asked: it is play money, and scripts that reset between two tests were there before the question. */
async function confirmReset(input: Input): Promise<void> {
  if (input.flag('yes') === true || !process.stdin.isTTY) return;
  const { accounts } = await askSandbox<{ accounts: AccountView[] }>(input, 'GET', '/sandbox/accounts');
  if (!(await agrees(words.reset.question(accounts.length)))) throw new SvcdError('interrupted', words.reset.kept);
}

const listCapabilities = requestSandbox(
  'GET /sandbox/capabilities',
  ({ capabilities }: { capabilities: Capability[] }) =>
    formatTableWithHead(
      words.capability.head,
      capabilities.map(({ id, status, enabled }) => [id, status, enabled ? words.capability.on : words.capability.off]),
    ),
);

const setCapability = requestSandbox(
  'PUT /sandbox/capabilities/{id}',
  (_, input) => words.capability.isNow(input.word('id'), input.word('state') === 'on'),
  { body: (input) => ({ enabled: input.word('state') === 'on' }) },
);

function readMove(input: Input): object | undefined {
  const [advance, to] = [input.text('advance'), input.text('to')];
  if (advance !== undefined && to !== undefined) {
    throw invalidArgument(words.clock.both);
  }
  if (to !== undefined) return { to };
  return advance === undefined ? undefined : { advance_ms: parseDuration(advance) };
}

function parseDuration(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6}(?:\.\d{1,6})?)([dhms])$/.exec(text) ?? [];
  const ms = Number(count) * (UNIT_MS[unit] ?? NaN);
  if (count !== '' && Number.isFinite(ms)) return Math.round(ms);
  throw wrongValue('--advance', words.clock.rule, text);
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
  throw wrongValue(`--${name}`, faultWords.number, text);
}
