// Typed words against MiniSearch, which they answer like: the same words in the same order with the same scores, for
// beginnings, mistakes and first letters.

import * as fc from 'fast-check';
import MiniSearch from 'minisearch';
import { describe, expect, test } from 'vitest';
import { TypedWords, type TypedQuery, type TypedWord } from '../../src/library/search-index/typed-words.js';

function withMiniSearch(words: readonly TypedWord[], typed: string, query: TypedQuery) {
  const tree = new MiniSearch<TypedWord>({
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
  .map((all) => all.map(([letters, initials], i): TypedWord => ({ id: 7 + 3 * i, letters, initials })));
const query = fc.record({
  prefix: fc.boolean(),
  mistakes: fc.constantFrom(0, 1, 2),
  initials: fc.boolean(),
});

describe('typed words', () => {
  test('are found as MiniSearch finds them', () => {
    fc.assert(
      fc.property(wordList, spelling, query, (words, typed, how) => {
        const typedWords = new TypedWords();
        for (const word of words) typedWords.add(word);
        expect(typedWords.search(typed, how)).toEqual(withMiniSearch(words, typed, how));
      }),
      { numRuns: 2000 },
    );
  });
});
