// Columns on a terminal, where a Chinese character takes two.

import { describe, expect, it } from 'vitest';
import { displayWidth, fitColumns, formatTable, sanitize } from '../../src/cli/format.js';

describe('displayWidth', () => {
  it.each([
    ['cake', 4],
    ['生日', 4],
    ['（）', 4],
    ['ｱｲ', 2],
    ['🎂', 2],
    ['e\u0301', 1],
    ['\u001B[1mx\u001B[0m', 1],
    ['512×512', 7],
    ['', 0],
  ])('of %j is %i', (text, width) => expect(displayWidth(text)).toBe(width));
});

describe('formatTable', () => {
  it('makes columns as wide as their widest cell and leaves empty ones out', () => {
    const rows = [
      ['', 'title', '', 'preset'],
      ['', '生日蛋糕', '', 'a'],
      ['', 'x', '', 'b'],
    ];
    expect(formatTable(rows)).toEqual(['title     preset', '生日蛋糕  a', 'x         b']);
  });
});

describe('fitColumns', () => {
  const rows = [
    ['title', 'preset', 'why'],
    ['生日蛋糕生日蛋糕', 'food/birthday-cake', '\u001B[1m蛋糕 (title), 生日 (keyword)\u001B[0m'],
    ['x', 'food/a', ''],
  ];

  it('leaves a table that fits as it is', () => {
    expect(fitColumns(rows, [2, 0], Infinity)).toEqual(rows);
    expect(fitColumns(rows, [2, 0], 67)).toEqual(rows);
  });

  it('cuts the columns it may, in their order, and no other', () => {
    const cut = fitColumns(rows, [2, 0], 60);
    expect(cut[1]).toEqual(['生日蛋糕生日蛋糕', 'food/birthday-cake', '蛋糕 (title), 生日 (k…']);
    expect(fitColumns(rows, [2, 0], 40)[1]).toEqual(['生日蛋糕生…', 'food/birthday-cake', '蛋糕 (…']);
  });

  it.each([40, 50, 60, 66])('makes it no wider than %i', (width) => {
    for (const line of formatTable(fitColumns(rows, [2, 0], width)))
      expect(displayWidth(line)).toBeLessThanOrEqual(width);
  });

  it('keeps what says the least where nothing helps', () => {
    expect(fitColumns(rows, [2, 0], 10)[1]).toEqual(['生日蛋…', 'food/birthday-cake', '蛋糕 (…']);
  });
});

describe('sanitize', () => {
  it('takes from a text what could steer a terminal', () => {
    expect(sanitize('a\u001B[2Jb\nc\u202Ed')).toBe('a [2Jb c d');
  });
});
