// An index is built beside the one that answers, in a thread: nobody waits, the change-over is at once, and whenever it is
// broken off the library is sound.

import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCandidates } from '../../src/contract/read-candidates.js';
import { MAX_CHANGES } from '../../src/library/search-index/overlay.js';
import { Harvest } from '../../src/harvest/harvest.js';
import { openLibrary, type Library } from '../../src/library/library.js';
import { startRebuild, type StartRebuild } from '../../src/library/rebuild-index.js';
import { silentLog } from '../../src/platform/log.js';
import { scratchLibrary, sticker, type ScratchLibrary } from './scratch-library.js';

const HAN = Array.from({ length: 400 }, (_, i) => String.fromCharCode(0x4e00 + 7 * i));
const numbered = (name: string, count: number, keyword: string) =>
  Array.from({ length: count }, (_, i) =>
    sticker(`${name}/${i}`, `${HAN[i % 400]}${HAN[(i * 13 + 5) % 400]}`, [keyword]),
  );
const OLD = numbered('old', 1200, '灯笼');
const FEW = numbered('few', 300, '潜水艇');
const MANY = numbered('many', MAX_CHANGES + 200, '望远镜');

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

function open(rebuild: StartRebuild = startRebuild, log = silentLog): Library {
  library = openLibrary({ file: scratch.file, scope: 'test', synonyms: () => '', log, rebuild });
  return library;
}

const totals = (of: Library) => ['灯笼', '潜水艇', '望远镜'].map((word) => of.search(word, 12).total);

/** A rebuild by the real thread, whose result comes when the test lets it. */
function heldBack() {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const results: Promise<unknown>[] = [];
  const built: Promise<unknown>[] = [];
  const rebuild: StartRebuild = (file, scope) => {
    const real = startRebuild(file, scope);
    built.push(real.result);
    const result = released.then(() => real.result);
    results.push(result);
    return { result, stop: () => real.stop() };
  };
  const done = async () => {
    release();
    // One that is done may have found that another is needed.
    for (let i = 0; i < results.length; i++) await results[i];
    await sleep(0);
  };
  return { rebuild, done, started: () => results.length, built: () => Promise.all(built) };
}

it('has compiled code for its thread', () => {
  expect(existsSync(new URL('../../dist/rebuild-worker.js', import.meta.url)), 'npm run build').toBe(true);
});

describe('while an index is built', () => {
  it('the old one answers, with a few changes beside it, and nothing changes at the change-over', async () => {
    const held = heldBack();
    const of = open(held.rebuild);
    of.importStickers(OLD, 'old');
    of.prepare();
    of.importStickers(FEW, 'few');
    expect(held.started()).toBe(1);
    expect(totals(of)).toEqual([1200, 300, 0]);
    const before = of.revision;
    await held.done();
    expect(of.revision).toBeGreaterThan(before);
    expect(totals(of)).toEqual([1200, 300, 0]);
  });

  it('the old one answers alone when too much is new, and then all is found', async () => {
    const held = heldBack();
    const of = open(held.rebuild);
    of.importStickers(OLD, 'old');
    of.prepare();
    of.importStickers(MANY, 'many');
    expect(totals(of)).toEqual([1200, 0, 0]);
    await held.done();
    expect(totals(of)).toEqual([1200, 0, MANY.length]);
  });

  it('what comes in the meantime is not lost', async () => {
    const held = heldBack();
    const of = open(held.rebuild);
    of.importStickers(OLD, 'old');
    of.prepare();
    of.importStickers(FEW, 'few');
    of.importStickers([sticker('late/one', '望远镜')], 'late');
    of.importStickers([{ ...OLD[0]!, title: '万花筒' }], 'later');
    await held.done();
    expect(totals(of)).toEqual([1200, 300, 1]);
    expect(of.search('万花筒', 12).hits[0]!.sticker.preset).toBe('old/0');
  });

  it('others have their turn, at a fresh home too', async () => {
    const of = open();
    of.importStickers(OLD, 'old');
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await of.prepareBeside();
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
    expect(totals(of)).toEqual([1200, 0, 0]);
  });
});

describe('an import', () => {
  const lines = (stickers: readonly object[]) =>
    stickers.map((one, i) => ({ number: i + 1, text: JSON.stringify(one) }));

  it('of any size builds nothing on the event loop: the old index answers until the new one is there', async () => {
    const held = heldBack();
    const of = open(held.rebuild);
    of.importStickers(FEW, 'few');
    of.prepare();
    const imported = of.beginImport({ anyScope: true });
    imported.add(lines(numbered('more', 200, '灯笼')));
    const found = of.finishImport(imported);
    expect(held.started()).toBe(1);
    expect(totals(of)).toEqual([0, 300, 0]);
    await held.done();
    await found;
    expect(totals(of)).toEqual([200, 300, 0]);
  });

  it('that comes while an index is built is found when it is over, and what was learned all the time', async () => {
    const held = heldBack();
    const of = open(held.rebuild);
    of.importStickers(OLD, 'old');
    of.prepare();
    of.importStickers(FEW, 'few');
    await held.built();
    of.importStickers(numbered('learned', 100, '望远镜'), 'learned');
    await held.done();
    expect(totals(of)).toEqual([1200, 300, 100]);
    const imported = of.beginImport({ anyScope: true });
    imported.add(lines(numbered('more', 100, '望远镜')));
    await of.finishImport(imported);
    expect(totals(of)).toEqual([1200, 300, 200]);
  });

  it('takes as many lines as fit into a step, and goes on behind them', () => {
    const imported = open().beginImport({ anyScope: true });
    const given = lines(numbered('more', 5, '灯笼'));
    let left = 2;
    const taken = imported.add(given, () => --left === 0);
    expect([taken, imported.report.added]).toEqual([2, 2]);
    expect(imported.add(given.slice(taken))).toBe(3);
    expect(imported.report).toMatchObject({ lines: 5, added: 5 });
  });
});

