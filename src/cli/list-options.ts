// Options of commands that list stickers or words.

import { LIMIT_DEFAULT, LIMIT_MAX } from '../contract/limits.js';
import type { Command } from './command.js';
import type { Input } from './input.js';

/** How much is listed; read by `limitOf`. */
export const LIMIT_OPTION = {
  limit: {
    type: 'string',
    requiresArg: true,
    describe: `How many to list, 1 to ${LIMIT_MAX} [${LIMIT_DEFAULT}].`,
  },
} as const satisfies Command['options'];

/** How many were asked for. Throws `invalid_argument`. */
export function limitOf(input: Input): number {
  return input.whole('limit', 1, LIMIT_MAX) ?? LIMIT_DEFAULT;
}

/** Where a page begins. */
export const OFFSET_OPTION = {
  offset: { type: 'string', requiresArg: true, describe: 'How many to pass over, for the next page.' },
} as const satisfies Command['options'];
