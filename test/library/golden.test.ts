// What a person expects to find, in the real catalogue: each expected place with its reason in test/golden.

import { describe, expect, test } from 'vitest';
import { missedByMatch, missedBySearch, readCases, type GoldenCopy, type GoldenSearch } from '../golden/golden-set.js';
import { readCatalogue, libraryForFile, SHIPPED_SYNONYMS } from './scratch-library.js';

const library = libraryForFile(readCatalogue, SHIPPED_SYNONYMS);

const searches = readCases<GoldenSearch>('search.jsonl');
const searchesNotYet = readCases<GoldenSearch>('search-not-yet.jsonl');

describe('searching the catalogue', () => {
  test('the golden set has enough queries, each once', () => {
    const all = [...searches, ...searchesNotYet].map(({ q }) => q);
    expect(all.length).toBeGreaterThanOrEqual(150);
    expect(new Set(all).size).toBe(all.length);
  });

  test.each(searches)('finds what is meant by $q', (one) => {
    expect(missedBySearch(library, one)).toEqual([]);
  });

  test.each(searchesNotYet)('does not yet find what is meant by $q', (one) => {
    expect(missedBySearch(library, one), 'it does: npx tsx test/golden/promote.ts').not.toEqual([]);
  });
});

const copies = readCases<GoldenCopy>('match.jsonl');
const copiesNotYet = readCases<GoldenCopy>('match-not-yet.jsonl');

describe('matching copy with the catalogue', () => {
  test('the golden set has enough copies, short and long', () => {
    const lengths = [...copies, ...copiesNotYet].map(({ text = '' }) => text.length);
    expect(lengths.length).toBeGreaterThanOrEqual(30);
    expect(Math.max(...lengths)).toBeGreaterThan(1900);
  });

  test.each(copies)('suits $text $keywords', (one) => {
    expect(missedByMatch(library, one)).toEqual([]);
  });

  test.each(copiesNotYet)('does not yet suit $text $keywords', (one) => {
    expect(missedByMatch(library, one), 'it does: npx tsx test/golden/promote.ts').not.toEqual([]);
  });

  test('a long copy of many topics does not give twelve stickers of one word', () => {
    const text = copies.map((copy) => copy.text ?? '').join('\n');
    const { hits } = library.match({ text, limit: 12 });
    const titles = new Set(hits.map((hit) => hit.sticker.title));
    expect(titles.size).toBeGreaterThanOrEqual(8);
  });
});
