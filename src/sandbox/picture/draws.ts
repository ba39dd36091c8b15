// Chance that the prompt decides: the same text draws the same numbers, in the same order, on every machine.

import { createHash } from 'node:crypto';

/** Gives numbers from 0 to below 1. */
export type Draw = () => number;

export function drawsOf(text: string): Draw {
  // mulberry32, begun with a digest of the text.
  let state = createHash('sha256').update(text, 'utf8').digest().readUInt32LE(0);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
