// Lines out of a stream of bytes, with their numbers, in bounded memory and linear time: a line that is too long is passed
// over.

import { SvcdError } from '../model/errors.js';

export interface NumberedLine {
  /** From 1. */
  readonly number: number;
  /** Undefined when the line is longer than allowed. */
  readonly text: string | undefined;
}

export interface LineBounds {
  /** Of one line. */
  readonly maxBytes: number;
  /** Lines handed over at a time. */
  readonly batch: number;
}

/** Lines handed over at a time are no longer than this in all, or one line: work on them is done in one go. */
const BATCH_BYTES = 64 * 1024;
const LINE_FEED = 10;

const BAD_MAX = 1000;

/** Throws `invalid_request` where most lines of many were bad, so that the rest is not worth reading: 200 KB may unpack to millions. */
export function refuseIfAllBad({ lines, bad }: { readonly lines: number; readonly bad: number }): void {
  if (bad <= BAD_MAX || bad * 2 <= lines) return;
  throw new SvcdError('invalid_request', `${bad} of ${lines} lines cannot be used, so the rest was not read`, {
    hint: 'What came before is kept. Check that it is the file of an export.',
  });
}

/** Batches of lines; empty ones are left out. */
export async function* readLines(
  stream: AsyncIterable<Uint8Array>,
  { maxBytes, batch }: LineBounds,
): AsyncGenerator<NumberedLine[]> {
  // The pieces of the line that has not ended; not joined before its end, for that would be quadratic.
  let pieces: Uint8Array[] = [];
  let [number, size, taken] = [0, 0, 0];
  let lines: NumberedLine[] = [];
  const add = (piece: Uint8Array) => {
    size += piece.byteLength;
    if (size <= maxBytes) pieces.push(piece);
    else pieces = [];
  };
  const end = () => {
    number += 1;
    const text = size > maxBytes ? undefined : Buffer.concat(pieces, size).toString('utf8');
    if (text === undefined || text.trim() !== '') lines.push({ number, text });
    taken += Math.min(size, maxBytes);
    [pieces, size] = [[], 0];
  };
  for await (const chunk of stream) {
    let start = 0;
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, start)) {
      // Empty ones are told apart at once: 200 MB of them pack into 200 KB.
      if (at === start && size === 0) number += 1;
      else {
        add(chunk.subarray(start, at));
        end();
      }
      start = at + 1;
      if (lines.length < batch && taken < BATCH_BYTES) continue;
      if (lines.length > 0) yield lines;
      [lines, taken] = [[], 0];
    }
    // A copy: a short rest would keep the whole chunk alive.
    if (start < chunk.length) add(chunk.slice(start));
  }
  if (size > 0) end();
  if (lines.length > 0) yield lines;
}
