import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findEmoji, spellEmoji } from '../../src/library/language/emoji-words.js';
import { readLanguageText } from '../../src/library/language/language-data.js';

const table = readLanguageText('emoji/emoji-words.txt')
  .trimEnd()
  .split('\n')
  .map((line) => line.split(' '));
const all = table.map(([emoji = '']) => emoji);

describe('the words of an emoji', () => {
  test.each([
    ['🎂', '生日蛋糕', 'a picture'],
    ['❤️', '红心', 'a variation selector'],
    ['❤', '红心', 'no variation selector'],
    ['👍🏽', '拇指向上', 'a skin tone'],
    ['👩🏿‍🚀', '女宇航员', 'a skin tone inside a joined sequence'],
    ['🏳️‍🌈', '彩虹旗', 'a selector inside a joined sequence'],
    ['🇨🇳', '中国', 'a flag: the country before the thing'],
    ['🏴󠁧󠁢󠁥󠁮󠁧󠁿', '英格兰', 'a flag made of tags'],
    ['1️⃣', '1', 'a keycap'],
    ['→', '向右的箭头', 'an arrow'],
    ['©️', '版权', 'a sign from before emoji'],
  ])('%s is %s: %s', (emoji, name) => {
    expect(findEmoji(emoji)).toEqual([{ start: 0, end: emoji.length, words: expect.arrayContaining([name]) }]);
    expect(findEmoji(emoji)[0]?.words[0]).toBe(name);
  });

  test('stand where the emoji stands, whatever is around', () => {
    const text = '今天🎂和🇨🇳🇫🇷,5块';
    const found = findEmoji(text).map(({ start, end, words }) => [text.slice(start, end), words[0]]);
    expect(found).toEqual([
      ['🎂', '生日蛋糕'],
      ['🇨🇳', '中国'],
      ['🇫🇷', '法国'],
    ]);
  });

  test('of a sequence that has no name are those of its parts', () => {
    expect(findEmoji('🎂‍🚀')[0]?.words).toEqual(expect.arrayContaining(['生日蛋糕', '火箭']));
  });

  test('take the place of the emoji when a text is spelled', () => {
    expect(spellEmoji('过🎂啦❤️')).toBe('过 生日蛋糕 啦 红心 ');
    expect(spellEmoji('没有表情 #1 5*3=15')).toBe('没有表情 #1 5*3=15');
  });

  test.each([
    '2024年#1',
    '5*3',
    '，。！？“”…—',
    'ABC abc',
    '％＋－＝',
    '¥99 €5 $3',
    'Ⅷ ① 你好',
    '\u200D',
    '🇨',
    '\uD83C',
  ])('are none in %s', (text) => {
    expect(findEmoji(text)).toEqual([]);
  });

  test('are known for every emoji of the table, with any selector and skin tone', () => {
    const tones = ['', '\uFE0F', '\u{1F3FD}'];
    const silent = all.filter((emoji) =>
      tones.some((tone) => findEmoji(emoji + tone)[0]?.end !== (emoji + tone).length),
    );
    expect(silent).toEqual([]);
    expect(all.length).toBeGreaterThan(1900);
  });

  test('lie in order and apart, in any text', () => {
    const piece = fc.oneof(
      fc.constantFrom(...all),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\u200D', '\uFE0F', '\u{1F3FB}', '🇨', '中'),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        let from = 0;
        for (const { start, end, words } of findEmoji(text)) {
          expect(start).toBeGreaterThanOrEqual(from);
          expect(end).toBeGreaterThan(start);
          expect(words.length).toBeGreaterThan(0);
          from = end;
        }
        expect(from).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});
