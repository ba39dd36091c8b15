// Intents of tests, and how states of purchases may change.

import type { Claim } from '../../src/purchases/journal.js';

/** Throws where another purchase counts. */
export function mine(claim: Claim | undefined): number {
  if (claim?.mine === true) return claim.id;
  throw new Error(`not mine: ${JSON.stringify(claim)}`);
}

export const STATES = ['intent', 'sent', 'paid', 'refused', 'unknown'] as const;

/** From which state a purchase may come to which. */
export const LEGAL_MOVES: ReadonlySet<string> = new Set([
  'intent sent',
  'intent refused',
  'sent intent',
  'sent paid',
  'sent refused',
  'sent unknown',
  'unknown paid',
  'unknown refused',
]);
