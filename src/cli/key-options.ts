// What a sandbox's Key may do and spend, as it is typed.

import type { Options } from 'yargs';
import { SvcdError } from '../model/errors.js';
import type { Input } from './input.js';

/** The options of every command that says what a Key may. */
export const KEY_OPTIONS = {
  request: { type: 'string', requiresArg: true, describe: 'Credits a request may cost, or none.' },
  day: { type: 'string', requiresArg: true, describe: 'Credits a day, or none.' },
  month: { type: 'string', requiresArg: true, describe: 'Credits a calendar month, or none.' },
  permissions: {
    type: 'string',
    requiresArg: true,
    describe: 'For music: music.search,assets.read,assets.write, or none.',
  },
} as const satisfies Record<string, Options>;

const LIMITS = { request: 'per_request', day: 'daily', month: 'monthly' } as const;

/** The limits and permissions that were typed, by their names on the wire. Throws `invalid_argument`. */
export function readKeyOptions(input: Input): {
  limits?: Record<string, number | null>;
  permissions?: string[];
} {
  const told = input.text('permissions');
  const names = told === 'none' ? [] : told?.split(',').map((name) => name.trim());
  return { ...limitsIn(input), ...(names === undefined ? {} : { permissions: names }) };
}

/** Null for `none`. */
function limitsIn(input: Input): { limits?: Record<string, number | null> } {
  const limits: Record<string, number | null> = {};
  for (const [option, name] of Object.entries(LIMITS)) {
    const text = input.text(option);
    if (text !== undefined) limits[name] = parseLimit(option, text);
  }
  return Object.keys(limits).length === 0 ? {} : { limits };
}

function parseLimit(option: string, text: string): number | null {
  if (text === 'none') return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new SvcdError(
    'invalid_argument',
    `--${option} must be a whole number of credits or none, got ${JSON.stringify(text)}`,
  );
}
