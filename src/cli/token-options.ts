// What a new token may do, as it is typed.

import type { Options } from 'yargs';
import { SvcdError } from '../model/errors.js';
import { PERMISSIONS, USUAL_PERMISSIONS, type Permission } from '../model/spender.js';
import type { Input } from './input.js';

export const ONLY_OPTION = {
  only: {
    type: 'string',
    requiresArg: true,
    describe: `What for, of ${PERMISSIONS.join(', ')}, with commas [${USUAL_PERMISSIONS.join(',')}].`,
  },
} as const satisfies Record<string, Options>;

const CREDITS_MAX = 1_000_000_000;

/** `--only`, undefined when it was not given. Throws `invalid_argument` naming the word. */
export function readOnly(input: Input): Permission[] | undefined {
  const typed = input.list('only').flatMap((text) => text.split(',').map((word) => word.trim()));
  if (typed.length === 0) return undefined;
  return typed.map((word) => {
    const known = PERMISSIONS.find((one) => one === word);
    if (known !== undefined) return known;
    const rule = `--only must name some of ${PERMISSIONS.join(', ')}`;
    throw new SvcdError('invalid_argument', `${rule}, got ${JSON.stringify(word)}`);
  });
}

/** A number of credits. Throws `invalid_argument`. */
export function readCredits(input: Input, name: string): number | undefined {
  return input.whole(name, 0, CREDITS_MAX - 1);
}
