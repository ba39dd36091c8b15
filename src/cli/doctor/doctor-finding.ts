// What a check of the doctor finds: a code and its values. They become a sentence where it is printed, in the language of
// the reader; JSON has the English one.

import { isSvcdError } from '../../model/errors.js';
import { homeOption } from '../terminal/home-option.js';
import type { Sentences } from './doctor-sentences.js';

export type FindingCode = keyof Sentences;

export interface Finding {
  /** Which check it is: stable, as is `code`. */
  readonly name: string;
  /** `bad` keeps svcd from working; `warn` from working as well as it could. */
  readonly state: 'ok' | 'warn' | 'bad';
  readonly code: FindingCode;
  /** The values of its sentence, in the order of the table of words. */
  readonly values: readonly (string | number)[];
  /** The command that mends it, for a POSIX shell; a word in CAPITALS is the user's to fill in. */
  readonly command?: string | undefined;
}

type ValuesOf<Code extends FindingCode> = Parameters<Sentences[Code]> & readonly (string | number)[];

/** Makes findings of one check. */
export function findingsOf(name: string) {
  const make =
    (state: Finding['state']) =>
    <Code extends FindingCode>(code: Code, values: ValuesOf<Code>, command?: string): Finding => ({
      name,
      state,
      code,
      values,
      ...(command === undefined ? {} : { command }),
    });
  return { ok: make('ok'), warn: make('warn'), bad: make('bad') };
}

/** A text as one word of a POSIX shell. */
export function quote(text: string): string {
  return /^[\w@%+=:,./~-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** `svcd WORDS`, for the home that was typed. */
export function svcd(words: string): string {
  return `svcd ${words}${homeOption()}`;
}

type Found = Finding | readonly Finding[];

/** Runs a check to its end, or until it took too long. One that throws is itself a finding, a bad one of this name. */
export async function runCheck(name: string, limitMs: number, check: () => Found | Promise<Found>): Promise<Finding[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Finding>((resolve) => {
    timer = setTimeout(() => resolve(findingsOf(name).bad('check_unfinished', [limitMs / 1000])), limitMs);
  });
  try {
    return [await Promise.race([Promise.resolve().then(check), late])].flat();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [findingsOf(name).bad('check_failed', [message, (isSvcdError(error) ? error.hint : undefined) ?? ''])];
  } finally {
    clearTimeout(timer);
  }
}
