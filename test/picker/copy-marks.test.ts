// Where the words of a copy stand, whatever characters it has.

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { piecesOf } from '../../src/picker/copy-marks.js';

const place = (text: string, part: string): [number, number] => [text.indexOf(part), text.indexOf(part) + part.length];

describe('the marks in a copy', () => {
  it('stand at the words, after emoji, pairs of surrogates and joined families too', () => {
    const text = '🎂🎉祝你生日快乐！👨‍👩‍👧 𠮷野家 cake ❤️ 爱心。';
    const first = '🎂🎉祝你生日快乐！';
    const sentences = [
      { at: place(text, first), words: [{ word: '生日', at: place(text, '生日') }, { word: '庆祝' }] },
      {
        at: [first.length, text.length],
        words: [
          { word: '❤️', at: place(text, '❤️') },
          { word: '𠮷', at: place(text, '𠮷') },
        ],
      },
    ];
    const pieces = piecesOf(text, sentences);
    expect(pieces.map((one) => one.text).join('')).toBe(text);
    expect(pieces.filter(({ word }) => word !== undefined)).toEqual([
      { text: '生日', sentence: 0, word: '生日' },
      { text: '𠮷', sentence: 1, word: '𠮷' },
      { text: '❤️', sentence: 1, word: '❤️' },
    ]);
  });

  it('never cut a character in two and lose nothing, wherever the places are', () => {
    const text = fc.string({ unit: fc.constantFrom('🎂', '👨‍👩‍👧', '生', 'a', '❤️', '。', '𠮷', '\n'), maxLength: 30 });
    const number = fc.nat({ max: 80 });
    const places = fc.array(fc.tuple(number, number), { maxLength: 6 });
    fc.assert(
      fc.property(text, places, places, (copy, sentences, words) => {
        const marked = sentences.map((at) => ({ at, words: words.map((one) => ({ word: 'x', at: one })) }));
        const pieces = piecesOf(copy, marked).map((one) => one.text);
        expect(pieces.join('')).toBe(copy);
        for (const piece of pieces) expect(() => encodeURIComponent(piece)).not.toThrow();
      }),
    );
  });
});
