// svcd sandbox fault add

import type { Options } from 'yargs';
import { SvcdError } from '../../model/errors.js';
import { HOME_OPTION, type Command } from '../command.js';
import type { Input } from '../input.js';
import { printJson, printLines } from '../output.js';
import { askSandbox } from '../sandbox-client.js';
import type { FaultView } from '../sandbox-view.js';

const option = (describe: string): Options => ({ type: 'string', requiresArg: true, describe });

/** Names as on the wire, with dashes; the sandbox says what goes with which kind. */
const PART_OPTIONS: Readonly<Record<string, Options>> = {
  path: option('Only paths like this, * standing for anything.'),
  method: option('Only this method.'),
  count: option('How often at most.'),
  after: option('How many requests pass before.'),
  probability: option('How likely, from 0 to 1.'),
  ms: option('latency: milliseconds, always the same.'),
  'median-ms': option('latency: milliseconds in the middle of a log-normal spread.'),
  sigma: option('latency: how wide that spread is (0.5).'),
  status: option('status: 300 to 599.'),
  code: option('status: the code of the refusal.'),
  'retry-after-s': option('status, busy: seconds.'),
  'at-byte': option('reset: after so many bytes of the body; without it before the headers.'),
  by: option('wrong-length: so many bytes more than there are, or less.'),
  'bytes-per-s': option('slow-body: how slow.'),
  size: option('size: which, such as 1024x1024; without it any but the one asked for.'),
  work: { type: 'boolean', describe: 'reset, black-hole: do the work, and charge for it, before.' },
};
const WORDS = new Set(['path', 'method', 'code', 'size']);

export const sandboxFaultAddCommand: Command = {
  options: { ...HOME_OPTION, ...PART_OPTIONS },
  examples: [
    [
      "svcd sandbox fault add reset --at-byte 500 --path '/api/v1/stickers/*' --count 3",
      'three downloads break off',
    ],
    [
      'svcd sandbox fault add latency --median-ms 300 --sigma 0.8 --probability 0.2',
      'one answer in five is late',
    ],
    ['svcd sandbox fault add no-credits --after 10', '402 after ten requests'],
    [
      'svcd sandbox fault add status --status 502 --code bad_gateway --method POST',
      'kinds: latency status reset black-hole wrong-length slow-body bad-json no-credits busy size',
    ],
  ],
  run: async (input) => {
    const body = { kind: input.word('kind'), ...readParts(input) };
    const fault = (await askSandbox(input, 'POST', '/sandbox/faults', body)) as FaultView;
    if (input.json) return printJson(fault);
    return printLines(`Fault ${fault.id}: ${fault.kind} for ${fault.path} from now on.`);
  },
};

function readParts(input: Input): Record<string, unknown> {
  const parts: Record<string, unknown> = {};
  for (const name of Object.keys(PART_OPTIONS)) {
    const value = name === 'work' ? input.flag(name) : readPart(name, input.text(name));
    if (value !== undefined) parts[name.replaceAll('-', '_')] = value;
  }
  return parts;
}

function readPart(name: string, text: string | undefined): string | number | undefined {
  if (text === undefined || WORDS.has(name)) return text;
  if (/^-?\d{1,12}(\.\d{1,6})?$/.test(text)) return Number(text);
  throw new SvcdError('invalid_argument', `--${name} must be a number, got ${JSON.stringify(text)}`);
}
