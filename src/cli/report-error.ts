// How a failure is told: a sentence and what to do about it, or one line of JSON; and the exit code it ends with.

import { showsStacks } from '../config/config.js';
import { isSvcdError, systemCode, type ErrorCode } from '../model/errors.js';
import { EXIT_CODE_OF } from './exit-codes.js';
import { note } from './output.js';

interface Told {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** Tells an error on stderr and returns the exit code it stands for. Stacks only with SVCD_DEBUG=1. */
export function reportError(error: unknown, json: boolean): number {
  const told = tell(error);
  note(json ? JSON.stringify(told) : inWords(told));
  if (showsStacks() && error instanceof Error) note(stackOf(error));
  return EXIT_CODE_OF[told.code];
}

function tell(error: unknown): Told {
  if (isSvcdError(error)) return { code: error.code, message: error.message, hint: error.hint };
  const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  const code = systemCode(error) ?? '';
  const named = why.includes(code) ? why : `${why} (${code})`;
  return { code: 'internal', message: `svcd failed: ${named}`, hint: 'SVCD_DEBUG=1 shows where.' };
}

function inWords({ message, hint }: Told): string {
  const named = message.startsWith('svcd ') ? message : `svcd: ${message}`;
  return [named, hint].filter((line) => line !== undefined).join('\n');
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${stackOf(error.cause)}` : '';
  return `${error.stack ?? error.message}${cause}`;
}
