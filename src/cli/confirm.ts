// Asking a person before something that costs.

import { createInterface } from 'node:readline/promises';
import { SvcdError } from '../model/errors.js';

/**
 * Asks on the terminal; anything but yes is no. Throws `interrupted` for no, and `invalid_argument` where there
 * is nobody to ask: a script must have said --yes.
 */
export async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) {
    throw new SvcdError('invalid_argument', `${question} There is no terminal to ask on: say so with --yes`);
  }
  if (!(await isYes(`${question} Go on? [y/N] `))) throw new SvcdError('interrupted', 'nothing was bought');
}

/** Asks on the terminal; anything but yes is no. False where there is nobody to ask. */
export async function agrees(question: string): Promise<boolean> {
  return process.stdin.isTTY && isYes(`${question} [y/N] `);
}

async function isYes(question: string): Promise<boolean> {
  // On stderr, so that stdout holds the answer alone.
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<string>((resolve) => asking.once('close', () => resolve('')));
  try {
    return /^\s*y(es)?\s*$/i.test(await Promise.race([asking.question(question), ended]));
  } finally {
    asking.close();
  }
}
