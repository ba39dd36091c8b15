// Errors about a command line that cannot be parsed, with the name that was probably meant.

import { type SvcdError, isSvcdError, systemCode } from '../../model/errors.js';
import { nameOf, type Row } from '../command.js';
import { meantElsewhere, OLD_NAMES } from '../other-names.js';
import { invalidArgument } from './input.js';
import { countEdits } from '../../platform/nearest-name.js';
import { terminalWords } from './words.js';

/** The parser's error in our words; an error of our own stays as it is. `path` and `options` say where. */
export function explainUsageError(error: unknown, path: string, options: readonly string[]): unknown {
  // What the system refuses while a command is loaded is not about what was typed.
  if (isSvcdError(error) || !(error instanceof Error) || systemCode(error) !== undefined) return error;
  const [, unknown] = /^Unknown arguments?: ([^,]+)/.exec(error.message) ?? [];
  const [, incomplete] = /following: (.+)$/.exec(error.message) ?? [];
  if (unknown !== undefined) return unknownOption(unknown, path, options);
  if (incomplete === undefined) return invalidArgument(error.message, seeHelp(path), error);
  const words = terminalWords();
  // What follows a bare # is a remark for the shell, and never came.
  const hint = incomplete === 'color' ? words.valueAfterHash : seeHelp(path);
  return invalidArgument(words.needsValue(dashed(incomplete)), hint, error);
}

/** The error for a command that does not exist below `path`; `all` are those of svcd itself. */
export function unknownCommand(typed: string, entries: readonly Row[], path: string, all = entries): SvcdError {
  const called = `${path} ${typed}`.replace('svcd ', '');
  // A hub is stopped as any daemon: "svcd hub stop" means "svcd stop".
  const isAbove = entries !== all && all.map(nameOf).includes(typed);
  const meant = isAbove ? [typed] : entries === all ? meantBy(typed, entries) : undefined;
  const message = terminalWords().noCommand(
    JSON.stringify(called),
    meant === undefined ? didYouMean(typed, entries.map(nameOf)) : quoted(meant),
  );
  return invalidArgument(message, entries === all ? seeHelp(path) : listed(entries, path));
}

/** At most two commands of svcd itself that a word may mean: as other programs call them, else the nearest names. */
function meantBy(typed: string, entries: readonly Row[]): readonly string[] {
  const elsewhere = meantElsewhere(typed);
  if (elsewhere.length > 0) return elsewhere;
  const near = nearest(typed, [...entries.map(nameOf), ...Object.keys(OLD_NAMES)]);
  return near.slice(0, 2).map((name) => OLD_NAMES[name] ?? name);
}

function quoted(commands: readonly string[]): string {
  if (commands.length === 0) return '';
  return terminalWords().didYouMean(commands.map((one) => `"svcd ${one}"`).join(terminalWords().or));
}

/** The error for a group called without one of its commands. */
export function missingCommand(entries: readonly Row[], path: string): SvcdError {
  return invalidArgument(terminalWords().needsCommand(path), listed(entries, path));
}

/** `; did you mean X?` with the known name nearest to what was typed, or nothing when none is near. */
export function didYouMean(typed: string, known: readonly string[], show = (name: string) => name): string {
  const [name] = nearest(typed, known);
  return name === undefined ? '' : terminalWords().didYouMean(show(name));
}

/** Those of the known names that may have been meant, the nearest first; also those that begin with what was typed. */
function nearest(typed: string, known: readonly string[]): string[] {
  const word = typed.toLowerCase();
  const reach = Math.max(1, Math.floor(typed.length / 3));
  return known
    .map((name) => ({ name, edits: countEdits(word, name), begins: word.length > 2 && name.startsWith(word) }))
    .filter(({ edits, begins }) => edits <= reach || begins)
    .toSorted((a, b) => a.edits - b.edits)
    .map(({ name }) => name);
}

function unknownOption(typed: string, path: string, options: readonly string[]): SvcdError {
  const message = terminalWords().noOption(path, dashed(typed), didYouMean(typed, options, dashed));
  return invalidArgument(message, seeHelp(path));
}

function dashed(option: string): string {
  return option.length === 1 ? `-${option}` : `--${option}`;
}

function seeHelp(path: string): string {
  return terminalWords().seeHelp(path);
}

function listed(entries: readonly Row[], path: string): string {
  return `${terminalWords().commands(entries.map(nameOf).join(', '))} ${seeHelp(path)}`;
}
