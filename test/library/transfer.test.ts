// A library carried from one machine to another: what goes along, what stays, and how two are merged.

import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Library } from '../../src/library/library.js';
import { readCandidates } from '../../src/contract/read-candidates.js';
import { readLines } from '../../src/platform/read-lines.js';
import { scratchLibrary, sticker, type ScratchLibrary } from './scratch-library.js';

let scratches: ScratchLibrary[] = [];
let library: Library;

function openNew(scope?: string): Library {
  const scratch = scratchLibrary();
  scratches.push(scratch);
  const opened = scratch.open('', scope);
  scratches[scratches.length - 1] = { ...scratch, remove: () => (opened.close(), scratch.remove()) };
  return opened;
}

beforeEach(() => {
  library = openNew();
});

afterEach(() => {
  for (const scratch of scratches) scratch.remove();
  scratches = [];
});

const cake = { preset: 'food/cake', title: '蛋糕', keywords: ['生日'], duration: 2, mood: 'happy' };
const bread = { preset: 'food/bread', title: '面包', keywords: ['早餐'] };

function see(into: Library, at: number, records: object[], asked: Partial<Parameters<Library['learn']>[0]> = {}) {
  const { candidates } = readCandidates({ results: records })!;
  return into.learn({ shape: 'search', words: [], candidates, ...asked }, at);
}

function out(from: Library): string[] {
  return [...from.exportLibrary()].join('').trimEnd().split('\n');
}

async function carryIn(into: Library, lines: readonly string[], anyScope = false) {
  const carried = into.beginImport({ anyScope });
  const stream = new Blob([lines.join('\n')]).stream();
  try {
    for await (const batch of readLines(stream, { maxBytes: 5000, batch: 7 })) carried.add(batch);
  } finally {
    await into.finishImport(carried);
  }
  return carried.report;
}

function find(from: Library, query: string): string[] {
  return from.search(query, 12).hits.map((hit) => hit.sticker.preset);
}

/** Everything but when it was exported. */
function content(from: Library): unknown[] {
  return out(from).map((line) => ({ ...(JSON.parse(line) as object), exported_at: '' }));
}

describe('a round trip', () => {
  const texts = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 });
  const records = fc.record(
    {
      preset: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h').map((letter) => `set/${letter}`),
      title: texts,
      keywords: fc.array(texts, { maxLength: 4 }),
      duration: fc.double({ min: 0.01, max: 900, noNaN: true }),
      width: fc.integer({ min: 33, max: 4000 }),
      height: fc.integer({ min: 33, max: 4000 }),
      color: fc.constantFrom('#ff0000', 'rgb(1,2,3)', 'none'),
      odd: fc.jsonValue({ maxDepth: 2 }),
    },
    { requiredKeys: ['preset'] },
  );
  const answers = fc.record({
    kind: fc.constant('answer' as const),
    records: fc.array(records, { minLength: 1, maxLength: 5 }),
    words: fc.array(fc.constantFrom('生日', '早餐', 'Fest'), { maxLength: 2 }),
    shape: fc.constantFrom('search' as const, 'match' as const),
  });
  const losses = fc.record({ kind: fc.constant('gone' as const), preset: fc.constantFrom('set/a', 'set/b') });

  test('brings the same library, and a second one changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(answers, losses), { maxLength: 12 }), async (events) => {
        const from = openNew();
        const to = openNew();
        for (const [i, event] of events.entries()) {
          if (event.kind === 'gone') from.markGone(event.preset, 1000 + i);
          else
            see(from, 1000 + i, event.records, {
              words: event.words,
              shape: event.shape,
              askedBy: 'harvest',
            });
        }
        expect(await carryIn(to, out(from))).toMatchObject({ added: from.size, bad: 0, whole: true });
        expect(content(to)).toEqual(content(from));
        expect(await carryIn(to, out(from))).toMatchObject({ added: 0, changed: 0, unchanged: from.size });
        expect(content(to)).toEqual(content(from));
        const listed = from.find({ query: undefined, filter: {}, offset: 0, limit: 20 });
        for (const { preset } of listed.hits.map((hit) => hit.sticker)) {
          expect(to.findSticker(preset)).toEqual(from.findSticker(preset));
          expect(to.findOriginal(preset, 'match')).toEqual(from.findOriginal(preset, 'match'));
        }
      }),
      { numRuns: 60 },
    );
  });

  test('takes the order of answers and learned synonyms along, and what a person asked stays', async () => {
    see(library, 1000, [cake, bread], { words: ['快乐'], askedBy: 'harvest' });
    see(library, 1001, [bread, cake], { words: ['我的秘密'], askedBy: 'person' });
    expect(out(library).join('\n')).not.toContain('我的秘密');
    const to = openNew();
    await carryIn(to, out(library));
    expect(find(to, '快乐')).toEqual(['food/cake', 'food/bread']);
    expect(find(to, '我的秘密')).toEqual([]);
    // That the words were asked alone goes along: a part of a longer question counts less.
    const reasons = [{ keyword: '快乐', field: 'keywords', source: 'direct' }];
    see(to, 2000, [{ ...bread, reasons }], { words: ['快乐', '早餐'] });
    expect(find(to, '快乐')).toEqual(['food/cake', 'food/bread']);
  });
});

