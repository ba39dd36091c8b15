import { expect, test } from 'vitest';
import { associationsOf } from '../../src/library/language/associations.js';
import { stemsOf } from '../../src/library/language/english.js';
import { readLanguageText } from '../../src/library/language/language-data.js';
import { libraryForFile, sticker } from './scratch-library.js';

const library = libraryForFile(() => [
  sticker('a/bulb', '灯泡', []),
  sticker('a/lamp', '灯泡坏了', []),
  sticker('a/cat', '猫', []),
]);

test('a picture is found by what it brings to mind, and says so', () => {
  const { hits } = library.match({ keywords: ['主意'], limit: 5 });
  expect(hits.map((hit) => hit.sticker.preset)).toEqual(['a/bulb']);
  expect(hits[0]!.reasons).toEqual([{ keyword: '主意', field: 'title', source: 'synonym' }]);
  expect(library.search('主意', 5).hits.map((hit) => hit.sticker.preset)).toEqual(['a/bulb']);
});

test('only the very title brings it to mind', () => {
  expect(associationsOf('灯泡')).toContain('idea');
  expect(associationsOf('灯泡坏了')).toEqual([]);
  expect(associationsOf('')).toEqual([]);
});

test('every line is a title, once, and stems as queries have them', () => {
  const lines = readLanguageText('associations/associations.txt').trimEnd().split('\n');
  const titles = lines.map((line) => line.split(' ')[0]);
  expect(new Set(titles).size).toBe(lines.length);
  for (const line of lines) {
    const stems = line.split(' ').slice(1);
    expect(stems.length, line).toBeGreaterThan(0);
    expect(
      stems.filter((stem) => !/^[a-z]+$/.test(stem) || stemsOf(stem).length === 0),
      line,
    ).toEqual([]);
  }
});
