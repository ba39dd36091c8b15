// What changes is put into the index while it answers: a few at once, many in steps between which others have their turn;
// and whenever it is broken off the library is sound.

import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCandidates } from '../../src/contract/read-candidates.js';
import { Harvest } from '../../src/harvest/harvest.js';
import { openLibrary, type Library } from '../../src/library/library.js';
import { systemClock } from '../../src/platform/clock.js';
import { silentLog } from '../../src/platform/log.js';
import { scratchLibrary, sticker, type ScratchLibrary } from './scratch-library.js';

const HAN = Array.from({ length: 400 }, (_, i) => String.fromCharCode(0x4e00 + 7 * i));
const numbered = (name: string, count: number, keyword: string) =>
  Array.from({ length: count }, (_, i) =>
    sticker(`${name}/${i}`, `${HAN[i % 400]}${HAN[(i * 13 + 5) % 400]}`, [keyword]),
  );
const OLD = numbered('old', 1200, '䨻䲜');
const FEW = numbered('few', 300, '䴔䵵');
const MANY = numbered('many', 1500, '䶀䶁');

let scratch: ScratchLibrary;
let library: Library | undefined;
beforeEach(() => {
  scratch = scratchLibrary();
});
afterEach(() => {
  library?.close();
  library = undefined;
  scratch.remove();
});

function open(): Library {
  return (library = scratch.open());
}

/** With the old ones, ready. */
function opened(): Library {
  const of = open();
  of.importStickers(OLD, 'old');
  of.prepare();
  return of;
}

const totals = (of: Library) => ['䨻䲜', '䴔䵵', '䶀䶁'].map((word) => of.search(word, 12).total);
const learn = (of: Library, stickers: readonly object[]) =>
  of.learn(
    {
      shape: 'search',
      words: [],
      candidates: readCandidates({ results: [...stickers] })!.candidates,
      askedBy: 'harvest',
    },
    1,
  );

describe('what is new', () => {
  it('is found at once where it is little', () => {
    const of = opened();
    const before = of.revision;
    of.importStickers(FEW, 'few');
    expect(totals(of)).toEqual([1200, 300, 0]);
    expect(of.revision).toBeGreaterThan(before);
  });

  it('is found bit by bit where it is much, and then all of it', async () => {
    const of = opened();
    of.importStickers(MANY, 'many');
    expect(totals(of)).toEqual([1200, 0, 0]);
    const before = of.revision;
    let last = 0;
    for (let found = 0; found < MANY.length; found = of.search('䶀䶁', 12).total) {
      expect(found).toBeGreaterThanOrEqual(last);
      last = found;
      await nextTurn();
    }
    expect(of.revision).toBeGreaterThan(before);
    await of.untilFound();
    expect(totals(of)).toEqual([1200, 0, MANY.length]);
  });

  it('meanwhile is not lost, and the newest state counts', async () => {
    const of = opened();
    of.importStickers(MANY, 'many');
    of.importStickers([sticker('late/one', '䴔䵵')], 'late');
    of.importStickers([{ ...MANY[1400]!, title: '万花筒', keywords: [] }], 'later');
    await of.untilFound();
    expect(totals(of)).toEqual([1200, 1, MANY.length]);
    expect(of.search('万花筒', 12).hits[0]!.sticker.preset).toBe('many/1400');
  });

  it('leaves others their turn, at a fresh home too', async () => {
    const of = open();
    of.importStickers(OLD, 'old');
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await of.prepareBeside();
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
    expect(totals(of)).toEqual([1200, 0, 0]);
  });

  it('is all there for a question that comes while an index is built', async () => {
    const of = open();
    of.importStickers(OLD, 'old');
    const prepared = of.prepareBeside();
    await nextTurn();
    of.importStickers(FEW, 'few');
    expect(of.search('䨻䲜', 12).total).toBe(1200);
    await prepared;
    await of.untilFound();
    expect(totals(of)).toEqual([1200, 300, 0]);
  });

  it('is as an index has it that is built of everything', async () => {
    const of = opened();
    of.importStickers(FEW, 'few');
    of.importStickers(MANY, 'many');
    await of.untilFound();
    const words = ['䨻䲜', '䶀䶁', HAN[5]!, `${HAN[0]}${HAN[5]}`, '潜水艇 䨻䲜'];
    const scores = (from: Library) =>
      words.map((word) => from.search(word, 50).hits.map(({ score }) => score.toFixed(3)));
    const changed = scores(of);
    const other = scratchLibrary();
    const built = other.open();
    built.importStickers([...OLD, ...FEW, ...MANY], 'all');
    expect(scores(built)).toEqual(changed);
    built.close();
    other.remove();
  });

  it('is kept when the library is closed, so that the next start builds nothing', async () => {
    const of = opened();
    of.importStickers(FEW, 'few');
    of.importStickers(MANY, 'many');
    await of.untilFound();
    of.close();
    scratch.events.length = 0;
    expect(totals(open())).toEqual([1200, 300, MANY.length]);
    expect(scratch.events.map(({ name }) => name)).not.toContain('library indexed');
  });

  it('is listed in preset order among the others', () => {
    const of = opened();
    of.importStickers([sticker('aaa/first', '第一')], 'first');
    const listed = of.find({ query: undefined, filter: {}, offset: 0, limit: 2 }).hits;
    expect(listed.map((hit) => hit.sticker.preset)).toEqual(['aaa/first', 'old/0']);
  });

  it('clears away what was dropped', () => {
    const of = opened();
    for (let round = 0; round < 5; round++) {
      for (let at = 0; at < OLD.length; at += 400) {
        const some = OLD.slice(at, at + 400).map((one) => ({ ...one, keywords: [`䨻䲜`, `第${round}`] }));
        of.importStickers(some, `${round} ${at}`);
      }
      expect(totals(of)).toEqual([1200, 0, 0]);
      expect(of.search('第' + String(round - 1), 12).hits.length).toBeLessThanOrEqual(12);
    }
    const capacity = of.list({ query: undefined, filter: {}, offset: 1199, limit: 5, order: 'best' });
    expect(capacity).toMatchObject({ total: 1200 });
  });
});

