// The compiled index is held to MiniSearch: same documents, same scores, same order.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import MiniSearch from 'minisearch';
import { buildIndex } from '../../src/library/search-index/build-index.js';
import { normalise } from '../../src/library/language/normalise.js';
import { recode } from './recode.js';
import { decodeSnapshot, encodeSnapshot } from '../../src/library/search-index/snapshot.js';
import { compileSpelling } from '../../src/library/search-index/spelling.js';
import { termsOf as stickerTerms, type Indexable } from '../../src/library/search-index/sticker-terms.js';
import { COVERED, SearchScores, SUM } from '../../src/library/query/search-scores.js';
import { CombinedIndex } from '../../src/library/search-index/combined-index.js';
import type { Postings } from '../../src/library/search-index/postings.js';
import { tokenise } from '../../src/library/language/tokenise.js';
import { topDocuments } from '../../src/library/query/top-k.js';
import { WORD_ENGINE, wordDocument, type WordDocument } from '../../src/library/search-index/word-engine.js';
import { NO_GLOSSES, readCatalogue } from './scratch-library.js';

const stickers = readCatalogue()
  .filter((_, i) => i % 8 === 0)
  .map((sticker, i): Indexable => ({ ...sticker, rowid: i + 1 }));
const index = buildIndex(stickers, NO_GLOSSES);
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

function byCompiled(text: string, boost: Boosts, from: Postings = index) {
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

describe('the compiled index', () => {
  test('finds the documents MiniSearch finds, with its scores', () => {
    fc.assert(
      fc.property(query, boosts, (text, boost) => {
        const expected = new Map(byMiniSearch(text, boost).map(({ document, score }) => [document, score]));
        const found = byCompiled(text, boost);
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
        const found = byCompiled(text, boost).slice(0, 12);
        for (const [place, { score }] of expected.entries()) {
          expect(found[place]!.score / score).toBeCloseTo(1, 5);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('finds every term it has and no other, and ranges are the terms with the prefix', () => {
    const { terms } = index;
    for (let id = 0; id < terms.size; id += 37) expect(terms.find(terms.get(id))).toBe(id);
    expect(terms.find('没有这个词')).toBe(-1);
    const [from, to] = terms.range('=生');
    for (let id = from - 1; id <= to; id++) {
      expect(terms.get(id).startsWith('=生')).toBe(id >= from && id < to);
    }
    expect(to).toBeGreaterThan(from);
  });

  test('tells the fields of a posting', () => {
    const document = stickers.findIndex((sticker) => sticker.title === '生日蛋糕');
    expect(document).toBeGreaterThanOrEqual(0);
    expect(index.fieldsOf(index.terms.find('=生日蛋糕'), document) & 1).toBe(1);
    expect(index.fieldsOf(index.terms.find('=不存在'), document)).toBe(0);
  });
});

describe('the compiled index with changes beside it', () => {
  const base = stickers.slice(0, -120);
  const added = stickers.slice(-120);
  const changed = added.slice(0, 20).map((one, i) => ({ ...one, rowid: base[i * 7]!.rowid }));
  const changedRows = new Set(changed.map(({ rowid }) => rowid));

  /** MiniSearch with everything that is listed, by row. */
  function openAll(listed: readonly Indexable[]) {
    const engine = new MiniSearch<WordDocument>(WORD_ENGINE);
    engine.addAll(listed.map((one) => wordDocument(one.rowid, stickerTerms(one, NO_GLOSSES), recode)));
    return (text: string, boost: Boosts) =>
      new Map(byMiniSearch(text, boost, engine).map(({ document, score }) => [document, score]));
  }

  test('weighs what was added as MiniSearch does when it has everything, and the rest as before', () => {
    const grown = new CombinedIndex(buildIndex(base, NO_GLOSSES));
    for (const one of added) grown.overlay.put(one, NO_GLOSSES);
    const searchBefore = openAll(base);
    const searchAll = openAll(stickers);
    fc.assert(
      fc.property(query, boosts, (text, boost) => {
        const before = searchBefore(text, boost);
        const all = searchAll(text, boost);
        const found = byCompiled(text, boost, grown);
        expect(found.length).toBe(all.size);
        for (const { document, score } of found) {
          const rowid = grown.rowidOf(document);
          const expected = document < grown.size ? before.get(rowid) : all.get(rowid);
          expect(score / expected!).toBeCloseTo(1, 4);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('finds what MiniSearch finds when stickers were replaced, and what was replaced no more', () => {
    const grown = new CombinedIndex(buildIndex(base, NO_GLOSSES));
    for (const one of changed) grown.overlay.put(one, NO_GLOSSES);
    // Twice, for a sticker may change again.
    for (const one of changed.slice(0, 10)) grown.overlay.put(one, NO_GLOSSES);
    const searchAll = openAll([...base.filter(({ rowid }) => !changedRows.has(rowid)), ...changed]);
    fc.assert(
      fc.property(query, boosts, (text, boost) => {
        const found = byCompiled(text, boost, grown).map(({ document }) => grown.rowidOf(document));
        expect(new Set(found)).toEqual(new Set(searchAll(text, boost).keys()));
        expect(new Set(found).size).toBe(found.length);
      }),
      { numRuns: 60 },
    );
  });

  test('is the same as one built of everything once it is built anew', () => {
    const rebuilt = buildIndex([...base, ...added], NO_GLOSSES);
    expect(rebuilt.arrays).toEqual(index.arrays);
  });
});

describe('a snapshot', () => {
  const spelling = compileSpelling(index);
  const bytes = encodeSnapshot(index, spelling);

  test('brings back the same index', () => {
    expect(decodeSnapshot(bytes)?.index.arrays).toEqual(index.arrays);
  });

  test('brings back the tables of spelling', () => {
    const stored = decodeSnapshot(bytes)?.spelling;
    for (const name of ['readings', 'english', 'latin'] as const) {
      expect(spelling[name].count, name).toBeGreaterThan(0);
      expect(stored?.[name]?.block).toEqual(spelling[name].block);
    }
  });

  test('is read at an odd address too', () => {
    const shifted = new Uint8Array(bytes.length + 1);
    shifted.set(bytes, 1);
    expect(decodeSnapshot(shifted.subarray(1))?.index.arrays).toEqual(index.arrays);
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
