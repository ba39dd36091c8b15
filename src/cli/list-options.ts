// Options of commands that list stickers or words.

import { LIMIT_DEFAULT, LIMIT_MAX } from '../wire/limits.js';
import type { Command } from './command.js';

/** How much is listed; read it with `input.whole('limit', 1, LIMIT_MAX)`. */
export const LIMIT_OPTION = {
  limit: {
    type: 'string',
    requiresArg: true,
    describe: `How many to list, 1 to ${LIMIT_MAX} [${LIMIT_DEFAULT}].`,
  },
} as const satisfies Command['options'];

/** Where a page begins. */
export const OFFSET_OPTION = {
  offset: { type: 'string', requiresArg: true, describe: 'How many to pass over, for the next page.' },
} as const satisfies Command['options'];
