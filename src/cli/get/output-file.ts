// Where a sticker or an image goes that was bought, and what is told then: both commands choose alike.

import { type Input, invalidArgument } from '../terminal/input.js';
import { markOf, printAnswer, printNote } from '../terminal/output.js';
import { lookAt } from '../terminal/target-file.js';
import { getWords } from './words.js';

/** The file or folder that `-o` names, else the folder that is here; undefined for stdout. Throws `invalid_argument`. */
export function readOutput(input: Input): string | undefined {
  const typed = input.text('output');
  if (typed === '') throw invalidArgument(getWords().needsFile);
  if (typed === '-' && input.json) throw invalidArgument(getWords().jsonNeedsFile);
  if (typed === '-' || (typed === undefined && !process.stdout.isTTY && !input.json)) return undefined;
  return typed ?? '.';
}

/** What holds something else is refused once the bytes are there; they may be the same. */
export function replacing(input: Input): true | 'unchanged' {
  return input.flag('overwrite') === true || 'unchanged';
}

export function isFolder(path: string): boolean {
  return lookAt(path)?.isDirectory() ?? false;
}

/** Prints the answer; beside it, on standard error, where stdout holds what was bought. */
export async function printBeside(
  input: Input,
  facts: { readonly file: string | undefined },
  lines: () => readonly string[],
): Promise<void> {
  if (facts.file !== undefined) return printAnswer(input, facts, lines);
  [...lines(), ...markOf(input)].forEach(printNote);
}