describe('an export', () => {
  test('holds no address that lets somebody in', () => {
    const url = 'https://user:word@cdn.example/a.json?signature=topsecret#x';
    see(library, 1000, [{ ...cake, cdn: { urls: [url] } }]);
    const text = out(library).join('\n');
    expect(text).toContain('https://cdn.example/a.json');
    expect(text).not.toMatch(/topsecret|word@/);
  });

  test('of a complete library makes the other complete too, if all of it arrives', async () => {
    see(library, 1000, [cake, bread]);
    library.setComplete(true);
    const lines = out(library);
    const [whole, cut, foreign] = [openNew(), openNew(), openNew('elsewhere')];
    await carryIn(whole, lines);
    expect(whole.isComplete()).toBe(true);
    expect(await carryIn(cut, lines.slice(0, -1))).toMatchObject({ whole: false, added: 2 });
    expect(cut.isComplete()).toBe(false);
    await carryIn(foreign, lines, true);
    expect(foreign.isComplete()).toBe(false);
  });
});

describe('a merge', () => {
  test('lets the record seen later win, whichever side it comes from', async () => {
    const to = openNew();
    see(library, 1000, [cake]);
    see(to, 2000, [{ ...cake, title: '新蛋糕' }]);
    await carryIn(to, out(library));
    expect(to.findSticker('food/cake')?.title).toBe('新蛋糕');
    await carryIn(library, out(to));
    expect(library.findSticker('food/cake')?.title).toBe('新蛋糕');
    expect(library.findOriginal('food/cake', 'search')).toMatchObject({ title: '新蛋糕', mood: 'happy' });
  });

  test('never thins a record, nor forgets what only this side has', async () => {
    const to = openNew();
    see(to, 1000, [cake]);
    to.importStickers([sticker('mine/one', '独有')], 'here');
    see(library, 2000, [{ preset: 'food/cake', title: '蛋糕' }]);
    await carryIn(to, out(library));
    expect(to.findSticker('food/cake')).toEqual({
      preset: 'food/cake',
      title: '蛋糕',
      keywords: ['生日'],
      duration: 2,
    });
    expect(find(to, '独有')).toEqual(['mine/one']);
  });

  test('knows what is gone by whoever looked last', async () => {
    const [gone, back] = [openNew(), openNew()];
    for (const one of [gone, back]) see(one, 1000, [cake, bread], { words: [] });
    gone.markGone('food/cake', 2000);
    see(back, 3000, [cake]);
    const later = { ...(JSON.parse(out(back)[1]!) as { seen: unknown }).seen! };
    expect(later).toMatchObject({ last: 3000 });
    await carryIn(library, out(gone));
    expect(out(library)[1]).toContain('"gone":2000');
    await carryIn(library, out(back));
    expect(out(library)[1]).not.toContain('gone');
  });
});

