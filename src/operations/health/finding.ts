// What a check finds: a code and its values. They become a sentence in the language of who asks (words.ts).

import { isSvcdError } from '../../model/errors.js';
import type { FindingCode } from './words.js';

export interface Finding {
  /** Which check it is: stable, as is `code`. */
  readonly name: string;
  /** `bad` keeps svcd from working; `warn` from working as well as it could. */
  readonly status: 'ok' | 'warn' | 'bad';
  readonly code: FindingCode;
  /** The values of its sentence, by their numbers in it. */
  readonly values: readonly (string | number)[];
  /** The command that mends it, for a POSIX shell; a word in CAPITALS is the user's to fill in. */
  readonly command?: string | undefined;
}

/** What a check comes to; empty where it has nothing to look at. */
export type Found = Finding | readonly Finding[];

/** Makes findings of one check. */
export function findingsOf(name: string) {
  const make =
    (status: Finding['status']) =>
    (code: FindingCode, values: Finding['values'] = [], command?: string): Finding => ({
      name,
      status,
      code,
      values,
      command,
    });
  return { ok: make('ok'), warn: make('warn'), bad: make('bad') };
}

/** A text as one word of a POSIX shell. */
export function quote(text: string): string {
  return /^[\w@%+=:,./~-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Runs a check to its end, or until it took too long. One that throws is itself a finding, a bad one of this name. */
export async function runCheck(name: string, limitMs: number, check: () => Found | Promise<Found>): Promise<Finding[]> {
  const { bad } = findingsOf(name);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Finding>((resolve) => {
    timer = setTimeout(() => resolve(bad('check_unfinished', [limitMs / 1000])), limitMs);
  });
  try {
    return [await Promise.race([Promise.resolve().then(check), late])].flat();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [bad('check_failed', [message, (isSvcdError(error) ? error.hint : undefined) ?? ''])];
  } finally {
    clearTimeout(timer);
  }
}
