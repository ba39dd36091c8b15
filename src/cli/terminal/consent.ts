// Asking before credits are spent: whoever runs a command agrees to a price, by an answer on the terminal or by --yes.

import { STICKER_PRICE } from '../../contract/limits.js';
import { SvcdError } from '../../model/errors.js';
import { formatCount } from './format.js';
import type { Input } from './input.js';
import { readCredits } from './options.js';
import { printNote } from './output.js';
import { agrees } from './terminal-input.js';
import { inputWords } from './input-words.js';

/** Up to the price of one sticker nobody is asked: whoever names it has said what to buy. */
const UNASKED = STICKER_PRICE;

/**
 * Lets a purchase of `cost` credits go on, told in `lines`; nobody is asked up to `unasked` of them. Throws `budget` when it is over --max-credits, `needs_consent`
 * without a terminal and --yes, `interrupted` for no.
 */
export async function agreeToPay(
  input: Input,
  cost: number,
  lines: readonly string[],
  unasked = UNASKED,
): Promise<void> {
  const words = inputWords().pay;
  const price = formatCount(cost, 'credit');
  const max = readCredits(input, 'max-credits');
  if (max !== undefined && cost > max) {
    throw new SvcdError('budget', words.overMax(price, max), { hint: words.nothingBought });
  }
  if (cost <= unasked) return;
  lines.forEach(printNote);
  if (input.flag('yes') === true) return;
  if (!process.stdin.isTTY) throw new SvcdError('needs_consent', words.cannotAsk(price), { hint: words.sayYes });
  if (!(await agrees(words.ask(price)))) throw new SvcdError('interrupted', words.declined);
}
