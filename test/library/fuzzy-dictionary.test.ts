// The compiled form of typed words against MiniSearch, which it answers like: the same words in the same order with the
// same scores, for beginnings, mistakes and first letters, also when words were added later.

import * as fc from 'fast-check';
import MiniSearch from 'minisearch';
import { describe, expect, test } from 'vitest';
import {
  compileFuzzyDictionary,
  FuzzyDictionary,
  type TypedQuery,
  type FuzzyWord,
} from '../../src/library/search-index/fuzzy-dictionary.js';

function withMiniSearch(words: readonly FuzzyWord[], typed: string, query: TypedQuery) {
  const tree = new MiniSearch<FuzzyWord>({
    fields: ['letters', 'initials'],
    tokenize: (text) => [text],
    processTerm: (term) => term,
  });
  tree.addAll(words);
  const found = tree.search(typed, {
    prefix: query.prefix,
    // A number of mistakes of 1 or more is taken as it is.
    fuzzy: query.mistakes === 0 ? false : query.mistakes,
    fields: query.initials ? ['letters', 'initials'] : ['letters'],
  });
  return found.map(({ id, score, terms }) => ({ id: id as number, score, as: terms[0] }));
}

// Few letters, so that words share beginnings and lie near one another.
const spelling = fc.string({ unit: fc.constantFrom('a', 'b', 'n', 'g'), minLength: 1, maxLength: 8 });
const wordList = fc
  .array(fc.tuple(spelling, fc.oneof(fc.constant(''), spelling)), { maxLength: 40 })
  .map((all) => all.map(([letters, initials], i): FuzzyWord => ({ id: 7 + 3 * i, letters, initials })));
const query = fc.record({
  prefix: fc.boolean(),
  mistakes: fc.constantFrom(0, 1, 2),
  initials: fc.boolean(),
});

describe('typed words', () => {
  test('are found as MiniSearch finds them', () => {
    fc.assert(
      fc.property(wordList, spelling, query, (words, typed, how) => {
        expect(compileFuzzyDictionary(words).search(typed, how)).toEqual(withMiniSearch(words, typed, how));
      }),
      { numRuns: 2000 },
    );
  });

  test('are found alike from stored bytes', () => {
    fc.assert(
      fc.property(wordList, spelling, query, (words, typed, how) => {
        const made = compileFuzzyDictionary(words);
        const stored = new Uint32Array(made.block.length + 1);
        stored.set(made.block, 1);
        expect(new FuzzyDictionary(stored.subarray(1)).search(typed, how)).toEqual(made.search(typed, how));
      }),
    );
  });

  test('are found with the same scores when some were added later, ties aside', () => {
    fc.assert(
      fc.property(wordList, fc.nat(40), spelling, query, (words, first, typed, how) => {
        const made = compileFuzzyDictionary(words.slice(0, first));
        for (const word of words.slice(first)) made.add(word);
        for (const word of words.slice(first)) made.add(word);
        expect(made.count).toBe(words.length);
        const scores = (found: readonly { id: number; score: number }[]) =>
          found.map(({ id, score }) => [id, score.toFixed(9)] as const).toSorted(([a], [b]) => a - b);
        expect(scores(made.search(typed, how))).toEqual(scores(withMiniSearch(words, typed, how)));
      }),
      { numRuns: 1000 },
    );
  });
});
