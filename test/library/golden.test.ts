// What a person expects to find, in the real catalogue: each expected place with its reason in test/golden.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Library } from '../../src/library/open-library.js';
import { readCatalogue, readGolden, scratchLibrary, SYNONYMS } from './scratch-library.js';

interface Expectation {
  title: string;
  within: number;
  why: string;
}

const scratch = scratchLibrary();
let library: Library;

beforeAll(() => {
  library = scratch.open(SYNONYMS);
  library.importStickers(readCatalogue(), 'catalogue');
});

afterAll(() => {
  library.close();
  scratch.remove();
});

const searches = readGolden<{ q: string; expect: Expectation[] }>('search.jsonl');

describe('searching the catalogue', () => {
  test('the golden set has enough queries to mean something', () => {
    expect(searches.length).toBeGreaterThanOrEqual(60);
  });

  test.each(searches)('finds what is meant by $q', ({ q, expect: expected }) => {
    const titles = library.search(q, 12).hits.map((hit) => hit.sticker.title);
    for (const { title, within, why } of expected) {
      expect(titles.slice(0, within), `${title} within ${within}: ${why}`).toContain(title);
    }
  });
});

const copies = readGolden<{ text?: string; keywords?: string[]; extracts: string[]; expect: Expectation[] }>(
  'match.jsonl',
);

describe('matching copy with the catalogue', () => {
  test('the golden set has enough copies to mean something', () => {
    expect(copies.length).toBeGreaterThanOrEqual(10);
  });

  test.each(copies)('suits $text $keywords', ({ extracts, expect: expected, ...submission }) => {
    const { hits, extractedKeywords } = library.match({ ...submission, limit: 12 });
    expect(extractedKeywords).toEqual(expect.arrayContaining(extracts));
    const titles = hits.map((hit) => hit.sticker.title);
    for (const { title, within, why } of expected) {
      expect(titles.slice(0, within), `${title} within ${within}: ${why}`).toContain(title);
    }
  });

  test('a long copy of many topics does not give twelve stickers of one word', () => {
    const text = copies.map((copy) => copy.text ?? '').join('\n');
    const { hits } = library.match({ text, limit: 12 });
    const titles = new Set(hits.map((hit) => hit.sticker.title));
    expect(titles.size).toBeGreaterThanOrEqual(8);
  });
});
