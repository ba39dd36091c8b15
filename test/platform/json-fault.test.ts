// Where a text stops being JSON, for the sentence that refuses it.

import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { placeOfFault } from '../../src/platform/json.js';

it.each([
  ['', 'line 1, column 1'],
  ['{"a": 1,}', 'line 1, column 9'],
  ['{"a": 1 "b": 2}', 'line 1, column 9'],
  ['{\n  "蛋糕": "🎂" oops\n}', 'line 2, column 13'],
  ['[1, 2', 'line 1, column 6'],
  ["{'a': 1}", 'line 1, column 2'],
  ['{"a" 1}', 'line 1, column 6'],
  ['{} {}', 'line 1, column 4'],
  ['["a\nb"]', 'line 1, column 2'],
  ['[TRUE]', 'line 1, column 2'],
  ['{"a":1]', 'line 1, column 7'],
])('%j: %s', (text, place) => {
  expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
  expect(placeOfFault(text)).toBe(place);
});

it('is the end of what is whole, and not before the fault of what is not', () => {
  const column = (text: string) => Number(/\d+$/.exec(placeOfFault(text))?.[0]);
  fc.assert(
    fc.property(fc.json(), fc.nat(), (whole, at) => {
      const characters = Array.from(whole);
      expect(column(whole)).toBe(characters.length + 1);
      // Bad from there on, or within a text that began before.
      const broken = [...characters.slice(0, at % characters.length), '\u0001'].join('');
      expect(column(broken)).toBeLessThanOrEqual((at % characters.length) + 1);
    }),
  );
});
