// svcd sandbox clock

import { SvcdError } from '../../model/errors.js';
import { HOME_OPTION, type Command } from '../command.js';
import type { Input } from '../input.js';
import { printJson, printLines } from '../output.js';
import { askSandbox } from '../sandbox-client.js';
import type { ClockView } from '../sandbox-view.js';
import { spanOf } from '../duration.js';

export const sandboxClockCommand: Command = {
  options: {
    ...HOME_OPTION,
    advance: { type: 'string', requiresArg: true, describe: 'How far, such as 14d, 36h, 90m or 30s.' },
    to: { type: 'string', requiresArg: true, describe: 'An instant such as 2027-01-01T00:00:00Z.' },
  },
  examples: [
    ['svcd sandbox clock', 'what time it is in the sandbox'],
    ['svcd sandbox clock --advance 14d', 'rewards of today are due'],
  ],
  run: async (input) => {
    const move = readMove(input);
    const answer = await (move === undefined
      ? askSandbox(input, 'GET', '/sandbox/clock')
      : askSandbox(input, 'POST', '/sandbox/clock', move));
    if (input.json) return printJson(answer);
    const { now, ahead_ms: aheadMs } = answer as ClockView;
    const ahead = aheadMs === 0 ? 'as everywhere' : `${spanOf(aheadMs)} ahead`;
    return printLines(`It is ${now} in the sandbox, ${ahead}.`);
  },
};

const UNIT_MS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };

function readMove(input: Input): object | undefined {
  const [advance, to] = [input.text('advance'), input.text('to')];
  if (advance !== undefined && to !== undefined) {
    throw new SvcdError('invalid_argument', '--advance and --to exclude each other');
  }
  if (to !== undefined) return { to };
  return advance === undefined ? undefined : { advance_ms: parseSpan(advance) };
}

function parseSpan(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6}(?:\.\d{1,6})?)([dhms])$/.exec(text) ?? [];
  const ms = Number(count) * (UNIT_MS[unit] ?? NaN);
  if (count !== '' && Number.isFinite(ms)) return Math.round(ms);
  throw new SvcdError(
    'invalid_argument',
    `--advance must be a span such as 14d or 36h, got ${JSON.stringify(text)}`,
  );
}
