// Columns on a terminal, where a Chinese character takes two.

import { describe, expect, it } from 'vitest';
import { displayWidth, formatTable, sanitize } from '../../src/cli/format.js';

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

describe('sanitize', () => {
  it('takes from a text what could steer a terminal', () => {
    expect(sanitize('a\u001B[2Jb\nc\u202Ed')).toBe('a [2Jb c d');
  });
});
