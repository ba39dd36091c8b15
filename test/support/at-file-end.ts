// What a stage opens once for all tests of a file, and closes after the last of them (each-file.ts).

import { onTestFinished } from 'vitest';

const ends: (() => Promise<unknown>)[] = [];

/** Does this when the file that runs now has ended; what was opened last is closed first. */
export function atFileEnd(end: () => Promise<unknown>): void {
  ends.push(end);
}

/** How a stage learns of its end: with the test, or with the file for one that several tests share. */
export function endOf(untilFileEnds: boolean): (end: () => Promise<void> | void) => void {
  return untilFileEnds ? (end) => atFileEnd(async () => end()) : onTestFinished;
}

export async function endFile(): Promise<void> {
  for (const end of ends.splice(0).toReversed()) await end();
}
