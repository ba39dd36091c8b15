import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalise } from '../../src/library/language/normalise.js';

describe('normalise', () => {
  test.each([
    ['ＡＴＭ', 'atm'],
    ['  24\u3000小时\n营业 ', '24 小时 营业'],
    ['❤\uFE0F', '❤'],
    ['生\u200B日', '生日'],
    ['①', '1'],
  ])('%j becomes %j', (text, expected) => {
    expect(normalise(text)).toBe(expected);
  });

  test('a normalised text stays as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const once = normalise(text);
        expect(normalise(once)).toBe(once);
      }),
      { numRuns: 500 },
    );
  });
});
