import { describe, expect, test } from 'vitest';
import { indexOf } from './scratch-library.js';
import { parseSynonyms } from '../../src/library/language/synonyms.js';
import { Vocabulary } from '../../src/library/search-index/vocabulary.js';

const titles = ['研究', '研究生', '生活', '活', '生日', '生日蛋糕', '蛋糕', 'k歌', 'ok', '海水', '上海', '水产'];
const index = indexOf(titles.map((title, i) => ({ rowid: i + 1, title, keywords: [] })));
const vocabulary = new Vocabulary(index, parseSynonyms('包邮 > 快递'));

function words(text: string): string[] {
  return vocabulary
    .segment(text)
    .filter((piece) => piece.known)
    .map((piece) => piece.text);
}

describe('the vocabulary', () => {
  test.each([
    ['我要研究生活', ['研究', '生活']],
    ['研究生', ['研究生']],
    ['买生日蛋糕', ['生日蛋糕']],
    ['上海水产', ['上海', '水产']],
    ['全场包邮啦', ['包邮']],
    ['一起k歌', ['k歌']],
  ])('finds the words of %s', (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  test('never finds a word inside a longer Latin word', () => {
    expect(words('look, ok!')).toEqual(['ok']);
    expect(vocabulary.inside('look')).toEqual([]);
  });

  test('cuts without losing a character', () => {
    const text = '上海k歌研究生活🎂 ok';
    const pieces = vocabulary.segment(text).map((piece) => piece.text);
    expect(pieces.join('')).toBe(text);
  });

  test('knows the words inside a word', () => {
    expect(vocabulary.inside('生日蛋糕')).toEqual(['生日', '蛋糕']);
  });

  test('lets no word inside a word take a part of the next', () => {
    expect(vocabulary.inside('研究生活')).toEqual(['研究', '生活']);
    expect(vocabulary.inside('上海水产')).toEqual(['上海', '海水', '水产']);
  });
});
