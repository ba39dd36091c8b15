// What a sticker is called for whoever does not read its title.

import { expect, test } from 'vitest';
import { namesOf } from '../../src/library/search-index/sticker-terms.js';
import { otherTitlesOf } from '../../src/library/search-index/other-titles.js';

const english = (preset: string, title: string) => {
  const { titles, translated } = otherTitlesOf({ preset, title });
  return [titles?.en, translated];
};

test('is what the source says, else what its preset is called or the dictionary, which is marked', () => {
  expect(otherTitlesOf({ preset: 'a/x', title: '蛋糕', titles: { ja: 'ケーキ' } })).toEqual({
    titles: { ja: 'ケーキ' },
  });
  expect(english('food/birthday-cake', '生日蛋糕')).toEqual(['birthday cake', true]);
  expect(english('food/0123', '生日蛋糕')).toEqual(['birthday cake', true]);
  expect(english('stk-xkcd/pngs-bdw', '雪人')).toEqual(['snowman', true]);
  expect(english('food/0123', '龘龘龘')).toEqual([undefined, undefined]);
  expect(english('food/cake', 'Cake')).toEqual([undefined, undefined]);
  expect(english('own/cake', '蛋糕')).toEqual([undefined, undefined]);
});

test('is searched for, but not in Han characters alone, which say something else in Chinese', () => {
  const titles = { en: 'Love Letter', ja: '手紙', ko: '편지' };
  expect(namesOf({ preset: 'a/0', titles })).toEqual(['love letter', '편지'.normalize('NFKC')]);
});
