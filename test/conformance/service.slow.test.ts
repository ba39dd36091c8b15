// The document against the service itself: a sandbox of our own, or any address in CONFORMANCE_URL with the Key in
// CONFORMANCE_KEY. There nothing is spent unless CONFORMANCE_CREDITS allows all that the suite may spend.

import { describe, expect, test } from 'vitest';
import type { Check } from './checks.js';
import { CHECKS, proveConformance } from './conformance.js';
import { SENTENCES } from './sentences.js';
import { serviceAt } from './service.js';
import { startSandboxService } from './start-conforming.js';

const REQUESTS_PER_MINUTE = 100;
const MINUTE_MS = 60_000;

const { CONFORMANCE_URL: url, CONFORMANCE_KEY: key = '', CONFORMANCE_CREDITS: allowed = '0' } = process.env;
const spends = Object.values(CHECKS).reduce((sum, check) => sum + (check.controlled ? 0 : check.spends), 0);

describe('the suite', () => {
  test(`may spend ${spends} credits of an account it is pointed at`, () => {
    expect(spends).toBeLessThanOrEqual(150);
  });

  test('has a check for every sentence that can be checked, and no other', () => {
    const checkable = SENTENCES.filter(({ standing }) => standing === 'works' || standing === 'our choice');
    expect(Object.keys(CHECKS).toSorted()).toEqual(checkable.map(({ number }) => number).toSorted());
  });
});

if (url === undefined) {
  proveConformance({ name: 'the sandbox', start: startSandboxService });
} else {
  const remote = serviceAt(url.replace(/\/$/, ''), key, { turn: paced(REQUESTS_PER_MINUTE) });
  proveConformance({ name: 'the service', start: async () => remote, without: obstacleOf });
}

/** What keeps a check from a service whose state nobody can move, or whose credits nobody offered. */
function obstacleOf({ controlled, spends: credits }: Check): string | undefined {
  if (controlled) return 'not checkable here: it needs control of the state behind the service';
  if (credits === 0 || Number(allowed) >= spends) return undefined;
  return `not checked: set CONFORMANCE_CREDITS=${spends} to let the suite spend that much`;
}

/** Waits until another request fits into the minute. */
function paced(perMinute: number): () => Promise<void> {
  const sentAt: number[] = [];
  return async () => {
    const oldest = sentAt.length < perMinute ? undefined : sentAt.shift();
    const waitMs = oldest === undefined ? 0 : oldest + MINUTE_MS - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    sentAt.push(performance.now());
  };
}
