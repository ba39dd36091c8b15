// Builds data/associations/associations.txt from emojilib and Unicode CLDR: `npx tsx data/associations/build/main.ts`.

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { stemsOf } from '../../../src/library/language/english.js';
import { normalise } from '../../../src/library/language/normalise.js';

type Annotations = Record<string, { readonly tts?: readonly string[] }>;

const { resolve } = createRequire(import.meta.url);
const SELECTOR = /\uFE0F/gu;
/** Flags, keys and variants are named after a colon, and all of a kind bring the same to mind. */
const PLAIN_TITLE = /^[^\s:]+$/;

/** What the source says of a picture and few would. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  心跳: ['wifi'],
};

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(resolve(file), 'utf8'));
}

function readTitles(file: string, name: 'annotations' | 'annotationsDerived'): [string, string][] {
  const json = readJson(file) as Record<typeof name, { annotations: Annotations }>;
  return Object.entries(json[name].annotations).flatMap(([emoji, { tts = [] }]) =>
    tts.map((title): [string, string] => [emoji.replace(SELECTOR, ''), normalise(title)]),
  );
}

const keywords = new Map(
  Object.entries(readJson('emojilib') as Record<string, string[]>).map(
    ([emoji, words]) => [emoji.replace(SELECTOR, ''), words] as const,
  ),
);
const titles = [
  ...readTitles('cldr-annotations-full/annotations/zh/annotations.json', 'annotations'),
  ...readTitles('cldr-annotations-derived-full/annotationsDerived/zh/annotations.json', 'annotationsDerived'),
];
const lines = titles
  .filter(([emoji, title]) => keywords.has(emoji) && PLAIN_TITLE.test(title))
  .map(([emoji, title]) => {
    const stems = keywords.get(emoji)!.flatMap((word) => stemsOf(word.replaceAll('_', ' ')));
    return [title, ...new Set(stems.filter((stem) => !REFUSED[title]?.includes(stem)))].join(' ');
  })
  .toSorted();
writeFileSync(new URL('../associations.txt', import.meta.url), `${lines.join('\n')}\n`);
process.stderr.write(`${lines.length} titles\n`);
