// Where a sticker or an image goes that was bought, and what is told then: both commands choose alike.

import { sha256Hex } from '../../model/hash.js';
import type { Client } from '../connection/client.js';
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

export function isFolder(path: string): boolean {
  return lookAt(path)?.isDirectory() ?? false;
}

/** What a file holds that must stay: not what svcd itself served in place of something, which that may replace. */
export async function unlessSubstitute(client: Client, held: Buffer | undefined): Promise<Buffer | undefined> {
  if (held === undefined) return undefined;
  const known = await client.request('GET', `/svcd/owned/by-digest/${sha256Hex(held)}`);
  return known.status === 200 && known.header('x-svcd-source') === 'default' ? undefined : held;
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
