import { expect, test } from 'vitest';
import { libraryForFile, sticker } from './scratch-library.js';

const library = libraryForFile(() => [
  sticker('a/mirror', '望远镜', ['出发']),
  sticker('b/rocket', '火箭', ['出发']),
  sticker('c/rocket', '火箭2', ['出发']),
  sticker('d/rocket', '火箭: 深色', ['出发']),
]);

function suiting(text: string): string[] {
  return library.match({ text, limit: 12 }).hits.map((hit) => hit.sticker.preset);
}

test('of what suits a copy as well, what people use comes first, numbered or not', () => {
  expect(suiting('我们出发')[0]).toBe('b/rocket');
  expect(suiting('我们出发').indexOf('c/rocket')).toBeLessThan(4);
});

test('what the copy names comes before what is only usual', () => {
  expect(suiting('望远镜')[0]).toBe('a/mirror');
});

test('an explicit keyword does not ask what is usual', () => {
  expect(library.match({ keywords: ['出发'], limit: 1 }).hits[0]!.sticker.preset).toBe('a/mirror');
});
