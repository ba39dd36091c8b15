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

/** What a check tells: a finding of its own name, unless it says another. */
export type Told = Omit<Finding, 'name'> & Partial<Pick<Finding, 'name'>>;

/** What a check comes to; empty where it has nothing to look at. */
export type Found = Told | readonly Told[];

const telling =
  (status: Finding['status']) =>
  (code: FindingCode, values: Finding['values'] = [], command?: string): Told => ({ status, code, values, command });
export const ok = telling('ok');
export const warn = telling('warn');
export const bad = telling('bad');

/** Runs a check to its end, or until it took too long. One that throws is itself a finding, a bad one of this name. */
export async function runCheck(name: string, limitMs: number, check: () => Found | Promise<Found>): Promise<Finding[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Told>((resolve) => {
    timer = setTimeout(() => resolve(bad('check_unfinished', [limitMs / 1000])), limitMs);
  });
  const told = await Promise.race([Promise.resolve().then(check).catch(tellFailure), late]);
  clearTimeout(timer);
  return [told].flat().map((one) => ({ name, ...one }));
}

/** What it says of a check that it could not look. */
export function tellFailure(error: unknown): Told {
  const message = error instanceof Error ? error.message : String(error);
  return bad('check_failed', [message, (isSvcdError(error) ? error.hint : undefined) ?? '']);
}
