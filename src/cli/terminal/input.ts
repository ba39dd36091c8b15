// What was typed, as a command reads it: positionals and options by name. Every error names the value.

import type { Options } from 'yargs';
import { findHome } from '../../config/find-home.js';
import { SvcdError } from '../../model/errors.js';
import { presetProblem } from '../../model/preset.js';
import { errorWords } from './error-words.js';
import { terminalWords } from './words.js';

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
  /** One of a few texts. Throws `invalid_argument` naming the value. */
  choice<T extends string>(name: string, known: readonly T[], rule?: string): T | undefined;
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
    choice: (name, known, rule) => {
      const typed = text(name);
      return typed === undefined ? undefined : oneOf(`--${name}`, typed, known, rule);
    },
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
    throw wrongValue(`--${name}`, terminalWords().trueOrFalse, value);
  }
}

function parseWhole(name: string, text: string | undefined, min: number, max: number): number | undefined {
  if (text === undefined) return undefined;
  const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (number >= min && number <= max) return number;
  throw wrongValue(name, terminalWords().whole(min, max), text);
}

function parseLimit(name: string, text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === 'none' || text === '不限') return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw wrongValue(name, terminalWords().creditsOrNone, text);
}

function placeWords(usage: string, typed: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const words = terminalWords();
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
  return invalidArgument(message, terminalWords().seeHelp(`svcd ${usage.replace(/ *[<[].*/, '')}`));
}

/** An `invalid_argument`, with what to do about it where the message does not say. */
export function invalidArgument(message: string, hint?: string, cause?: unknown): SvcdError {
  return new SvcdError('invalid_argument', message, { hint, cause });
}

/** What was typed, as one of the known texts. Throws `invalid_argument` naming it. */
export function oneOf<T extends string>(what: string, typed: string, known: readonly T[], rule?: string): T {
  const found = known.find((one) => one === typed);
  if (found !== undefined) return found;
  throw wrongValue(what, rule ?? known.join(terminalWords().or), typed);
}

/** Throws `invalid_argument` for what no preset can be. */
export function checkPreset(preset: string, say = terminalWords().badPreset, hint?: string): void {
  const problem = presetProblem(preset);
  if (problem !== undefined) throw invalidArgument(say(errorWords().translated(problem), JSON.stringify(preset)), hint);
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of a time such as 90s, 20m, 2h or 3d; undefined for another text. */
export function parseSpan(text: string): number | undefined {
  const [, count = '', unit = ''] = /^(\d{1,7}(?:\.\d{1,6})?)\s*([smhd])$/.exec(text.trim()) ?? [];
  return count === '' ? undefined : Math.round(Number(count) * (UNIT_MS[unit] ?? 0));
}

/** `WHAT must be RULE, got "VALUE"`. */
export function wrongValue(what: string, rule: string, value: unknown): SvcdError {
  return invalidArgument(terminalWords().wrongValue(what, rule, JSON.stringify(value)));
}
