// What is said when a command line cannot be understood.

import { SvcdError, isSvcdError } from '../model/errors.js';
import { nameOf, type Entry } from './command.js';
import { findNearest } from './nearest.js';

/** The parser's complaint in our words; an error of our own stays as it is. `path` and `options` say where. */
export function explainUsageError(error: unknown, path: string, options: readonly string[]): unknown {
  if (isSvcdError(error) || !(error instanceof Error)) return error;
  const [, unknown] = /^Unknown arguments?: ([^,]+)/.exec(error.message) ?? [];
  const [, incomplete] = /following: (.+)$/.exec(error.message) ?? [];
  if (unknown !== undefined) return unknownOption(unknown, path, options);
  const message = incomplete === undefined ? error.message : `${dashed(incomplete)} needs a value`;
  return new SvcdError('invalid_argument', message, { cause: error, hint: seeHelp(path) });
}

/** The error of a command that is none, with the one that was probably meant. */
export function unknownCommand(typed: string, entries: readonly Entry[], path: string): SvcdError {
  const names = entries.map(nameOf);
  const called = `${path} ${typed}`.replace('svcd ', '');
  const message = `there is no command ${JSON.stringify(called)}${meant(findNearest(typed, names))}`;
  return new SvcdError('invalid_argument', message, { hint: listed(names, path) });
}

/** The error of a group called without one of its commands. */
export function missingCommand(entries: readonly Entry[], path: string): SvcdError {
  return new SvcdError('invalid_argument', `${path} needs a command`, {
    hint: listed(entries.map(nameOf), path),
  });
}

function unknownOption(typed: string, path: string, options: readonly string[]): SvcdError {
  const nearest = findNearest(typed, options);
  const message = `${path} has no option ${dashed(typed)}${meant(nearest === undefined ? undefined : dashed(nearest))}`;
  return new SvcdError('invalid_argument', message, { hint: seeHelp(path) });
}

function dashed(option: string): string {
  return option.length === 1 ? `-${option}` : `--${option}`;
}

function meant(name: string | undefined): string {
  return name === undefined ? '' : `; did you mean ${name}?`;
}

function seeHelp(path: string): string {
  return `See "${path} --help".`;
}

function listed(names: readonly string[], path: string): string {
  return `Commands: ${names.join(', ')}. ${seeHelp(path)}`;
}
