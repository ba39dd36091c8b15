import { describe, expect, test } from 'vitest';
import { perMillion } from '../../src/library/language/word-frequency.js';
import { readLanguageBytes } from '../../src/library/language/language-data.js';

describe('the frequency of a word', () => {
  test.each([
    ['的', '蛋糕'],
    ['我们', '咖啡'],
    ['今天', '樱花'],
    ['问题', '火箭'],
    ['开始', '雪人'],
    ['没有', '红包'],
    ['喜欢', '风筝'],
    ['实事求是', '锦上添花'],
  ])('%s is more common than %s', (common, rare) => {
    expect(perMillion(rare)).toBeGreaterThan(0);
    expect(perMillion(common)).toBeGreaterThan(3 * perMillion(rare));
  });

  test('is near what was counted', () => {
    // 318,825 of the 60,101,967 that the dictionary counts; rounding to a byte costs at most a fiftieth.
    expect(perMillion('的') / (318_825 / 60.101967)).toBeCloseTo(1, 1);
    expect(perMillion('蛋糕') / (315 / 60.101967)).toBeCloseTo(1, 1);
  });

  test.each(['', '蛋糕店里', '氤氲氤', 'cake', '一二三四五', '🎂', '𠮷'])('of %j is nought', (word) => {
    expect(perMillion(word)).toBe(0);
  });

  test('is kept in less than 400 KB', () => {
    expect(readLanguageBytes('frequency/words.bin').length).toBeLessThan(400_000);
  });
});
