// What a search does when nothing has every word, and when there is nothing at all.

import { describe, expect, it } from 'vitest';
import { readCatalogue, libraryForFile, SHIPPED_SYNONYMS, sticker } from './scratch-library.js';

const library = libraryForFile(readCatalogue, SHIPPED_SYNONYMS);

const titles = (query: string, limit = 12) => library.search(query, limit).hits.map(({ sticker: { title } }) => title);

describe('a query of several words', () => {
  it('is left alone when something has them all', () => {
    expect(library.search('生日 蛋糕', 12).dropped).toEqual([]);
    expect(library.search('生日蛋糕', 12).dropped).toEqual([]);
  });

  it('loses the word that nothing has', () => {
    const { dropped, hits } = library.search('蛋糕 龘龘龘', 12);
    expect(dropped).toEqual(['龘龘龘']);
    expect(hits[0]!.sticker.title).toContain('蛋糕');
  });

  it('loses the least telling word, and lists first what has the others', () => {
    const { dropped, hits } = library.search('蛋糕 生日 潜水艇', 12);
    expect(dropped).toEqual(['潜水艇']);
    const [first] = hits;
    const words = [first!.sticker.title, ...first!.sticker.keywords].join(' ');
    for (const word of ['蛋糕', '生日', '潜水艇']) {
      if (!dropped.includes(word)) expect(words).toContain(word);
    }
  });

  it('is a list when there are five, of which the rarest does not decide', () => {
    const { dropped, hits } = library.search('生日 蛋糕 火箭 医院 潜水艇', 12);
    expect(dropped.length).toBeGreaterThan(0);
    expect(hits[0]!.sticker.title).toContain('蛋糕');
  });

  it.each(['shengri dangao', 'sr dangao', 'shengri 蛋糕'])('is understood when it is typed in pinyin: %s', (query) => {
    const { dropped } = library.search(query, 12);
    expect(dropped).toEqual([]);
    for (const title of titles(query, 6)) expect(title).toContain('蛋糕');
  });

  it.each(['chongqing huoguo', 'huoguo chongqing', 'chongqing 火锅'])(
    'loses the word in pinyin that nothing has: %s',
    (query) => {
      expect(library.search(query, 12).dropped).toEqual(['chongqing']);
      expect(titles(query, 3).join(' ')).toMatch(/火锅 .*火锅/);
    },
  );

  it('takes what is English for English, unless it spells whole syllables', () => {
    expect(titles('big dog', 3).join(' ')).toContain('狗');
  });

  it('loses what is beyond two dozen words, and says so', () => {
    const words = Array.from({ length: 26 }, (_, i) => `蛋糕${String.fromCharCode(0x4e00 + i)}`);
    const { dropped, hits } = library.search(words.join(' '), 12);
    expect(dropped).toEqual(words.slice(24));
    expect(hits.map(({ sticker: { preset } }) => preset)).toEqual(
      library.search(words.slice(0, 24).join(' '), 12).hits.map(({ sticker: { preset } }) => preset),
    );
  });

  it('is left alone when it is one word in pinyin', () => {
    expect(library.search('sheng ri', 12).dropped).toEqual([]);
    expect(titles('sheng ri').join(' ')).toContain('生日');
  });
});

describe('a query that finds nothing', () => {
  it.each([
    ['hamberger', 'hamburger', ['hamburger', 'hamper']],
    ['shengrj', '生日', []],
    ['dangoa', '蛋糕', []],
    ['brithday', 'birthday', []],
    ['zuqui', '足球', []],
    ['chrismas', 'christmas', []],
    ['computr', 'computer', []],
  ])('is answered with the words that %s may have meant', (typed, meant, words) => {
    const extra = words.map((word, i) => sticker(`typed/${i}`, '汉堡', [word]));
    if (extra.length > 0) library.importStickers(extra, `words of ${typed}`);
    const { hits, suggestions } = library.search(typed, 12);
    const found = [...suggestions, ...hits.flatMap((hit) => [hit.sticker.title, ...hit.sticker.keywords])];
    expect(found).toContain(meant);
  });

  it('suggests words, not stems', () => {
    const { suggestions } = library.search('competitin', 12);
    expect(suggestions).toContain('competition');
    expect(library.search('chrismas', 12).suggestions).not.toContain('christma');
  });

  it('suggests Han words with one character changed, each of which finds something', () => {
    const { suggestions } = library.search('彩洪', 12);
    expect(suggestions).toContain('彩虹');
    for (const word of suggestions) expect(library.search(word, 1).direct).toBeGreaterThan(0);
  });

  it('suggests nothing when something was found, or nothing is near', () => {
    expect(library.search('彩虹', 12).suggestions).toEqual([]);
    expect(library.search('龘龘龘龘', 12).suggestions).toEqual([]);
    expect(library.search('xqzxqzvv', 12).suggestions).toEqual([]);
  });
});

describe('completing a word', () => {
  const complete = (text: string) => library.complete(text, 10).map(({ word }) => word);

  it.each(['shengr', 'shengri', 'sr'])('knows what %s begins to spell', (typed) => {
    expect(complete(typed).some((word) => word.startsWith('生日'))).toBe(true);
  });

  it('does not read Han aloud', () => {
    expect(complete('声日')).toEqual([]);
  });
});

describe('the total', () => {
  it('is not made of stickers that only mean the same', () => {
    library.importStickers([sticker('odd/one', '锟斤拷', [])], 'odd');
    const { total } = library.search('锟斤拷', 12);
    expect(total).toBeLessThan(100);
  });
});
