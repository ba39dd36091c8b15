import { closeSync, existsSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Library } from '../../src/library/library.js';
import { LIBRARY_MIGRATIONS } from '../../src/library/storage/sticker-schema.js';
import { openDatabase } from '../../src/platform/open-database.js';
import { readCatalogue, scratchLibrary, sticker, SYNONYMS, type ScratchLibrary } from './scratch-library.js';

const some = [
  sticker('set/cake', '生日蛋糕', ['生日', '蛋糕'], { width: 512, color: '#ff0000' }),
  sticker('set/balloon', '气球', ['生日', '庆祝']),
  sticker('set/rain', '下雨', ['雨', '天气']),
  sticker('set/wifi', '无线网络', ['Wi-Fi', 'WLAN']),
];

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

function reopen(synonyms?: string): void {
  library.close();
  scratch.events.length = 0;
  library = scratch.open(synonyms);
}

function find(query: string): string[] {
  return library.search(query, 12).hits.map((hit) => hit.sticker.preset);
}

function builds(): number {
  return scratch.events.filter((event) => event.name === 'library indexed').length;
}

describe('an empty library', () => {
  test('answers with nothing', () => {
    expect(library.size).toBe(0);
    expect(library.search('生日', 12)).toMatchObject({ total: 0, direct: 0, hits: [] });
    expect(library.match({ text: '生日', limit: 12 })).toEqual({
      extractedKeywords: [],
      negated: [],
      total: 0,
      direct: 0,
      hits: [],
    });
    expect(library.findSticker('set/cake')).toBeUndefined();
  });
});

describe('what a preset is called', () => {
  test('is found by the whole of it and by each word, and is neither title nor keyword', () => {
    const named = [
      sticker('set/money-bag', '钱袋', ['发财']),
      sticker('own/money-tree', '存钱罐'),
      sticker('set/0a-1f', '硬币'),
    ];
    library.importStickers([...some, ...named], 'test');
    for (const query of ['money bag', 'bag', 'money']) expect(find(query)[0]).toBe('set/money-bag');
    expect(find('tree')).toEqual([]);
    const reasons = library.match({ keywords: ['bag'], limit: 12 }).hits.flatMap((hit) => hit.reasons);
    expect(reasons.map(({ source }) => source)).toEqual(['synonym']);
    reopen();
    expect(find('money bag')[0]).toBe('set/money-bag');
  });
});

describe('importing', () => {
  test('makes stickers known, whole, by preset and by words', () => {
    expect(library.importStickers(some, 'test')).toEqual({ added: 4, changed: 0, unchanged: 0, refused: 0 });
    expect(library.size).toBe(4);
    expect(library.findSticker('set/cake')).toEqual(some[0]);
    expect(find('生日')).toEqual(['set/cake', 'set/balloon']);
  });

  test('the same again changes nothing, not even the revision', () => {
    library.importStickers(some, 'test');
    const { revision } = library;
    expect(library.importStickers(some, 'again').unchanged).toBe(4);
    expect(library.revision).toBe(revision);
  });

  test('a thin record never erases a rich one', () => {
    library.importStickers(some, 'test');
    library.importStickers([sticker('set/cake', '生日蛋糕', [], { duration: 2 })], 'thin');
    expect(library.findSticker('set/cake')).toEqual({ ...some[0], duration: 2 });
  });

  test('a newer title and more keywords are taken over, found at once, and the revision tells', () => {
    library.importStickers(some, 'test');
    const { revision } = library;
    expect(find('毛毛雨')).not.toContain('set/cake');
    library.importStickers([sticker('set/rain', '毛毛雨', ['伞'])], 'newer');
    expect(library.revision).not.toBe(revision);
    expect(find('毛毛雨')).toEqual(['set/rain']);
    expect(library.findSticker('set/rain')?.keywords).toEqual(['雨', '天气', '伞']);
  });

  test('a record without preset or title is refused, the others are kept', () => {
    const result = library.importStickers([sticker('', '无名'), sticker('x', ' '), ...some], 'test');
    expect(result).toMatchObject({ added: 4, refused: 2 });
  });

  test('an import that breaks off leaves nothing behind', () => {
    expect(() => library.importStickers(cutShort(), 'broken')).toThrow('cut short');
    expect(library.size).toBe(0);
    expect(library.findSticker('set/cake')).toBeUndefined();
    expect(library.hasImported('broken')).toBe(false);
  });

  test('remembers which sources were read, also after a restart', () => {
    library.importStickers(some, 'catalogue 1');
    reopen();
    expect(library.hasImported('catalogue 1')).toBe(true);
    expect(library.hasImported('catalogue 2')).toBe(false);
    expect(library.size).toBe(4);
  });
});

describe('two remotes in one file', () => {
  test('know nothing of each other, and keep what they have', () => {
    library.importStickers(some, 'catalogue');
    library.prepare();
    library.close();
    library = scratch.open('', 'another');
    expect(library).toMatchObject({ size: 0, revision: 0 });
    expect(library.hasImported('catalogue')).toBe(false);
    library.importStickers([sticker('set/cake', '钢琴', ['乐器'])], 'catalogue');
    expect(find('生日')).toEqual([]);
    expect(find('钢琴')).toEqual(['set/cake']);
    reopen();
    expect(library.findSticker('set/cake')).toEqual(some[0]);
    expect(find('钢琴')).toEqual([]);
    expect(builds()).toBe(0);
  });
});

