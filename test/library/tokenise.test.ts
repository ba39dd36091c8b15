import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalise } from '../../src/library/language/normalise.js';
import { decode, recode } from './recode.js';
import { tokenise, type TokenKind } from '../../src/library/language/tokenise.js';

function terms(text: string, kind: TokenKind): string[] {
  return tokenise(normalise(text))
    .filter((token) => token.kind === kind)
    .map((token) => token.term);
}

function gramsOf(text: string): string[] {
  return [...terms(text, 'single'), ...terms(text, 'pair'), ...terms(text, 'word')];
}

const mixedText = fc
  .array(fc.constantFrom('生日', '蛋糕', '618', '大促', 'AI', '助手', 'wi-fi', ' ', '：', 'é', '𠮷', 'かな', '🎂', '·'))
  .map((pieces) => pieces.join(''));
const anyText = fc.oneof(fc.string({ unit: 'grapheme' }), mixedText);

describe('tokenise', () => {
  test('gives Han text its single characters and its pairs', () => {
    expect(terms('生日蛋糕', 'single')).toEqual(['生', '日', '蛋', '糕']);
    expect(terms('生日蛋糕', 'pair')).toEqual(['生日', '日蛋', '蛋糕']);
  });

  test('cuts mixed runs where the script changes, and keeps them whole too', () => {
    expect(terms('618大促', 'word')).toEqual(['618']);
    expect(terms('618大促', 'pair')).toEqual(['大促']);
    expect(terms('AI助手', 'whole')).toEqual(['=ai助手']);
  });

  test('knows the parts of a title with separators, and the word before a variant number', () => {
    expect(terms('旗: 阿鲁巴', 'whole')).toEqual(['=旗: 阿鲁巴', '=旗', '=阿鲁巴']);
    expect(terms('图片2', 'whole')).toEqual(['=图片2', '=图片']);
  });

  test('never pairs characters across a separator', () => {
    expect(terms('上-下', 'pair')).toEqual([]);
  });

  test('loses no letter and no digit', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const normal = normalise(text);
        const words = tokenise(normal).filter((token) => token.kind === 'word' || token.kind === 'single');
        const kept = words.map((token) => token.term).join('');
        const letters = Array.from(normal).filter((character) => /[\p{L}\p{N}\p{M}]/u.test(character));
        for (const letter of letters) expect(kept).toContain(letter);
      }),
    );
  });

  test('gives a part of a text no term that the text itself lacks, wholes and edges apart', () => {
    fc.assert(
      fc.property(anyText, anyText, (left, right) => {
        expect(gramsOf(`${left} ${right}`)).toEqual(expect.arrayContaining([...gramsOf(left), ...gramsOf(right)]));
      }),
    );
  });
});

describe('recode', () => {
  test('is undone by decode and keeps Latin words as they are', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const term = normalise(text);
        fc.pre(!/[A-P]{4}/.test(term));
        expect(decode(recode(term))).toBe(term);
      }),
    );
    expect(recode('wifi')).toBe('wifi');
  });
});
