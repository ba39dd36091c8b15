// Intents of tests: the number of one that nothing stands in the way of.

import type { Claim } from '../../src/purchases/journal.js';

/** Throws where another purchase counts. */
export function mine(claim: Claim | undefined): number {
  if (claim?.mine === true) return claim.id;
  throw new Error(`not mine: ${JSON.stringify(claim)}`);
}