describe('a file', () => {
  test('with bad lines is used for the rest, and they are told by number', async () => {
    const long = JSON.stringify({ preset: 'x', title: 'y'.repeat(6000) });
    const lines = [out(library)[0]!, 'no json', JSON.stringify(cakeLine), '', '[1]', long, '{"title":"no preset"}'];
    const report = await carryIn(library, lines);
    expect(report).toMatchObject({ lines: 6, added: 1, bad: 4, whole: false });
    expect(report.bad_lines.map(({ line }) => line)).toEqual([2, 5, 6, 7]);
    expect(report.bad_lines[0]?.why).toBe('it is not a JSON object');
    expect(find(library, '蛋糕')).toEqual(['food/cake']);
  });

  test('of another program is read as answers are', async () => {
    const lines = ['{"preset":"a/b","name":"雪人","tags":"冬天、雪","duration":1400}'];
    expect(await carryIn(library, lines)).toMatchObject({ added: 1, whole: null });
    expect(library.findSticker('a/b')).toMatchObject({
      title: '雪人',
      keywords: ['冬天', '雪'],
      duration: 1.4,
    });
  });

  test('of another remote is refused unless it is said that they are the same, and nothing is taken', async () => {
    const elsewhere = openNew('https://elsewhere.example');
    see(elsewhere, 1000, [cake]);
    await expect(carryIn(library, out(elsewhere))).rejects.toThrow(/exported from "https:\/\/elsewhere.example"/);
    expect(library.size).toBe(0);
    await carryIn(library, out(elsewhere), true);
    expect(find(library, '蛋糕')).toEqual(['food/cake']);
  });

  test('of any remote is taken where no remote is configured', async () => {
    const none = openNew('none');
    see(library, 1000, [cake]);
    await carryIn(none, out(library));
    expect(find(none, '蛋糕')).toEqual(['food/cake']);
  });

  test('of a newer version is refused in plain words', async () => {
    const header = JSON.stringify({ format: 'svcd-library', version: 2, scope: 'test' });
    await expect(carryIn(library, [header])).rejects.toThrow(/version 2, which a newer svcd wrote/);
  });
});

const cakeLine = { preset: 'food/cake', title: '蛋糕', keywords: ['生日'] };

test('a preset that none can be is refused with its line, and never remembered', async () => {
  const presets = ['a\u0007b', 'own/logo', 'search', 'a/../b', 'a//b', 'x'.repeat(301)];
  for (const first of [[], out(library).slice(0, 1)]) {
    const lines = presets.map((preset) => JSON.stringify({ ...cake, preset }));
    const into = openNew();
    const report = await carryIn(into, [...first, ...lines, JSON.stringify({ recall: '蛋糕', presets, whole: true })]);
    expect(report).toMatchObject({ added: 0, bad: presets.length });
    expect(report.bad_lines[0]).toMatchObject({ line: first.length + 1, why: expect.stringContaining('"a\uFFFDb"') });
    expect(into.size).toBe(0);
    expect(out(into).join('\n')).not.toContain('recall');
  }
  expect(readCandidates({ results: presets.map((preset) => ({ ...cake, preset })) })?.candidates).toEqual([]);
});

test('titles in other languages go along, those that svcd knows', async () => {
  const [header = '', ...rest] = out(library);
  const line = JSON.stringify({ ...cake, titles: { en: 'cake', ja: 'ケーキ', xx: 'x', ko: 7 } });
  const other = openNew();
  expect(await carryIn(other, [header, line, ...rest])).toMatchObject({ added: 1, bad: 0 });
  expect(other.findSticker('food/cake')?.titles).toEqual({ en: 'cake', ja: 'ケーキ' });
  expect(find(other, 'ケーキ')).toEqual(['food/cake']);
  expect(content(other)[1]).toMatchObject({ titles: { en: 'cake', ja: 'ケーキ' } });
});
