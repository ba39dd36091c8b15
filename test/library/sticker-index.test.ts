// The index is held to MiniSearch: same documents, same scores, same order, also after changes.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import MiniSearch from 'minisearch';
import { stampOfTables } from '../../src/library/language/language-data.js';
import { normalise } from '../../src/library/language/normalise.js';
import { recode } from './recode.js';
import { decodeSnapshot, encodeSnapshot } from '../../src/library/search-index/snapshot.js';
import type { StickerIndex } from '../../src/library/search-index/sticker-index.js';
import type { Indexable } from '../../src/library/search-index/sticker-terms.js';
import { COVERED, SearchScores, SUM } from '../../src/library/query/search-scores.js';
import { tokenise } from '../../src/library/language/tokenise.js';
import { topDocuments } from '../../src/library/query/top-k.js';
import { termsOf as stickerTerms, WORD_ENGINE, wordDocument, type WordDocument } from './word-engine.js';
import { indexOf, NO_GLOSSES, readCatalogue } from './scratch-library.js';

const stickers = readCatalogue()
  .filter((_, i) => i % 8 === 0)
  .map((sticker, i): Indexable => ({ ...sticker, rowid: i + 1 }));
const index = indexOf(stickers);
const miniSearch = buildMiniSearch();

const words = [...new Set(stickers.flatMap(({ title, keywords }) => [title, ...keywords]))];
const query = fc
  .array(fc.oneof(fc.constantFrom(...words), fc.constantFrom('生', '大', '不存在', 'ok', '小图标', 'qq')), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.join(' '));
const boosts = fc.record({
  whole: fc.double({ min: 0.1, max: 3, noNaN: true }),
  word: fc.constant(1),
  pair: fc.double({ min: 0.1, max: 3, noNaN: true }),
  single: fc.double({ min: 0.1, max: 1, noNaN: true }),
});

function buildMiniSearch(): MiniSearch<WordDocument> {
  const engine = new MiniSearch<WordDocument>(WORD_ENGINE);
  engine.addAll(stickers.map((one, id) => wordDocument(id, stickerTerms(one, NO_GLOSSES), recode)));
  return engine;
}

function termsOf(text: string) {
  const tokens = tokenise(normalise(text));
  return [...new Map(tokens.map((token) => [token.term, token])).values()];
}

type Boosts = Record<'whole' | 'word' | 'pair' | 'single', number>;

function byIndex(text: string, boost: Boosts, from = index) {
  const scores = new SearchScores(from);
  const { met } = scores;
  // With a coverage of one for each term, coverage is MiniSearch's number of terms that hit.
  for (const { term, kind } of termsOf(text)) {
    const id = from.find(term);
    if (id >= 0) scores.add(id, boost[kind], 1);
  }
  const score = (document: number) => met.valueOf(document, SUM) * met.valueOf(document, COVERED);
  return topDocuments(met.documents.subarray(0, met.size), { score }, from.capacity);
}

function byMiniSearch(text: string, boost: Boosts, engine = miniSearch) {
  const tokens = termsOf(text);
  const results = engine.search(tokens.map((token) => recode(token.term)).join('\n'), {
    boostTerm: (_, i) => boost[tokens[i]!.kind],
  });
  return results.map(({ id, score }) => ({ document: id as number, score }));
}

