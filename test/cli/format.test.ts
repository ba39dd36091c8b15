// Columns on a terminal, where a Chinese character takes two.

import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fitTable, type Saving, wrapText } from '../../src/cli/terminal/fit-table.js';
import { displayWidth } from '../../src/cli/terminal/fit-table.js';
import { formatMinute, formatTable, inLocalTime, sanitize } from '../../src/cli/terminal/format.js';

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
    ['👍🏽', 2],
    ['🇨🇳', 2],
    ['❤️', 2],
    ['각', 2],
    ['\u1100\u1161\u11A8', 2],
  ])('of %j is %i', (text, width) => expect(displayWidth(text)).toBe(width));
});

describe('formatTable', () => {
  it('shows instants in the time of this machine, and what is none as it is', () => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(inLocalTime('told 2026-11-28T15:13:15.068Z.')).toBe('told 2026-11-29 00:13:15.');
    expect(formatMinute('2026-11-28T15:13:15.068Z')).toBe('2026-11-29 00:13');
    expect(inLocalTime('2026-99-28T07:13:15Z')).toBe('2026-99-28T07:13:15Z');
  });

  it('makes columns as wide as their widest cell and leaves empty ones out', () => {
    const rows = [
      ['', 'title', '', 'preset'],
      ['', '生日蛋糕', '', 'a'],
      ['', 'x', '', 'b'],
    ];
    expect(formatTable(rows)).toEqual(['title     preset', '生日蛋糕  a', 'x         b']);
  });
});

describe('fitTable', () => {
  const head = ['title', 'shape', 'preset', 'why'];
  const rows = [
    ['生日蛋糕生日蛋糕', 'square 512×512', 'food/birthday-cake', '蛋糕 (title), 生日 (keyword)'],
    ['👍🏽🇨🇳e\u0301', 'tall 9×16', 'food/a', ''],
  ];
  const savings: Saving[] = [
    ['shape', 'word'],
    ['why', 16],
    ['title', 8],
    ['why', 'below'],
    ['shape', 'nothing'],
  ];
  const at = (width: number, one = savings) => fitTable({ head, rows, savings: one }, { width, faint: (text) => text });

  it('leaves a table that fits as it is', () => {
    const [first = ''] = at(Infinity);
    expect(at(displayWidth(at(Infinity)[1] ?? ''))).toEqual(at(Infinity));
    expect(first).toMatch(/^title +shape +preset +why$/);
  });

  it('lets columns give way in their order, and no other', () => {
    const second = (width: number) => at(width)[1];
    expect(second(80)).toBe('生日蛋糕生日蛋糕  square  food/birthday-cake  蛋糕 (title), 生日 (keyword)');
    expect(second(64)).toBe('生日蛋糕生日蛋糕  square  food/birthday-cake  蛋糕 (title),…');
    expect(second(56)).toMatch(/^生日蛋\S*… +square {2}food/);
    expect(at(50).slice(1, 3)).toEqual(['生日蛋…  square  food/birthday-cake', '  蛋糕 (title), 生日 (keyword)']);
    expect(at(30).slice(0, 2)).toEqual(['title    preset', '生日蛋…  food/birthday-cake']);
  });

  it.each([12, 20, 24, 30, 37, 40, 55, 66, 79])('wraps no cell at %i columns, and cuts no preset', (width) => {
    for (const one of [savings, []]) {
      const lines = at(width, one);
      expect(lines.filter((line) => displayWidth(line) > Math.max(width, 20))).toEqual([]);
      expect(lines.some((line) => line.includes('food/birthday-cake'))).toBe(true);
    }
  });

  it('goes on below its own beginning with a sentence in a table without a head', () => {
    const lines = fitTable({ rows: [['ok', 'disk', 'Run "svcd doctor --fix" or wait']] }, { width: 34, faint: String });
    expect(lines).toEqual(['ok  disk  Run "svcd doctor --fix"', '          or wait']);
  });
});

describe('wrapText', () => {
  it('breaks between words and Chinese characters, not before their punctuation', () => {
    expect(wrapText('生日蛋糕，蜡烛 and cake', 8)).toEqual(['生日蛋', '糕，蜡烛', 'and cake']);
    expect(wrapText('a https://x.example/long b', 8)).toEqual(['a', 'https://x.example/long', 'b']);
  });
});

describe('sanitize', () => {
  it('takes from a text what could steer a terminal', () => {
    expect(sanitize('a\u001B[2Jb\nc\u202Ed')).toBe('a [2Jb c d');
  });
});
