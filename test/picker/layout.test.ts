// The grid's arithmetic against a slow twin that counts.

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layOut, moveBy, placeOf, placesIn, rowOf, rowsAt, scrollFor, topOf } from '../../src/picker/grid/layout.js';

const plain = fc.record({
  width: fc.integer({ min: 80, max: 4000 }),
  height: fc.integer({ min: 100, max: 2500 }),
  cell: fc.constantFrom(120, 176, 256),
  caption: fc.constant(52),
  gap: fc.constant(12),
  count: fc.integer({ min: 0, max: 1_000_000 }),
});
/** Some of them with a line, below which all are only loosely related. */
const measures = fc.tuple(plain, fc.option(fc.double({ min: 0, max: 1, noNaN: true }))).map(([given, share]) => ({
  ...given,
  related: share === null ? undefined : Math.floor(share * given.count),
}));

describe('the arithmetic of the grid', () => {
  it('fits as many columns as the width has room for, and never none', () => {
    fc.assert(
      fc.property(measures, (given) => {
        const { columns, cellWidth } = layOut(given);
        expect(columns * cellWidth + (columns - 1) * given.gap).toBeLessThanOrEqual(Math.max(given.width, cellWidth));
        if (columns > 1) expect(cellWidth).toBeGreaterThanOrEqual(given.cell);
      }),
    );
  });

  it('draws every row that is in view, at every place of the scroll bar, and no more than a screen and its spare ones', () => {
    fc.assert(
      fc.property(measures, fc.double({ min: 0, max: 1, noNaN: true }), (given, share) => {
        const layout = layOut(given);
        const scrollTop = share * Math.max(0, layout.scrolled - given.height);
        const { first, end } = rowsAt(layout, scrollTop, given.height, 2);
        const top = topOf(layout, scrollTop);
        for (let row = Math.max(0, first - 3); row < Math.min(layout.rows, end + 3); row += 1) {
          const start = row * layout.rowHeight + (row < layout.above ? 0 : layout.line);
          const isInView = start + layout.rowHeight > top && start < top + given.height;
          if (isInView) expect(row >= first && row < end).toBe(true);
        }
        expect(end - first).toBeLessThanOrEqual(Math.ceil(given.height / layout.rowHeight) + 5);
      }),
    );
  });

  it('reaches the last row at the end of the scroll bar, however many there are', () => {
    fc.assert(
      fc.property(measures, (given) => {
        const layout = layOut(given);
        const scrollTop = Math.max(0, layout.scrolled - given.height);
        const { end } = rowsAt(layout, scrollTop, given.height, 0);
        expect(end).toBe(layout.rows);
        if (layout.rows === 0) return;
        const bottom = placeOf(layout, layout.rows - 1, scrollTop) + layout.rowHeight;
        expect(bottom).toBeLessThanOrEqual(scrollTop + Math.max(given.height, layout.full) + 1);
      }),
    );
  });

  it('brings any row wholly into view, and leaves one alone that is', () => {
    fc.assert(
      fc.property(measures, fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (given, any, share) => {
        const layout = layOut(given);
        if (layout.rows === 0 || given.height < layout.rowHeight + layout.line) return;
        const row = any % layout.rows;
        const from = share * Math.max(0, layout.scrolled - given.height);
        const to = scrollFor(layout, row, from, given.height) ?? from;
        const top = topOf(layout, to);
        const start = placeOf(layout, row, 0);
        expect(start).toBeGreaterThanOrEqual(top - 1);
        expect(start + layout.rowHeight).toBeLessThanOrEqual(top + given.height + 1);
      }),
    );
  });

  it('moves by keys inside the list only, and by one row up and down', () => {
    const keys = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown'];
    fc.assert(
      fc.property(measures, fc.constantFrom(...keys), fc.boolean(), fc.nat(), (given, key, isFar, any) => {
        const layout = layOut(given);
        if (given.count === 0) return;
        const from = any % given.count;
        const to = moveBy(key, isFar, from, layout, 3) ?? -1;
        expect(to).toBeGreaterThanOrEqual(0);
        expect(to).toBeLessThan(given.count);
        const rows = rowOf(layout, to) - rowOf(layout, from);
        if (key === 'ArrowUp' && to !== from) expect(rows).toBe(-1);
        if (key === 'ArrowDown' && to !== from) expect(rows).toBe(1);
      }),
    );
  });

  it('begins a row below the line with the first that is only loosely related, and has every place once', () => {
    fc.assert(
      fc.property(measures, fc.nat(), (given, any) => {
        const layout = layOut(given);
        if (given.count === 0) return;
        const index = any % given.count;
        const { first, end } = placesIn(layout, rowOf(layout, index));
        expect(index >= first && index < end && end - first <= layout.columns).toBe(true);
        const { related = 0 } = given;
        if (given.related !== undefined && index >= related) expect(first).toBeGreaterThanOrEqual(related);
        else expect(end).toBeLessThanOrEqual(given.related ?? given.count);
      }),
    );
  });
});
