// What is asked: queries and copy made of the catalogue's own titles and keywords, the same on every run.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const CATALOGUE = join(import.meta.dirname, '..', '..', 'data', 'catalogue', 'stickers.jsonl');

/** A line of the catalogue, as far as it is needed here. */
export interface CatalogueLine {
  readonly preset: string;
  readonly title: string;
  readonly keywords: readonly string[];
  /** Block, offset and length of its file. */
  readonly at: readonly [number, number, number];
}

/** Every sticker of the catalogue, in its order. */
export function readCatalogue(): CatalogueLine[] {
  return readFileSync(CATALOGUE, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as CatalogueLine);
}

/** `count` different queries from all over the catalogue: titles, single keywords, pairs of words, in equal parts. */
export function makeQueries(count: number): string[] {
  return takeDifferent(count, ({ title, keywords }, at) => {
    const [first = title, second = first] = keywords;
    return [title, first, `${title} ${second}`][at % 3] ?? title;
  });
}

/** `count` different copies of two sentences, each with words of two stickers in it. */
export function makeCopies(count: number): string[] {
  let before = '朋友';
  return takeDifferent(count, ({ title, keywords }) => {
    const copy = `今天想和大家聊聊${title}，说到${keywords.slice(0, 3).join('、')}，很多人都有话要说。下一期我们来看${before}，记得点赞关注。`;
    before = title;
    return copy;
  });
}

function takeDifferent(count: number, make: (line: CatalogueLine, at: number) => string): string[] {
  const catalogue = readCatalogue();
  const made = new Set<string>();
  // A stride with no factor in common with the number of lines, so that all sets of art take part.
  for (let at = 0; at < catalogue.length && made.size < count; at++) {
    const line = catalogue[(at * 17) % catalogue.length];
    if (line !== undefined) made.add(make(line, at));
  }
  return [...made];
}
