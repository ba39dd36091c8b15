import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Library } from '../../src/library/library.js';
import { readCandidates } from '../../src/contract/read-candidates.js';
import { scratchLibrary, sticker, type ScratchLibrary } from './scratch-library.js';

let scratch: ScratchLibrary;
let library: Library;

beforeEach(() => {
  scratch = scratchLibrary();
  library = scratch.open();
});

afterEach(() => {
  library.close();
  scratch.remove();
});

const cake = { preset: 'food/cake', title: '蛋糕', keywords: ['生日', '甜点'], duration: 2, mood: 'happy' };
const balloon = { preset: 'party/balloon', title: '气球', keywords: ['生日'], cdn: { id: 7 } };
const car = { preset: 'road/car', title: '汽车', keywords: ['驾驶'] };

type Asked = Partial<Parameters<Library['learn']>[0]>;

function learn(records: object[], asked: Asked = {}, at = 1000) {
  const { candidates } = readCandidates({ results: records })!;
  return library.learn({ shape: 'search', words: [], candidates, ...asked }, at);
}

function find(query: string, limit = 12): string[] {
  return library.search(query, limit).hits.map((hit) => hit.sticker.preset);
}

describe('learning from an answer', () => {
  test('makes its stickers found, and says how many are new', () => {
    expect(learn([cake, balloon])).toMatchObject({ added: 2, unchanged: 0 });
    expect(find('蛋糕')).toEqual(['food/cake']);
    expect(learn([cake, car])).toMatchObject({ added: 1, unchanged: 1 });
    expect(library.size).toBe(3);
  });

  test('completes records and never thins them', () => {
    learn([cake]);
    expect(learn([{ preset: 'food/cake', title: '生日蛋糕' }])).toMatchObject({ changed: 1, added: 0 });
    const known = { preset: 'food/cake', title: '生日蛋糕', keywords: ['生日', '甜点'], duration: 2 };
    expect(library.findSticker('food/cake')).toEqual(known);
    expect(learn([{ preset: 'food/cake' }])).toMatchObject({ unchanged: 1 });
    expect(library.findSticker('food/cake')).toEqual(known);
  });

  test('refuses a record without a title that nobody else told', () => {
    expect(learn([{ preset: 'odd/one' }])).toMatchObject({ refused: 1, added: 0 });
    expect(library.size).toBe(0);
  });

  test('keeps the originals of different calls apart, each merged from all it was given', () => {
    learn([cake]);
    learn([{ ...cake, mood: '', extra: 1 }]);
    learn([{ preset: 'food/cake', title: '蛋糕', file: '/x' }], { shape: 'match' });
    expect(library.findOriginal('food/cake', 'search')).toEqual({ ...cake, extra: 1 });
    expect(library.findOriginal('food/cake', 'match')).toEqual({
      preset: 'food/cake',
      title: '蛋糕',
      file: '/x',
    });
  });

  test('is remembered after a restart, with its order and its originals', () => {
    learn([cake, car], { words: ['快乐'] });
    library.close();
    library = scratch.open();
    expect(find('快乐')).toEqual(['food/cake', 'road/car']);
    expect(library.findOriginal('food/cake', 'search')).toEqual(cake);
  });

  test('belongs to its remote alone', () => {
    learn([cake], { words: ['快乐'] });
    library.close();
    library = scratch.open('', 'another');
    expect(find('快乐')).toEqual([]);
    expect(library.findOriginal('food/cake', 'search')).toBeUndefined();
  });
});

