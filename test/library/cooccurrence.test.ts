import { describe, expect, test } from 'vitest';
import { libraryForFile, scratchLibrary, sticker } from './scratch-library.js';

// Words no dictionary knows, so that nothing else joins them.
const [RARE, BESIDE, EVERYTHING] = ['㐀㐁', '㐂㐃', '㐄㐅'] as const;
const nameless = (i: number) => String.fromCharCode(0x3500 + 2 * i, 0x3501 + 2 * i);

const library = libraryForFile(() => [
  sticker('a/one', RARE, [BESIDE, EVERYTHING]),
  sticker('b/two', nameless(250), [BESIDE]),
  ...Array.from({ length: 200 }, (_, i) => sticker(`c/${i}`, nameless(i), [EVERYTHING])),
]);

function found(query: string): string[] {
  return library.search(query, 12).hits.map((hit) => hit.sticker.preset);
}

describe('a rare word', () => {
  test('finds what other stickers file under the words beside it, after its own', () => {
    expect(found(RARE)).toEqual(['a/one', 'b/two']);
  });

  test('does not find what everything has', () => {
    expect(found(RARE).some((preset) => preset.startsWith('c/'))).toBe(false);
  });
});

test('a word that many stickers have finds only these', () => {
  expect(found(EVERYTHING).includes('b/two')).toBe(false);
});

test('what came since is found by its own words, and brings nothing else', () => {
  library.importStickers([sticker('d/new', nameless(260), [BESIDE])], 'test');
  expect(found(nameless(260))[0]).toBe('d/new');
});

test('in a library of a few stickers no word is rare', () => {
  const few = scratchLibrary();
  const small = few.open();
  small.importStickers([sticker('a/one', RARE, [BESIDE]), sticker('b/two', nameless(1), [BESIDE])], 'test');
  expect(small.search(RARE, 12).hits.map((hit) => hit.sticker.preset)).toEqual(['a/one']);
  small.close();
  few.remove();
});
