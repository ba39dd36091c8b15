// What a library says of how full it is.

import { expect, it } from 'vitest';
import { createLibraryHeader } from '../../src/harvest/harvest-status.js';
import type { HarvestProgress } from '../../src/harvest/harvest.js';

function headerOf(isComplete: boolean, size: number, progress: Partial<HarvestProgress>): string {
  const none: HarvestProgress = {
    known: 0,
    estimate: undefined,
    requests: { sent: 0, answered: 0 },
    lastAnswerAt: undefined,
  };
  const harvest = { progress: { ...none, ...progress } };
  return createLibraryHeader({ size, isComplete: () => isComplete }, harvest)();
}

it('a library that was given whole holds all there is', () => {
  const whole = 'known=11991, estimate=11991, low=11991, high=11991, coverage=1, complete=?1';
  expect(headerOf(true, 11_991, {})).toBe(whole);
});

it('one that is not complete tells what the remote listed, and no more', () => {
  expect(headerOf(false, 132, {})).toBe('known=0, complete=?0');
});

it('one that asked for itself tells what it was told', () => {
  const estimate = { total: 1000, low: 990, high: 1010.5 };
  const progress = { known: 995, estimate, requests: { sent: 9, answered: 9 } };
  expect(headerOf(true, 1127, progress)).toBe(
    'known=995, estimate=1000, low=990, high=1011, coverage=0.995, complete=?1',
  );
});

it('one that was given whole, and then more, tells the new size', () => {
  const progress: HarvestProgress = {
    known: 0,
    estimate: undefined,
    requests: { sent: 0, answered: 0 },
    lastAnswerAt: undefined,
  };
  const library = { size: 2, isComplete: () => true };
  const header = createLibraryHeader(library, { progress });
  expect(header()).toContain('known=2, estimate=2');
  library.size = 3;
  expect(header()).toContain('known=3, estimate=3');
});
