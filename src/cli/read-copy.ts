// The copy to match: words from the command line, else what is piped in.

import { SvcdError } from '../model/errors.js';

// Far beyond what a copy may have, so that the service's own limit is what complains.
const MAX_BYTES = 64 * 1024;

/**
 * The copy; undefined when keywords are all that was given. Throws `invalid_argument` when there is nothing
 * to read.
 */
export async function readCopy(words: readonly string[], hasKeywords: boolean): Promise<string | undefined> {
  const piped = words.length === 1 && words[0] === '-';
  if (words.length > 0 && !piped) return words.join(' ');
  // A pipe that nobody closes must not hold up a script that said all it wants with keywords.
  if (!piped && hasKeywords) return undefined;
  const copy = process.stdin.isTTY && !piped ? '' : await readAll();
  if (copy !== '') return copy;
  throw new SvcdError('invalid_argument', 'there is nothing to match', {
    hint: 'Give copy as words or on stdin, or keywords with --keyword.',
  });
}

async function readAll(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > MAX_BYTES)
      throw new SvcdError('invalid_argument', `the copy on stdin is over ${MAX_BYTES} bytes`);
  }
  return Buffer.concat(chunks).toString('utf8').trim();
}