describe('an import', () => {
  const lines = (stickers: readonly object[]) =>
    stickers.map((one, i) => ({ number: i + 1, text: JSON.stringify(one) }));

  it('of any size is put in in steps: the index answers meanwhile, and has it all when the import ends', async () => {
    const of = open();
    of.importStickers(FEW, 'few');
    of.prepare();
    const imported = of.beginImport({ anyScope: true });
    imported.add(lines(numbered('more', 200, '䨻䲜')));
    const found = of.finishImport(imported);
    expect(totals(of)).toEqual([0, 300, 0]);
    await found;
    expect(totals(of)).toEqual([200, 300, 0]);
  });

  it('takes as many lines as fit into a step, and goes on behind them', () => {
    const imported = open().beginImport({ anyScope: true });
    const given = lines(numbered('more', 5, '䨻䲜'));
    let left = 2;
    const taken = imported.add(given, () => --left === 0);
    expect([taken, imported.report.added]).toEqual([2, 2]);
    expect(imported.add(given.slice(taken))).toBe(3);
    expect(imported.report).toMatchObject({ lines: 5, added: 5 });
  });
});

describe('a build that is broken off', () => {
  it.each([0, 20, 80, 200])('after %i ms leaves a sound library', async (ms) => {
    const first = opened();
    first.importStickers(MANY, 'many');
    await sleep(ms);
    first.close();
    const of = open();
    await of.untilFound();
    expect(totals(of)).toEqual([1200, 0, MANY.length]);
  });
});

