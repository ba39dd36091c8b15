// The limits of a sandbox's Key, as they are typed.

import { SvcdError } from '../errors.js';
import type { Input } from './input.js';

const OPTIONS = { request: 'per_request', day: 'daily', month: 'monthly' } as const;

/** The limits that were typed, by their names on the wire; null for `none`. Throws `invalid_argument`. */
export function readKeyLimits(input: Input): { limits?: Record<string, number | null> } {
  const limits: Record<string, number | null> = {};
  for (const [option, name] of Object.entries(OPTIONS)) {
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
