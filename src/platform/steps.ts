// Long work of the event loop in steps by elapsed time, so that a request that comes meanwhile waits for one step only.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from './clock.js';

/** Half of the 10 ms that a step may take at most: its last piece may be a long one, and a commit follows. */
const STEP_MS = 5;

/** Begins a step; tells when it is over. */
export function stepOf(clock: Pick<Clock, 'monotonic'>): () => boolean {
  const end = clock.monotonic() + STEP_MS;
  return () => clock.monotonic() >= end;
}

/** Makes of so many at once what `make` makes of a part of them; others have their turn between the parts. */
export async function inParts<T, R>(
  all: readonly T[],
  atOnce: number,
  make: (part: readonly T[]) => readonly R[],
): Promise<R[]> {
  const made: R[] = [];
  for (let at = 0; at < all.length; at += atOnce) {
    if (at > 0) await ownTurn();
    for (const one of make(all.slice(at, at + atOnce))) made.push(one);
  }
  return made;
}

let last: Promise<void> = Promise.resolve();

/** Waits for a turn of the event loop that no other long work has: the steps of many at once would be one long one. */
export function ownTurn(): Promise<void> {
  last = last.then(() => nextTurn());
  return last;
}
