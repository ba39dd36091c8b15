// The golden set: what a person who searches must find, with a reason for each expected place. A case lies in
// `*.jsonl` when it holds, and in `*-not-yet.jsonl` until it does: there it must fail, so that nobody forgets it.

import { readFileSync } from 'node:fs';
import type { Library } from '../../src/library/library.js';

interface Expectation {
  title: string;
  within: number;
  why: string;
}

export interface GoldenSearch {
  q: string;
  expect: Expectation[];
}

export interface GoldenCopy {
  text?: string;
  keywords?: string[];
  extracts: string[];
  expect: Expectation[];
}

/** What a query should find in the first dozen and does not, in words. */
export function missedBySearch(library: Library, { q, expect }: GoldenSearch): string[] {
  const titles = library.search(q, 12).hits.map((hit) => hit.sticker.title);
  return missed(titles, expect);
}

/** What a copy should find, or should be seen to be about, and is not, in words. */
export function missedByMatch(library: Library, { extracts, expect, ...submission }: GoldenCopy): string[] {
  const { hits, extractedKeywords } = library.match({ ...submission, limit: 12 });
  const unseen = extracts.filter((word) => !extractedKeywords.includes(word)).map((word) => `extracts ${word}`);
  return [
    ...unseen,
    ...missed(
      hits.map((hit) => hit.sticker.title),
      expect,
    ),
  ];
}

/** The cases of a file beside this one. */
export function readCases<T>(name: string): T[] {
  const lines = readFileSync(new URL(name, import.meta.url), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as T);
}

function missed(titles: readonly string[], expected: readonly Expectation[]): string[] {
  return expected
    .filter(({ title, within }) => !titles.slice(0, within).includes(title))
    .map(({ title, within, why }) => `${title} within ${within}: ${why}; found ${titles.join(' ')}`);
}
