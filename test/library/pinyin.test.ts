import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalise } from '../../src/library/language/normalise.js';
import {
  initialsOf,
  matchPinyin,
  parsePinyin,
  possibleInitials,
  readAloud,
} from '../../src/library/language/pinyin.js';
import { isSpelledOut } from '../../data/glosses/build/spelled-out.js';
import { readCatalogue } from './scratch-library.js';

describe('reading aloud', () => {
  test.each([
    ['生日蛋糕', 'sheng ri dan gao'],
    ['银行', 'yin hang'],
    ['行李箱', 'xing li xiang'],
    ['音乐', 'yin yue'],
    ['快乐', 'kuai le'],
    ['长大', 'zhang da'],
    ['长城', 'chang cheng'],
    ['重庆火锅', 'chong qing huo guo'],
    ['重要', 'zhong yao'],
    ['会计', 'kuai ji'],
    ['睡觉', 'shui jiao'],
    ['觉得', 'jue de'],
    ['头发', 'tou fa'],
    ['调色盘', 'tiao se pan'],
    ['都市', 'du shi'],
    ['还书', 'huan shu'],
    ['着火', 'zhao huo'],
    ['地图', 'di tu'],
    ['绿色', 'lv se'],
    ['女生', 'nv sheng'],
    ['省略', 'sheng lue'],
    ['AI助手', 'ai zhu shou'],
    ['618大促', '618 da cu'],
    ['4s店', '4s dian'],
    ['笑出眼泪，真的！', 'xiao chu yan lei zhen de'],
  ])('%s is %s', (text, reading) => {
    expect(readAloud(normalise(text)).join(' ')).toBe(reading);
  });

  test('gives the first letters people type', () => {
    expect(initialsOf(readAloud('生日蛋糕'))).toBe('srdg');
    expect(initialsOf(readAloud('618大促'))).toBe('618dc');
  });

  test('knows every Han character of the catalogue', () => {
    const text = readCatalogue()
      .map(({ title, keywords }) => [title, ...keywords].join(''))
      .join('');
    const silent = [...new Set(normalise(text))].filter((c) => /\p{Script=Han}/u.test(c) && readAloud(c).length === 0);
    // Two rare characters of Hong Kong shop names, and the mark that repeats a character.
    expect(silent.length).toBeLessThan(5);
  });
});

describe('typed pinyin', () => {
  test.each([
    ['shengri', ['shengri']],
    ['Sheng Ri', ['sheng', 'ri']],
    ['shēngrì', ['shengri']],
    ['sheng1ri4', ['sheng', 'ri']],
    ["xi'an", ['xi', 'an']],
    ['lǜsè', ['lvse']],
    ['lüse', ['lvse']],
    ['lu:4', ['lv']],
    ['shenglve', ['shenglue']],
  ])('%s is read as %j', (typed, runs) => {
    expect(parsePinyin(typed)).toEqual(runs);
  });

  test.each(['生日', 'sheng日', '618', 'a+b', '', '  ', 'сон'])('%j is no pinyin', (typed) => {
    expect(parsePinyin(typed)).toBeUndefined();
  });

  test('is spelled out when it is whole syllables', () => {
    expect(isSpelledOut(['shengri'])).toBe(true);
    expect(isSpelledOut(['sheng', 'ri'])).toBe(true);
    expect(isSpelledOut(['srdg'])).toBe(false);
    expect(isSpelledOut(['shengr'])).toBe(false);
    expect(isSpelledOut(['birthday'])).toBe(false);
  });

  test.each([
    ['shengridangao', 'full'],
    ['sheng ri dan gao', 'full'],
    ['srdg', 'initials'],
    ['s r d g', 'initials'],
    ['shengrdg', 'mixed'],
    ['srdangao', 'mixed'],
    ['shengridang', 'mixed'],
    ['shengridan', undefined],
    ['shengri', undefined],
    ['shengridangaoa', undefined],
    ['she ngri dan gao', undefined],
  ])('%s spells 生日蛋糕: %s', (typed, how) => {
    expect(matchPinyin(parsePinyin(typed)!, readAloud('生日蛋糕'))).toBe(how);
  });

  test('may shorten zh, ch and sh either way', () => {
    expect(matchPinyin(['zhs'], readAloud('助手'))).toBe('initials');
    expect(matchPinyin(['zsh'], readAloud('助手'))).toBe('initials');
    expect(possibleInitials(['zhsh'])).toContain('zs');
  });

  test('finds both ways to cut what can be cut in two', () => {
    expect(possibleInitials(['xian'])).toEqual(expect.arrayContaining(['x', 'xa']));
    expect(matchPinyin(['xian'], readAloud('西安'))).toBe('full');
    expect(matchPinyin(['xian'], readAloud('鲜'))).toBe('full');
    expect(matchPinyin(['xi', 'an'], readAloud('鲜'))).toBeUndefined();
  });

  const titles = [...new Set(readCatalogue().map(({ title }) => normalise(title)))].filter((title) =>
    /^[\u4E00-\u9FFF]{1,8}$/.test(title),
  );

  test('of any title matches the title, however it is shortened, and its initials are among the possible', () => {
    const shortened = fc.constantFrom(...titles).chain((title) => {
      const syllables = readAloud(title);
      return fc.record({
        title: fc.constant(title),
        parts: fc.tuple(
          ...syllables.map((syllable) => fc.constantFrom(syllable, syllable, syllable[0]!, `${syllable} `)),
        ),
      });
    });
    fc.assert(
      fc.property(shortened, ({ title, parts }) => {
        const runs = parsePinyin(parts.join(''))!;
        expect(matchPinyin(runs, readAloud(title))).toBeDefined();
        if (runs.join('').length <= 12) expect(possibleInitials(runs)).toContain(initialsOf(readAloud(title)));
      }),
    );
  });

  test('is never read in more than 32 ways, however long', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{0,200}$/), (letters) => {
        expect(possibleInitials([letters]).length).toBeLessThanOrEqual(32);
      }),
    );
  });
});
