// Errors about a command line that cannot be parsed, with the name that was probably meant.

import { type SvcdError, isSvcdError, systemCode } from '../../model/errors.js';
import { nameOf, type Row } from '../command.js';
import { invalidArgument } from './invalid-argument.js';
import { optionWords } from './option-words.js';

/** The parser's error in our words; an error of our own stays as it is. `path` and `options` say where. */
export function explainUsageError(error: unknown, path: string, options: readonly string[]): unknown {
  // What the system refuses while a command is loaded is not about what was typed.
  if (isSvcdError(error) || !(error instanceof Error) || systemCode(error) !== undefined) return error;
  const [, unknown] = /^Unknown arguments?: ([^,]+)/.exec(error.message) ?? [];
  const [, incomplete] = /following: (.+)$/.exec(error.message) ?? [];
  if (unknown !== undefined) return unknownOption(unknown, path, options);
  if (incomplete === undefined) return invalidArgument(error.message, seeHelp(path), error);
  const words = optionWords();
  // What follows a bare # is a remark for the shell, and never came.
  const hint = incomplete === 'color' ? words.valueAfterHash : seeHelp(path);
  return invalidArgument(words.needsValue(dashed(incomplete)), hint, error);
}

/** The error for a command that does not exist below `path`; `all` are those of svcd itself. */
export function unknownCommand(typed: string, entries: readonly Row[], path: string, all = entries): SvcdError {
  const called = `${path} ${typed}`.replace('svcd ', '');
  // A hub is stopped as any daemon: "svcd hub stop" means "svcd stop".
  const isAbove = entries !== all && all.map(nameOf).includes(typed);
  const meant = isAbove ? optionWords().didYouMean(`"svcd ${typed}"`) : didYouMean(typed, entries.map(nameOf));
  const message = optionWords().noCommand(JSON.stringify(called), meant);
  return invalidArgument(message, listed(entries, path));
}

/** The error for a group called without one of its commands. */
export function missingCommand(entries: readonly Row[], path: string): SvcdError {
  return invalidArgument(optionWords().needsCommand(path), listed(entries, path));
}

/** `; did you mean X?` with the known name nearest to what was typed, or nothing when none is near. */
export function didYouMean(typed: string, known: readonly string[], show = (name: string) => name): string {
  const [nearest] = known
    .map((name) => ({ name, edits: countEdits(typed.toLowerCase(), name) }))
    .toSorted((a, b) => a.edits - b.edits);
  const isNear = nearest !== undefined && nearest.edits <= Math.max(1, Math.floor(typed.length / 3));
  return isNear ? optionWords().didYouMean(show(nearest.name)) : '';
}

function unknownOption(typed: string, path: string, options: readonly string[]): SvcdError {
  const message = optionWords().noOption(path, dashed(typed), didYouMean(typed, options, dashed));
  return invalidArgument(message, seeHelp(path));
}

function dashed(option: string): string {
  return option.length === 1 ? `-${option}` : `--${option}`;
}

function seeHelp(path: string): string {
  return optionWords().seeHelp(path);
}

function listed(entries: readonly Row[], path: string): string {
  return `${optionWords().commands(entries.map(nameOf).join(', '))} ${seeHelp(path)}`;
}

/** Damerau-Levenshtein distance: fewest letters to change, add, drop, or swap with a neighbor. */
export function countEdits(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, i) => i)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Infinity;
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= to.length; j++) {
      const swapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1] ? at(i - 2, j - 2) + 1 : Infinity;
      const changed = at(i - 1, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      row.push(Math.min(changed, at(i - 1, j) + 1, at(i, j - 1) + 1, swapped));
    }
  }
  return at(from.length, to.length);
}
