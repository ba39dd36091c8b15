// The assignment of slots to pictures: never dearer than any other, and the same for any order of slots.

import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { assign } from '../../src/video/choose/assign.js';

const costOf = (costs: readonly number[][], columns: readonly number[]) =>
  columns.reduce((sum, column, row) => sum + costs[row]![column]!, 0);

/** The least that any way costs. */
function bruteForce(costs: readonly number[][], row = 0, taken: readonly number[] = []): number {
  if (row === costs.length) return 0;
  return Math.min(
    ...costs[row]!.map((cost, column) =>
      taken.includes(column) ? Infinity : cost + bruteForce(costs, row + 1, [...taken, column]),
    ),
  );
}

/** Rows with costs of their own, some impossible, and for each a column that only it takes. */
const tables = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }))
  .chain(([rows, columns]) =>
    fc.array(
      fc.array(fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.constant(Infinity)), {
        minLength: columns,
        maxLength: columns,
      }),
      { minLength: rows, maxLength: rows },
    ),
  )
  .map((table) => table.map((row, i) => [...row, ...table.map((_, j) => (i === j ? 1e11 : Infinity))]));

it('costs as little as the best of all ways, and gives no column twice', () => {
  fc.assert(
    fc.property(tables, (costs) => {
      const columns = assign(costs);
      expect(new Set(columns).size).toBe(costs.length);
      expect(costOf(costs, columns)).toBe(bruteForce(costs));
    }),
    { numRuns: 2000 },
  );
});

it('is exact where fifty rows lose everything', () => {
  const costs = Array.from({ length: 50 }, (_, i) => [
    ...Array.from({ length: 24 }, (__, j) => 1e9 + ((i * 7 + j * 3) % 1000)),
    ...Array.from({ length: 50 }, (__, j) => (i === j ? 1e11 : Infinity)),
  ]);
  const columns = assign(costs);
  expect(columns.filter((column) => column < 24)).toHaveLength(24);
  expect(Number.isSafeInteger(costOf(costs, columns))).toBe(true);
});

it('has nothing to do without rows', () => {
  expect(assign([])).toEqual([]);
});
