// What was typed, as a command reads it: positionals and options by name. Every error names the value.

import type { Options } from 'yargs';
import { findHome } from '../../config/find-home.js';
import type { SvcdError } from '../../model/errors.js';
import { invalidArgument, wrongValue } from './invalid-argument.js';
import { inputWords } from './input-words.js';

export interface Input {
  /** A positional that the usage demands. */
  word(name: string): string;
  findWord(name: string): string | undefined;
  /** Values of a positional that takes several. */
  words(name: string): readonly string[];
  /** An option's text; the last one when it was repeated. */
  text(name: string): string | undefined;
  /** A switch; undefined when it was not given. */
  flag(name: string): boolean | undefined;
  /** All texts of an option that may be repeated. */
  list(name: string): readonly string[];
  /** A whole number. Throws `invalid_argument` naming the value. */
  whole(name: string, min: number, max: number): number | undefined;
  /** A limit in credits; null for `none`. Throws `invalid_argument` naming the value. */
  limit(name: string): number | null | undefined;
  /** The home folder that --home, the environment or the system names. */
  home(): Promise<string>;
  /** Whether the answer is for a program. */
  readonly json: boolean;
  /** Whether the sandbox answered, as the client finds out; the printed answer says so. */
  readonly answeredBy: { sandbox: boolean };
}

/** What the parser found: `words` are those after the command's name. */
export interface Parsed {
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

/** Reads what was parsed for a command of this usage. Throws `invalid_argument` for missing and surplus words. */
export function createInput(usage: string, { words, options }: Parsed): Input {
  const placed = placeWords(usage, words);
  const last = (name: string): unknown => [options[name]].flat().at(-1);
  const text = (name: string) => {
    const value = last(name);
    return typeof value === 'string' ? value : undefined;
  };
  const flag = (name: string) => {
    const value = last(name);
    return typeof value === 'boolean' ? value : undefined;
  };
  return {
    word: (name) => placed.get(name)?.[0] ?? '',
    findWord: (name) => placed.get(name)?.[0],
    words: (name) => placed.get(name) ?? [],
    text,
    flag,
    list: (name) => [options[name] ?? []].flat().map(String),
    whole: (name, min, max) => parseWhole(`--${name}`, text(name), min, max),
    limit: (name) => parseLimit(`--${name}`, text(name)),
    home: () => findHome({ home: text('home') }),
    json: flag('json') ?? false,
    answeredBy: { sandbox: false },
  };
}

/** Throws `invalid_argument` for a switch given as `--name=value` with a value that is neither true nor false. */
export function checkSwitches(options: Readonly<Record<string, Options>>, args: readonly string[]): void {
  for (const arg of args) {
    if (arg === '--') return;
    const [, name = '', value] = /^--([^=]+)=(.*)$/s.exec(arg) ?? [];
    // The parser would read every other value as false.
    if (options[name]?.type !== 'boolean' || value === 'true' || value === 'false') continue;
    throw wrongValue(`--${name}`, inputWords().trueOrFalse, value);
  }
}

function parseWhole(name: string, text: string | undefined, min: number, max: number): number | undefined {
  if (text === undefined) return undefined;
  const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (number >= min && number <= max) return number;
  throw wrongValue(name, inputWords().whole(min, max), text);
}

function parseLimit(name: string, text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === 'none') return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw wrongValue(name, inputWords().creditsOrNone, text);
}

function placeWords(usage: string, typed: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const words = inputWords();
  const placed = new Map<string, readonly string[]>();
  let rest = typed;
  for (const [, name = '', several = ''] of usage.matchAll(/[<[]([\w-]+)(\.\.)?[>\]]/g)) {
    const taken = several === '' ? rest.slice(0, 1) : rest;
    rest = rest.slice(taken.length);
    if (taken.length > 0) placed.set(name, taken);
    else if (usage.includes(`<${name}`)) throw misused(usage, words.missing(name.toUpperCase(), usage));
  }
  if (rest.length > 0) throw misused(usage, words.unexpected(JSON.stringify(rest[0]), usage));
  return placed;
}

function misused(usage: string, message: string): SvcdError {
  return invalidArgument(message, inputWords().seeHelp(usage.replace(/ *[<[].*/, '')));
}
