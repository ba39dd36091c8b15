// Standard input: a secret, a yes or no, or all that is piped in.

import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { STICKER_PRICE } from '../../contract/limits.js';
import { SvcdError } from '../../model/errors.js';
import { formatCount } from './format.js';
import { terminalWords } from './words.js';
import { type Input, invalidArgument } from './input.js';
import { readCredits } from './options.js';
import { printNote } from './output.js';

const MAX_BYTES = 64 * 1024;

/** All of stdin as text. Throws `invalid_argument` when it is over 64 KiB; `what` names it. */
export async function readStdin(what: string): Promise<string> {
  return (await readStdinBytes(what)).toString('utf8');
}

/** The same as it came. */
export async function readStdinBytes(what: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) {
      throw invalidArgument(terminalWords().tooLong(what, MAX_BYTES));
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A secret without its line end: from a prompt that shows nothing, or piped in. Throws `interrupted` for Ctrl+C. */
export async function readSecret(prompt: string, what = terminalWords().theKey): Promise<string> {
  return process.stdin.isTTY ? readHidden(prompt) : readStdin(what);
}

/**
 * Asks on the terminal; anything but yes is no. Throws `interrupted` for no, and `invalid_argument` without a terminal,
 * where a script has to say --yes.
 */
export async function confirm(question: string): Promise<void> {
  const words = terminalWords();
  if (!process.stdin.isTTY) throw invalidArgument(words.noTerminal(question));
  if (!(await isYes(words.goOn(question)))) throw new SvcdError('interrupted', words.nothingBought);
}

/** Asks on the terminal; anything but yes is no. False without a terminal. */
export async function agrees(question: string): Promise<boolean> {
  return process.stdin.isTTY && isYes(`${question} [y/N] `);
}

/** The same; undefined without a terminal, and when the question was left without an answer (Ctrl+C, Ctrl+D). */
export async function findAnswer(question: string): Promise<boolean | undefined> {
  const answer = process.stdin.isTTY ? await ask(`${question} [y/N] `) : undefined;
  return answer === undefined ? undefined : YES.test(answer);
}

const YES = /^\s*(y(es)?|是)\s*$/i;

async function isYes(question: string): Promise<boolean> {
  return YES.test((await ask(question)) ?? '');
}

/** What was typed; undefined when the question was left. */
async function ask(question: string): Promise<string | undefined> {
  // On stderr, so that stdout holds the answer alone.
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<undefined>((resolve) => prompt.once('close', () => resolve(undefined)));
  prompt.once('SIGINT', () => {
    printNote('');
    prompt.close();
  });
  try {
    return await Promise.race([prompt.question(question), ended]);
  } finally {
    prompt.close();
  }
}

/** A line from the terminal that is not shown: readline edits it, and what it echoes goes nowhere. */
async function readHidden(prompt: string): Promise<string> {
  process.stderr.write(prompt);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const hidden = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 });
  try {
    return await new Promise<string>((resolve, reject) => {
      hidden.once('line', resolve);
      hidden.once('close', () => resolve(''));
      hidden.once('SIGINT', () => reject(new SvcdError('interrupted', terminalWords().nothingStored)));
    });
  } finally {
    hidden.close();
    printNote('');
  }
}

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
  const words = terminalWords().pay;
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