describe('the stored index', () => {
  beforeEach(() => {
    library.importStickers(some, 'test');
    library.prepare();
  });

  test('is loaded, not built, at the next start', () => {
    reopen();
    expect(find('生日')).toHaveLength(2);
    expect(builds()).toBe(0);
  });

  test('has what came after it, when the library was closed', () => {
    library.importStickers([sticker('set/candle', '蜡烛', ['生日'])], 'more');
    reopen();
    expect(find('生日')).toHaveLength(3);
    expect(builds()).toBe(0);
  });

  test('is built anew when stickers came after it and the library was never closed', () => {
    library.importStickers([sticker('set/candle', '蜡烛', ['生日'])], 'more');
    const before = builds();
    const next = scratch.open();
    expect(next.search('生日', 12).hits).toHaveLength(3);
    next.close();
    expect(builds()).toBe(before + 1);
  });

  test('is built anew when its bytes are damaged, and the answers are the same', () => {
    const before = library.search('生日', 12);
    library.close();
    const db = openDatabase(scratch.file, { migrations: LIBRARY_MIGRATIONS, durability: 'normal' });
    db.exec("UPDATE snapshot SET bytes = x'00112233'");
    db.close();
    library = scratch.open();
    expect(library.search('生日', 12)).toEqual(before);
    expect(builds()).toBe(2);
  });

  test('needs no building when only the synonyms are others', () => {
    reopen('贺岁点心 > 蛋糕');
    expect(find('贺岁点心')).toEqual(['set/cake']);
    expect(builds()).toBe(0);
  });
});

describe('a damaged file', () => {
  test.each([
    ['is no database at all', () => writeFileSync(scratch.file, 'x'.repeat(50_000))],
    ['holds other tables', () => replaceTables(scratch.file)],
    ['lost its first page', () => overwriteStart(scratch.file)],
  ])('that %s is set aside, kept, and replaced by an empty library', (_, damage) => {
    library.importStickers(some, 'test');
    library.close();
    damage();
    library = scratch.open();
    expect(library.setAside).toMatch(/library\.db\.damaged-\d+$/);
    expect(statSync(library.setAside!).size).toBeGreaterThan(0);
    expect(existsSync(scratch.file)).toBe(true);
    expect(scratch.events.map((event) => event.name)).toContain('library set aside');
    expect(library.size).toBe(0);
    expect(library.importStickers(some, 'test').added).toBe(4);
    expect(find('生日')).toHaveLength(2);
  });

  test('a sound file is never set aside', () => {
    reopen();
    expect(library.setAside).toBeUndefined();
  });
});

describe('searching', () => {
  beforeEach(() => void library.importStickers(some, 'test'));

  test('finds single characters, Latin words in any case or width, and the beginnings of these', () => {
    expect(find('雨')).toEqual(['set/rain']);
    expect(find('ｗｌａｎ')).toEqual(['set/wifi']);
    expect(find('WL')).toEqual(['set/wifi']);
  });

  test('a query of no letters finds nothing and harms nothing', () => {
    for (const query of ['', ' ', '???', '\uD800', '='.repeat(500)]) {
      expect(library.search(query, 12)).toMatchObject({ total: 0, direct: 0, hits: [] });
    }
  });

  test('takes an emoji for its name', () => {
    expect(find('🎂')[0]).toBe('set/cake');
  });

  test('lists what shares only a character after what shares a word', () => {
    const { hits, direct, total } = library.search('下雨 生日', 12);
    expect(direct).toBe(3);
    expect(total).toBe(3);
    expect(hits).toHaveLength(3);
    library.importStickers([sticker('set/birth', '出生')], 'more');
    const more = library.search('下雨 生日', 12);
    expect(more).toMatchObject({ direct: 3, total: 4 });
    expect(more.hits.at(-1)?.sticker.preset).toBe('set/birth');
  });
});

describe('with the whole catalogue', () => {
  const catalogue = readCatalogue();
  const words = [...new Set(catalogue.flatMap(({ title, keywords }) => [title, ...keywords]))];
  const query = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }).map((all) => all.join(''));

  test('imports thousands of stickers, and orders as a longer page begins, the same every time', () => {
    library.importStickers(catalogue, 'catalogue');
    reopen(SYNONYMS);
    fc.assert(
      fc.property(query, (text) => {
        const twelve = library.search(text, 12);
        expect(library.search(text, 5).hits).toEqual(twelve.hits.slice(0, 5));
        expect(library.search(text, 50).hits.slice(0, 12)).toEqual(twelve.hits);
        expect(library.search(text, 12)).toEqual(twelve);
        expect(twelve.total).toBeGreaterThanOrEqual(twelve.hits.length);
        const scores = twelve.hits.map((hit) => hit.score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      }),
      { numRuns: 60 },
    );
  });
});

function* cutShort() {
  yield some[0]!;
  throw new Error('cut short');
}

function replaceTables(file: string): void {
  rmSync(file);
  const tables = LIBRARY_MIGRATIONS.map((_, i) => `CREATE TABLE other_${i} (one INTEGER) STRICT`);
  openDatabase(file, { migrations: tables, durability: 'normal' }).close();
}

function overwriteStart(file: string): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(4096, 7), 0, 4096, 0);
  closeSync(descriptor);
}
