// The view and its address are the same thing written twice.

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EVERYTHING, readAddress, writeAddress, type View } from '../../src/picker/address.js';
import { TILE_ORDERS } from '../../src/api/page-terms.js';

const word = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((text) => text.trim() !== '');
const views: fc.Arbitrary<View> = fc.record({
  q: fc.oneof(fc.constant(''), word),
  owned: fc.boolean(),
  color: fc.constantFrom('', 'ff8800', '000000'),
  aspect: fc.constantFrom('', 'square', 'wide', 'tall', '16:9', '0.8..1.25'),
  maxDuration: fc.constantFrom(0, 1, 1.5, 10),
  style: fc.constantFrom('', 'twemoji', '双色'),
  collection: fc.constantFrom('', 'favourites', '端午 / 2026'),
  sort: fc.constantFrom(...TILE_ORDERS),
  mode: fc.constantFrom('grid', 'copy'),
  project: fc.constantFrom('', '3f1c-A_9'),
  preset: fc.oneof(fc.constant(''), word),
});

const read = (address: string) => readAddress(new URL(address, 'http://127.0.0.1:7823'));

describe('the address of the page', () => {
  it('says the whole view, and nothing of what is as usual', () => {
    fc.assert(
      fc.property(views, (view) => {
        expect(read(writeAddress(view))).toEqual(view);
      }),
    );
    expect(writeAddress(EVERYTHING)).toBe('/');
  });

  it.each(['/?color=red', '/?aspect=%00', '/?max_duration=-1', '/?sort=worst', '/#%E0%A4%A', '/?collection=%20'])(
    'leaves out what it cannot read: %s',
    (address) => expect(read(address)).toEqual(EVERYTHING),
  );
});
