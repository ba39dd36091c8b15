// One thing that was looked at, and what to do about it.

import { isSvcdError } from '../../model/errors.js';

export interface Check {
  readonly name: string;
  /** `bad` keeps svcd from working; `warn` from working as well as it could. */
  readonly state: 'ok' | 'warn' | 'bad';
  readonly words: string;
  /** What to do. */
  readonly hint?: string;
}

/** A look that cannot be made is itself a finding. */
export async function look(name: string, check: () => Check | Promise<Check>): Promise<Check> {
  try {
    return await check();
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    const hint = isSvcdError(error) ? error.hint : undefined;
    return { name, state: 'bad', words, ...(hint === undefined ? {} : { hint }) };
  }
}