describe('what the remote returned for words', () => {
  test('comes behind what is found directly and before what shares single characters only', () => {
    library.importStickers([sticker('a/direct', '快乐'), sticker('b/weak', '快车'), sticker('c/none', '石头')], 'test');
    learn([{ ...car }, { preset: 'a/direct', title: '快乐' }], { words: ['快乐'] });
    expect(find('快乐')).toEqual(['a/direct', 'road/car', 'b/weak']);
    expect(library.search('快乐', 12).direct).toBe(2);
    expect(library.search('快乐', 2).hits).toHaveLength(2);
  });

  test('is evidence for the order when it was asked for these words alone, though weaker than our own', () => {
    const named = (i: number) => `蛋糕${String.fromCodePoint(0x5000 + 7 * i)}`;
    const cakes = Array.from({ length: 60 }, (_, i) => sticker(`cake/${i}`, named(i)));
    library.importStickers([...cakes, sticker('z/tea', '蛋糕和茶', ['茶', '下午'])], 'test');
    const alone = find('蛋糕').slice(0, 10);
    const last = cakes.find(({ preset }) => !alone.includes(preset))!;
    const both = [car, { preset: last.preset, title: last.title }];
    learn(both, { shape: 'match', words: ['蛋糕', '出门'] });
    expect(find('蛋糕').slice(0, 10)).toEqual(alone);
    learn(both, { words: ['蛋糕'] });
    const found = find('蛋糕').slice(0, 10);
    // What both find comes first, what only the remote finds on the first page, behind some of ours.
    expect(found[0]).toBe(last.preset);
    expect(found.indexOf('road/car')).toBeGreaterThan(2);
    expect(found).not.toContain('z/tea');
  });

  test('is found in any spelling of the same words', () => {
    learn([car], { words: [' ＷＩＮＤ '] });
    expect(find('wind')).toEqual(['road/car']);
  });

  test('is told apart by the reasons when several words were asked at once', () => {
    const because = (keyword: string) => ({ reasons: [{ keyword, field: 'title', source: 'direct' }] });
    const records = [
      { ...cake, ...because('节日') },
      { ...car, ...because('出门') },
    ];
    learn(records, { shape: 'match', words: ['节日', '出门'] });
    expect(find('节日')).toEqual(['food/cake']);
    expect(find('出门')).toEqual(['road/car']);
    // Asked alone it counts more, and a later part of a longer question does not replace it.
    learn([balloon, cake], { words: ['节日'] });
    learn(records, { shape: 'match', words: ['节日', '出门'] });
    expect(find('节日')).toEqual(['party/balloon', 'food/cake']);
  });
});

describe('synonyms in the reasons of the remote', () => {
  // 哐啷 is a word that no table joins with anything.
  const bySynonym = (record: object, keyword: string) => ({
    ...record,
    reasons: [{ keyword, field: 'keywords', source: 'synonym' }],
  });

  test('are what the stickers found that way have in common', () => {
    learn([bySynonym(cake, '哐啷'), bySynonym(balloon, '哐啷')], { shape: 'match', words: ['哐啷', '别的'] });
    library.importStickers([sticker('later/one', '生日')], 'test');
    expect(find('哐啷')).toContain('later/one');
  });

  test('are the words named that nobody asked for', () => {
    learn([bySynonym(cake, '甜点')], { shape: 'match', words: ['点心盘'] });
    library.importStickers([sticker('later/one', '甜点')], 'test');
    expect(find('点心盘')).toContain('later/one');
  });

  test('are not guessed from one sticker', () => {
    learn([bySynonym(cake, '哐啷')], { shape: 'match', words: ['哐啷', '别的'] });
    library.importStickers([sticker('later/one', '生日')], 'test');
    expect(find('哐啷')).not.toContain('later/one');
  });
});

describe('a sticker that the remote no longer knows', () => {
  beforeEach(() => {
    library.importStickers([sticker('a/1', '蛋糕'), sticker('a/2', '蛋糕店'), sticker('a/3', '蛋糕盘')], 'test');
  });

  test('sinks below all others and beyond the page', () => {
    expect(find('蛋糕')[0]).toBe('a/1');
    library.markGone('a/1', 5);
    expect(find('蛋糕').at(-1)).toBe('a/1');
    expect(find('蛋糕', 2)).not.toContain('a/1');
    const matched = library.match({ keywords: ['蛋糕'], limit: 12 }).hits;
    expect(matched.at(-1)?.sticker.preset).toBe('a/1');
  });

  test('stays down after a restart, and comes back when it is seen', () => {
    library.markGone('a/1', 5);
    library.close();
    library = scratch.open();
    expect(find('蛋糕').at(-1)).toBe('a/1');
    expect([...learn([{ preset: 'a/1', title: '蛋糕' }]).back]).toEqual(['a/1']);
    expect(find('蛋糕')[0]).toBe('a/1');
  });

  test('changes answers that were remembered', () => {
    const before = library.revision;
    library.markGone('a/1', 5);
    expect(library.revision).not.toBe(before);
  });
});

describe('being complete', () => {
  test('is remembered until taken back', () => {
    expect(library.isComplete()).toBe(false);
    library.setComplete(true);
    library.close();
    library = scratch.open();
    expect(library.isComplete()).toBe(true);
    library.setComplete(false);
    expect(library.isComplete()).toBe(false);
  });
});