describe("stickers of the user's own", () => {
  const mine = sticker('own/logo', '自家标志', ['䨻䲜']);

  it('come, change and go in place', () => {
    const of = opened();
    of.setOwnStickers([mine]);
    const listed = (word: string) => of.search(word, 12).hits.map(({ sticker: { title } }) => title);
    expect(listed('自家标志')[0]).toBe('自家标志');
    expect(totals(of)).toEqual([1201, 0, 0]);
    of.setOwnStickers([{ ...mine, title: '招牌', keywords: [] }]);
    expect(listed('自家标志')).not.toContain('自家标志');
    expect(listed('招牌')[0]).toBe('招牌');
    expect(totals(of)).toEqual([1200, 0, 0]);
    of.setOwnStickers([]);
    expect(listed('招牌')).not.toContain('招牌');
    expect(of.complete('招', 5).map(({ word }) => word)).not.toContain('招牌');
  });

  it('are found at once, although a harvest learned many that are not indexed yet', async () => {
    const of = opened();
    learn(of, FEW);
    of.setOwnStickers([mine]);
    expect(of.search('自家标志', 12).hits[0]?.sticker.title).toBe('自家标志');
    expect(totals(of)).toEqual([1201, 0, 0]);
    await of.freshen();
    await of.untilFound();
    expect(totals(of)).toEqual([1201, 300, 0]);
  });

  it('that stand in the index itself go from it', () => {
    const of = open();
    of.setOwnStickers([mine]);
    of.importStickers(OLD, 'old');
    of.prepare();
    expect(of.search('自家标志', 12).hits[0]?.sticker.title).toBe('自家标志');
    of.setOwnStickers([]);
    expect(of.search('自家标志', 12).hits.map(({ sticker: { title } }) => title)).not.toContain('自家标志');
    expect(of.search('自家标志 䨻䲜', 12).hits.map(({ sticker: { title } }) => title)).not.toContain('自家标志');
  });

  it('that came and went while others are put in are in none, and nothing complains', async () => {
    const of = opened();
    of.importStickers(MANY, 'many');
    of.setOwnStickers([mine]);
    of.setOwnStickers([]);
    await of.untilFound();
    expect(totals(of)).toEqual([1200, 0, MANY.length]);
    expect(scratch.events.map(({ name }) => name)).not.toContain('library not indexed anew');
  });

  it('that went while an index is built do not come back with it', async () => {
    const of = open();
    of.setOwnStickers([mine]);
    of.importStickers(OLD, 'old');
    const prepared = of.prepareBeside();
    await nextTurn();
    of.setOwnStickers([]);
    await prepared;
    await of.untilFound();
    expect(totals(of)).toEqual([1200, 0, 0]);
  });

  it('that went when they were read already, but not put in, do not come back with it', async () => {
    // A step of this clock is one sticker; the last rows of the library are read at once.
    let ms = 0;
    const clock = { ...systemClock, monotonic: () => (ms += 1000) };
    const of = (library = openLibrary({
      file: scratch.file,
      scope: 'test',
      synonyms: () => '',
      clock,
      log: silentLog,
    }));
    of.setOwnStickers([mine]);
    of.importStickers(OLD, 'old');
    const prepared = of.prepareBeside();
    while ((of.building() ?? 1) < 0.95) await nextTurn();
    of.setOwnStickers([]);
    await prepared;
    expect(of.search('自家标志', 12).hits.map(({ sticker: { title } }) => title)).not.toContain('自家标志');
    expect(totals(of)).toEqual([1200, 0, 0]);
  });
});

it('other synonyms are searched with, whoever reads them first', async () => {
  let table = '';
  library = openLibrary({
    file: scratch.file,
    scope: 'test',
    synonyms: () => table,
    log: silentLog,
  });
  library.importStickers(OLD, 'old');
  expect(library.search('哐啷', 12).total).toBeLessThan(OLD.length);
  table = '哐啷 䨻䲜';
  const before = library.revision;
  library.reloadSynonyms();
  expect(library.revision).toBeGreaterThan(before);
  // A harvest begins with the words that have synonyms.
  await new Harvest(library).open();
  expect(library.search('哐啷', 12).total).toBe(OLD.length);
});

it('tells how much is done of what is put in in steps, and nothing when it is over', async () => {
  const of = opened();
  expect(of.building()).toBeUndefined();
  of.importStickers(MANY, 'many');
  expect(of.building()).toBe(0);
  const parts: number[] = [];
  for (let part = of.building(); part !== undefined; part = of.building()) {
    parts.push(part);
    await nextTurn();
  }
  expect(parts).toEqual(parts.toSorted((a, b) => a - b));
  expect(parts.at(-1)).toBeGreaterThan(0);
});