describe('the index', () => {
  test('finds the documents MiniSearch finds, with its scores', () => {
    fc.assert(
      fc.property(query, boosts, (text, boost) => {
        const expected = new Map(byMiniSearch(text, boost).map(({ document, score }) => [document, score]));
        const found = byIndex(text, boost);
        expect(found.length).toBe(expected.size);
        for (const { document, score } of found) {
          expect(score / expected.get(document)!).toBeCloseTo(1, 5);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('orders them as MiniSearch does, as far as scores differ by more than rounding', () => {
    fc.assert(
      fc.property(query, boosts, (text, boost) => {
        const expected = byMiniSearch(text, boost).slice(0, 12);
        const found = byIndex(text, boost).slice(0, 12);
        for (const [place, { score }] of expected.entries()) {
          expect(found[place]!.score / score).toBeCloseTo(1, 5);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('finds every term it has and no other', () => {
    const { terms } = index;
    for (let id = 0; id < terms.size; id += 37) expect(terms.find(terms.get(id))).toBe(id);
    expect(terms.find('没有这个词')).toBe(-1);
  });

  test('tells the fields of a posting', () => {
    const document = stickers.findIndex((sticker) => sticker.title === '生日蛋糕');
    expect(document).toBeGreaterThanOrEqual(0);
    expect(index.fieldsOf(index.terms.find('=生日蛋糕'), document) & 1).toBe(1);
    expect(index.fieldsOf(index.terms.find('=不存在'), document)).toBe(0);
  });
});

describe('the index after changes', () => {
  const base = stickers.slice(0, -120);
  const added = stickers.slice(-120);
  const changed = added.slice(0, 20).map((one, i) => ({ ...one, rowid: base[i * 7]!.rowid }));
  const removed = base.slice(3, 500).filter((_, i) => i % 7 === 1);

  /** MiniSearch with everything that is listed, by row. */
  function openAll(listed: readonly Indexable[]) {
    const engine = new MiniSearch<WordDocument>(WORD_ENGINE);
    engine.addAll(listed.map((one) => wordDocument(one.rowid, stickerTerms(one, NO_GLOSSES), recode)));
    return (text: string, boost: Boosts) =>
      new Map(byMiniSearch(text, boost, engine).map(({ document, score }) => [document, score]));
  }

  function expectSame(grown: StickerIndex, listed: readonly Indexable[]) {
    const searchAll = openAll(listed);
    expect(grown.listed).toBe(listed.length);
    fc.assert(
      fc.property(query, boosts, (text, boost) => {
        const all = searchAll(text, boost);
        const found = byIndex(text, boost, grown);
        expect(found.length).toBe(all.size);
        for (const { document, score } of found) {
          expect(score / all.get(grown.rowidOf(document))!).toBeCloseTo(1, 5);
        }
      }),
      { numRuns: 60 },
    );
  }

  test('weighs everything as MiniSearch does that has the same', () => {
    const grown = indexOf(base);
    byIndex('生日', { whole: 1, word: 1, pair: 1, single: 1 }, grown);
    const reader = grown.reader(NO_GLOSSES);
    for (const one of added) grown.put(one, reader);
    expectSame(grown, stickers);
  });

  test('the same when stickers were replaced and removed, also when it was stored', () => {
    const grown = indexOf(base);
    const reader = grown.reader(NO_GLOSSES);
    for (const one of changed) grown.put(one, reader);
    // Twice, for a sticker may change again.
    for (const one of changed.slice(0, 10)) grown.put(one, reader);
    for (const { rowid } of removed) grown.drop(rowid);
    const rows = new Set([...changed, ...removed].map(({ rowid }) => rowid));
    const gone = new Set(removed.map(({ rowid }) => rowid));
    const listed = [
      ...base.filter(({ rowid }) => !rows.has(rowid)),
      ...changed.filter(({ rowid }) => !gone.has(rowid)),
    ];
    expectSame(grown, listed);
    const stored = decodeSnapshot(encodeSnapshot(grown))!;
    expect(stored.size).toBe(listed.length);
    expectSame(stored, listed);
    stored.put(added[30]!, stored.reader(NO_GLOSSES));
    expectSame(stored, [...listed, added[30]!]);
  });
});

describe('a snapshot', () => {
  const bytes = encodeSnapshot(index);

  test('brings back the same index', () => {
    expect(decodeSnapshot(bytes)?.toArrays()).toEqual(index.toArrays());
  });

  test('is read at an odd address too', () => {
    const shifted = new Uint8Array(bytes.length + 1);
    shifted.set(bytes, 1);
    expect(decodeSnapshot(shifted.subarray(1))?.toArrays()).toEqual(index.toArrays());
  });

  test('is refused when the tables that make terms are others', () => {
    const tables = ['glosses/glosses.bin', 'pinyin/pinyin.txt'];
    const [stamp, other] = [stampOfTables(tables), stampOfTables(tables.slice(1))];
    const stored = encodeSnapshot(index, stamp);
    expect(decodeSnapshot(stored, stamp)).toBeDefined();
    expect(decodeSnapshot(stored, other)).toBeUndefined();
    expect(decodeSnapshot(stored)).toBeUndefined();
  });

  test('is refused when any byte of it differs or is missing', () => {
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = bytes.slice();
        damaged[at]! ^= change;
        expect(decodeSnapshot(damaged)).toBeUndefined();
        expect(decodeSnapshot(bytes.subarray(0, at))).toBeUndefined();
      }),
      { numRuns: 60 },
    );
  });
});
