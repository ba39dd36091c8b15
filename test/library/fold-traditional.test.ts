import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldTraditional } from '../../src/library/language/fold-traditional.js';
import { readLanguageText } from '../../src/library/language/language-data.js';
import { readCatalogue } from './scratch-library.js';

const [traditional = '', simplified = '', ...phrases] = readLanguageText('traditional/traditional.txt')
  .trimEnd()
  .split('\n');

describe('folding traditional characters', () => {
  test.each([
    ['生日蛋糕與氣球', '生日蛋糕与气球'],
    ['頭髮', '头发'],
    ['發財', '发财'],
    ['以後', '以后'],
    ['皇后', '皇后'],
    ['這裡', '这里'],
    ['這裏', '这里'],
    ['公里', '公里'],
    ['乾燥', '干燥'],
    ['乾杯', '干杯'],
    ['乾坤', '乾坤'],
    ['乾隆皇帝', '乾隆皇帝'],
    ['乾淨', '干净'],
    ['麵包', '面包'],
    ['面對', '面对'],
    ['鬆餅', '松饼'],
    ['松樹', '松树'],
    ['颱風', '台风'],
    ['臺灣', '台湾'],
    ['鬱金香', '郁金香'],
    ['聖誕節', '圣诞节'],
    ['雲朵', '云朵'],
    ['復活節', '复活节'],
    ['複製', '复制'],
    ['回覆', '回复'],
    ['瞭解', '了解'],
    ['瞭望', '瞭望'],
    ['沈默', '沉默'],
    ['項鍊', '项链'],
    ['計畫', '计划'],
  ])('%s becomes %s', (from, to) => {
    expect(foldTraditional(from)).toBe(to);
  });

  test.each([
    ['為什麼', '为什么', 'Taiwan'],
    ['說明', '说明', 'Taiwan'],
    ['説明', '说明', 'Hong Kong'],
    ['衞生', '卫生', 'Hong Kong'],
    ['群眾', '群众', 'Taiwan'],
    ['線上', '线上', 'Taiwan'],
    ['綫上', '线上', 'Hong Kong'],
    ['粽子', '粽子', 'Taiwan'],
    ['笑著', '笑着', 'Taiwan'],
    ['著名', '著名', 'both'],
    ['原著', '原著', 'both'],
  ])('reads %s as %s, as it is written in %s', (from, to) => {
    expect(foldTraditional(from)).toBe(to);
  });

  test.each(['什么', '打坏了', '皇后', '干杯', '显著', '名著', '头发', '松树', '沈阳', '坏人', '吃饭', '才能'])(
    'leaves the simplified %s alone',
    (word) => {
      expect(foldTraditional(word)).toBe(word);
    },
  );

  test('leaves what is not Han alone', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const plain = text.replaceAll(/\p{Script=Han}/gu, '');
        expect(foldTraditional(plain)).toBe(plain);
      }),
    );
  });

  // Phrases, halves of phrases and characters beside one another: where folding could be unstable.
  const pieces = [...traditional.split(''), ...simplified.split(''), ...phrases.flatMap((line) => line.split(' '))];
  const mixed = fc.array(fc.constantFrom(...pieces, ...phrases.map((line) => line.slice(0, 2)), 'a', ' ', '𠮷'));

  test('is stable under itself and keeps every character in its place', () => {
    fc.assert(
      fc.property(mixed, (parts) => {
        const text = parts.join('');
        const folded = foldTraditional(text);
        expect(foldTraditional(folded)).toBe(folded);
        expect(folded).toHaveLength(text.length);
      }),
      { numRuns: 2000 },
    );
  });

  test('has a table of one code unit for one, none of which folds further', () => {
    expect(traditional).toHaveLength(simplified.length);
    const keys = new Set(traditional);
    expect(simplified.split('').filter((character) => keys.has(character))).toEqual([]);
    expect(phrases.length).toBeGreaterThan(300);
  });

  test('leaves nearly all of the catalogue, which is simplified, as it is', () => {
    const words = new Set(readCatalogue().flatMap(({ title, keywords }) => [title, ...keywords]));
    const changed = [...words].filter((word) => foldTraditional(word) !== word);
    // Labels of shops that their translators left in traditional characters, and nothing else.
    expect(changed.length).toBeLessThan(20);
  });
});
