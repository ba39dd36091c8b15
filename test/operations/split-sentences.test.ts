// Where a copy is cut into sentences.

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitSentences } from '../../src/operations/page/match-tiles.js';

const split = (text: string) => splitSentences(text).map((at) => text.slice(...at));

describe('the sentences of a copy', () => {
  it.each([
    ['生日快乐！今天吃蛋糕，好吗？好。', ['生日快乐！', '今天吃蛋糕，好吗？', '好。']],
    ['“真好！”他说。', ['“真好！”', '他说。']],
    ['第一行\n第二行\r\n\r\n第三行', ['第一行', '第二行', '第三行']],
    ['等等……来了；走', ['等等……', '来了；', '走']],
    ['Only 3.5 yuan at svcd.example. Buy now! Really?', ['Only 3.5 yuan at svcd.example.', 'Buy now!', 'Really?']],
    ['Mr. Li met J. Wang. They left.', ['Mr. Li met J. Wang.', 'They left.']],
    ['1. 切蛋糕\n2. 放焰火', ['1. 切蛋糕', '2. 放焰火']],
    ['Wait... what', ['Wait...', 'what']],
    ['🎂🎂！\n\n。。。\n——', ['🎂🎂！']],
    ['没有结尾', ['没有结尾']],
    ['', []],
    ['  \n\t', []],
  ])('%j', (text, sentences) => expect(split(text)).toEqual(sentences));

  it('keep every letter once and in order, with no space around them', () => {
    const unit = fc.constantFrom('生', '日', 'a', 'B', '3', '.', '。', '！', '?', ' ', '\n', '”', '🎂', '，', '…');
    const letters = (text: string) => text.replace(/[^\p{L}\p{N}\p{Extended_Pictographic}]/gu, '');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
        const places = splitSentences(text);
        let end = 0;
        for (const [from, to] of places) {
          expect(from).toBeGreaterThanOrEqual(end);
          expect(text.slice(from, to)).toBe(text.slice(from, to).trim());
          end = to;
        }
        expect(letters(split(text).join(''))).toBe(letters(text));
      }),
    );
  });
});
