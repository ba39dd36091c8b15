// The report of a failure: a sentence and what to do about it, or one line of JSON; and the exit code.

import { showsStacks } from '../../config/environment.js';
import { type ErrorCode, isSvcdError, systemCode } from '../../model/errors.js';
import { EXIT_CODE_OF } from './exit-codes.js';
import { namingHome, sanitize } from './format.js';
import { printNote, printProgramNote } from './output.js';
import { errorWords } from './error-words.js';

interface Report {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** Writes an error to stderr and returns its exit code. Stacks only with SVCD_DEBUG=1. */
export function reportError(error: unknown, json: boolean): number {
  const report = reportOf(error);
  if (json) printProgramNote(escapeJson(withHome(report)));
  else printNote(inWords(report));
  if (showsStacks() && error instanceof Error) printNote(sanitizeLines(stackOf(error)));
  return EXIT_CODE_OF[report.code];
}

function reportOf(error: unknown): Report {
  if (isSvcdError(error)) {
    const { code, message, hint } = error;
    return { code, message, hint };
  }
  const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  const code = systemCode(error) ?? '';
  const { tooManyFiles, tooManyFilesHint } = errorWords();
  if (code === 'EMFILE' || code === 'ENFILE') {
    return { code: 'internal', message: tooManyFiles(why), hint: tooManyFilesHint };
  }
  const named = why.includes(code) ? why : `${why} (${code})`;
  return { code: 'internal', message: errorWords().failed(named), hint: errorWords().debug };
}

function withHome({ code, message, hint }: Report): Report {
  return { code, message: namingHome(message), hint: hint === undefined ? undefined : namingHome(hint) };
}

function inWords({ code, message: said, hint: advice }: Report): string {
  const words = errorWords();
  // Twins are found by the text as it was written, without the home that was typed.
  const { message, hint } = withHome({
    code,
    message: words.translated(said),
    hint: advice?.split('\n').map(words.translated).join('\n'),
  });
  const headline = isInChinese(message) ? undefined : words.headline(code);
  const named = headline === undefined && message.startsWith('svcd ') ? message : `svcd: ${headline ?? message}`;
  // A code of the system never stands alone.
  const [, system = ''] = /[(（](E[A-Z]+)[)）]/.exec(message) ?? [];
  const meaning = words.ofSystem(system);
  const lines = [
    named,
    ...(headline === undefined ? [] : [message]),
    ...(meaning === undefined ? [] : [`${system}: ${meaning}`]),
  ];
  // What was typed or answered may be in all of them, and must not reach the terminal as a command.
  return [...lines.map(sanitize), ...(hint === undefined ? [] : [sanitizeLines(hint)])].join('\n');
}

/** Whether the sentence is, whatever values it quotes: those that are made in this room need no headline. */
function isInChinese(message: string): boolean {
  return /\p{Script=Han}/u.test(message.replace(/"[^"]*"/g, ''));
}

function sanitizeLines(text: string): string {
  return text.split('\n').map(sanitize).join('\n');
}

/** JSON leaves C1 controls and what turns the direction of text as they are; escaped they mean the same to a program. */
function escapeJson(value: unknown): string {
  const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (found) => found.split('').map(escape).join(''));
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${stackOf(error.cause)}` : '';
  return `${error.stack ?? error.message}${cause}`;
}
