import { describe, expect, test } from 'vitest';
import { normalise } from '../../src/library/normalise.js';
import { parseSynonyms } from '../../src/library/synonyms.js';
import { tokenise, WHOLE_MARK } from '../../src/library/tokenise.js';
import { readCatalogue, SYNONYMS } from './scratch-library.js';

describe('a synonym table', () => {
  const table = parseSynonyms(
    '# comment\n开心 高兴 快乐 # all alike\n\n情人节　七夕 > 玫瑰 OK\n开心 > 笑脸\n独行',
  );

  test('lets the words of a group find one another', () => {
    expect(table.of('高兴')).toEqual(['开心', '快乐']);
  });

  test('lets a scene find its things, and not the other way round', () => {
    expect(table.of('七夕')).toEqual(['玫瑰', 'ok']);
    expect(table.of('玫瑰')).toEqual([]);
  });

  test('adds up the lines a word stands on', () => {
    expect(table.of('开心')).toEqual(['高兴', '快乐', '笑脸']);
  });

  test('finds nothing for a word alone on its line', () => {
    expect(table.of('独行')).toEqual([]);
  });
});

describe('the shipped table', () => {
  const lines = SYNONYMS.split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '');
  const known = new Set(
    readCatalogue()
      .flatMap(({ title, keywords }) => [title, ...keywords])
      .flatMap((text) => tokenise(normalise(text)))
      .map((token) => token.term),
  );

  test('has at least 120 entries', () => {
    expect(lines.length).toBeGreaterThanOrEqual(120);
  });

  test.each(lines)('can find something for: %s', (line) => {
    const words = line.split('>').at(-1)!.split(/\s+/).filter(Boolean);
    expect(words.some((word) => known.has(WHOLE_MARK + normalise(word)))).toBe(true);
  });
});
