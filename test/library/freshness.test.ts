// Records that change, age, go and come back.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { OldStickers } from '../../src/harvest/harvest.js';
import type { Library } from '../../src/library/library.js';
import { readCandidates } from '../../src/contract/read-candidates.js';
import { scratchLibrary, type ScratchLibrary } from './scratch-library.js';

let scratch: ScratchLibrary;
let library: Library;

beforeEach(() => {
  scratch = scratchLibrary();
  library = scratch.open();
});

afterEach(() => {
  library.close();
  scratch.remove();
});

const cake = { preset: 'food/cake', title: '蛋糕', keywords: ['生日'] };
const bread = { preset: 'food/bread', title: '面包', keywords: ['早餐'] };
const tea = { preset: 'food/tea', title: '茶', keywords: ['早餐'] };

function see(at: number, ...records: object[]) {
  const { candidates } = readCandidates({ results: records })!;
  return library.learn({ shape: 'search', words: [], candidates }, at);
}

function find(query: string): string[] {
  return library.search(query, 12).hits.map((hit) => hit.sticker.preset);
}

/** Later than all of them. */
const NEVER = 1_000_000;

function oldest(limit = 12): string[] {
  return new OldStickers(library.store).list(NEVER, limit).map(({ preset }) => preset);
}

function reopen(): void {
  library.close();
  library = scratch.open();
}

describe('a record that changed', () => {
  test('is noticed when it is seen again, found by its new words, and told as the remote tells it now', () => {
    see(1000, cake, bread);
    expect(see(2000, cake)).toMatchObject({ changed: 0, unchanged: 1 });
    const renamed = { ...cake, title: '纸杯糕点', duration: 3, licence: 'b' };
    expect(see(3000, renamed)).toMatchObject({ changed: 1, unchanged: 0 });
    expect(find('纸杯')).toEqual(['food/cake']);
    expect(library.findSticker('food/cake')).toMatchObject({ title: '纸杯糕点', duration: 3 });
    expect(library.findOriginal('food/cake', 'search')).toEqual(renamed);
  });
});

describe('the order in which stickers are looked for again', () => {
  test('begins with those listed longest ago, without those that the remote never listed', () => {
    see(3000, cake);
    see(2000, bread);
    library.importStickers([tea], 'a file');
    expect(oldest()).toEqual(['food/bread', 'food/cake']);
    expect(oldest(1)).toEqual(['food/bread']);
    see(4000, bread);
    expect(oldest()).toEqual(['food/cake', 'food/bread']);
  });

  test('goes on with others when one was looked for and is not listed any more', () => {
    see(1000, cake);
    see(2000, bread);
    new OldStickers(library.store).noteMissed('food/cake', 3000);
    expect(oldest()).toEqual(['food/bread', 'food/cake']);
    reopen();
    expect(oldest()).toEqual(['food/bread', 'food/cake']);
  });
});

describe('a sticker that the remote does not know any more', () => {
  beforeEach(() => {
    see(1000, tea, bread);
  });

  test('sinks, and is remembered as gone', () => {
    const before = find('早餐');
    library.markGone(before[0]!, 2000);
    expect(find('早餐')).toEqual(before.toReversed());
    reopen();
    expect(find('早餐')).toEqual(before.toReversed());
  });

  test('comes back when it is listed again, and says so', () => {
    const before = find('早餐');
    library.markGone(before[0]!, 2000);
    expect([...see(3000, tea, bread).back]).toEqual([before[0]]);
    expect(find('早餐')).toEqual(before);
  });

  test('comes back when it can be had again', () => {
    const before = find('早餐');
    library.markGone(before[0]!, 2000);
    library.markThere(before[0]!, 3000);
    expect(find('早餐')).toEqual(before);
    reopen();
    expect(find('早餐')).toEqual(before);
  });
});
