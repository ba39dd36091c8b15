// The report of a failure: a sentence and what to do about it, or one line of JSON; and the exit code.

import { showsStacks } from '../config/config.js';
import { type ErrorCode, isSvcdError, systemCode } from '../model/errors.js';
import { EXIT_CODE_OF } from './exit-codes.js';
import { printNote } from './output.js';

interface Report {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** Writes an error to stderr and returns its exit code. Stacks only with SVCD_DEBUG=1. */
export function reportError(error: unknown, json: boolean): number {
  const report = reportOf(error);
  printNote(json ? JSON.stringify(report) : inWords(report));
  if (showsStacks() && error instanceof Error) printNote(stackOf(error));
  return EXIT_CODE_OF[report.code];
}

function reportOf(error: unknown): Report {
  if (isSvcdError(error)) return { code: error.code, message: error.message, hint: error.hint };
  const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  const code = systemCode(error) ?? '';
  const named = why.includes(code) ? why : `${why} (${code})`;
  return { code: 'internal', message: `svcd failed: ${named}`, hint: 'SVCD_DEBUG=1 shows where.' };
}

function inWords({ message, hint }: Report): string {
  const named = message.startsWith('svcd ') ? message : `svcd: ${message}`;
  return [named, hint].filter((line) => line !== undefined).join('\n');
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${stackOf(error.cause)}` : '';
  return `${error.stack ?? error.message}${cause}`;
}
