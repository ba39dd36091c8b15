// Errors about what was typed: exit code 2.

import { SvcdError } from '../../model/errors.js';
import { optionWords } from './option-words.js';

/** An `invalid_argument`, with what to do about it where the message does not say. */
export function invalidArgument(message: string, hint?: string, cause?: unknown): SvcdError {
  return new SvcdError('invalid_argument', message, { ...(hint !== undefined && { hint }), cause });
}

/** `WHAT must be RULE, got "VALUE"`. */
export function wrongValue(what: string, rule: string, value: unknown): SvcdError {
  return invalidArgument(optionWords().wrongValue(what, rule, JSON.stringify(value)));
}
