// The slowest questions that were ever found are within the limits and answered like any other. How long they take
// is told by test/bench/slowest, not asserted.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Library } from '../../src/library/library.js';
import { countCharacters, LIMIT_MAX, MATCH_TEXT_MAX, QUERY_MAX } from '../../src/contract/limits.js';
import { readCatalogue, scratchLibrary, SYNONYMS } from './scratch-library.js';

const cases = readFileSync(new URL('../bench/slowest/cases.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as { kind: 'search' | 'match'; text: string });

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

it('has cases of both kinds', () => {
  expect(new Set(cases.map(({ kind }) => kind))).toEqual(new Set(['search', 'match']));
});

it.each(cases)('answers $kind with a page, the same twice', ({ kind, text }) => {
  expect(countCharacters(text)).toBeLessThanOrEqual(kind === 'search' ? QUERY_MAX : MATCH_TEXT_MAX);
  const ask = () => (kind === 'search' ? library.search(text, LIMIT_MAX) : library.match({ text, limit: LIMIT_MAX }));
  const first = ask();
  expect(first.hits.length).toBeGreaterThan(0);
  expect(first.hits).toHaveLength(Math.min(LIMIT_MAX, first.total));
  expect(ask()).toEqual(first);
});