describe('a build that is broken off', () => {
  it.each([0, 20, 80, 200, 500])('after %i ms leaves a sound library', async (ms) => {
    const first = open();
    first.importStickers(OLD, 'old');
    first.prepare();
    first.importStickers(FEW, 'few');
    await sleep(ms);
    first.close();
    expect(totals(open())).toEqual([1200, 300, 0]);
  });

  it('by a fault leaves nothing out', async () => {
    const of = open(() => ({ result: Promise.reject(new Error('no thread')), stop: () => undefined }));
    of.importStickers(OLD, 'old');
    of.prepare();
    of.importStickers(MANY, 'many');
    await sleep(0);
    expect(totals(of)).toEqual([1200, 0, MANY.length]);
  });
});

describe("stickers of the user's own", () => {
  const mine = sticker('own/logo', '自家标志', ['灯笼']);

  it('come, change and go in place, without a build', () => {
    const held = heldBack();
    const of = open(held.rebuild);
    of.importStickers(OLD, 'old');
    of.prepare();
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
    expect(held.started()).toBe(0);
  });

  it('are found at once, although a harvest learned many that are not indexed yet', async () => {
    const held = heldBack();
    const of = open(held.rebuild);
    of.importStickers(OLD, 'old');
    of.prepare();
    const candidates = readCandidates({ results: FEW })?.candidates ?? [];
    of.learn({ shape: 'search', words: [], candidates, askedBy: 'harvest' }, 1);
    of.setOwnStickers([mine]);
    expect(of.search('自家标志', 12).hits[0]?.sticker.title).toBe('自家标志');
    expect(totals(of)).toEqual([1201, 0, 0]);
    await held.done();
    expect(totals(of)).toEqual([1201, 300, 0]);
  });

  it('that stand in the index itself go from it', () => {
    const held = heldBack();
    const of = open(held.rebuild);
    of.setOwnStickers([mine]);
    of.importStickers(OLD, 'old');
    of.prepare();
    expect(of.search('自家标志', 12).hits[0]?.sticker.title).toBe('自家标志');
    of.setOwnStickers([]);
    expect(of.search('自家标志', 12).hits.map(({ sticker: { title } }) => title)).not.toContain('自家标志');
    expect(of.search('自家标志 灯笼', 12).hits.map(({ sticker: { title } }) => title)).not.toContain('自家标志');
  });

  it('that came and went while an index was built are in none, and nothing complains', async () => {
    const held = heldBack();
    const complaints: string[] = [];
    const of = open(held.rebuild, { ...silentLog, warn: (event) => void complaints.push(event) });
    of.importStickers(OLD, 'old');
    of.prepare();
    of.importStickers(FEW, 'few');
    await held.built();
    of.setOwnStickers([mine]);
    of.setOwnStickers([]);
    await held.done();
    expect(complaints).toEqual([]);
    expect(held.started()).toBe(1);
    expect(totals(of)).toEqual([1200, 300, 0]);
  });

  it('that went while an index was built do not come back with it', async () => {
    const held = heldBack();
    const of = open(held.rebuild);
    of.setOwnStickers([mine]);
    of.importStickers(OLD, 'old');
    of.prepare();
    of.importStickers(FEW, 'few');
    of.setOwnStickers([]);
    expect(totals(of)).toEqual([1200, 300, 0]);
    await held.done();
    expect(totals(of)).toEqual([1200, 300, 0]);
  });
});

it('other synonyms are searched with, whoever reads them first', async () => {
  let table = '';
  library = openLibrary({
    file: scratch.file,
    scope: 'test',
    synonyms: () => table,
    log: silentLog,
    rebuild: startRebuild,
  });
  library.importStickers(OLD, 'old');
  expect(library.search('哐啷', 12).total).toBeLessThan(OLD.length);
  table = '哐啷 灯笼';
  const before = library.revision;
  library.reloadSynonyms();
  expect(library.revision).toBeGreaterThan(before);
  // A harvest begins with the words that have synonyms.
  await new Harvest(library).open();
  expect(library.search('哐啷', 12).total).toBe(OLD.length);
});

it('tells how much of an index is built, by the real thread, and nothing when it is done', async () => {
  const opened = open();
  opened.importStickers(OLD, 'old');
  opened.prepare();
  expect(opened.building()).toBeUndefined();
  opened.importStickers(FEW, 'few');
  expect(opened.building()).toBe(0);
  const parts: number[] = [];
  for (let part = opened.building(); part !== undefined; part = opened.building()) {
    parts.push(part);
    await sleep(1);
  }
  expect(parts).toEqual(parts.toSorted((a, b) => a - b));
});
