// Long work of the event loop in steps by elapsed time, so that a request that comes meanwhile waits for one step only.

import type { Clock } from './clock.js';

/** Half of the 10 ms that a step may take at most: its last piece may be a long one, and a commit follows. */
const STEP_MS = 5;

/** Begins a step; tells when it is over. */
export function stepOf(clock: Clock): () => boolean {
  const end = clock.monotonic() + STEP_MS;
  return () => clock.monotonic() >= end;
}
