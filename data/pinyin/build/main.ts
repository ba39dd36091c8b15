// Builds data/pinyin/pinyin.txt: `npx tsx data/pinyin/build/main.ts`.

import { readFileSync, writeFileSync } from 'node:fs';
import { pinyin } from 'pinyin-pro';

import { foldTraditional } from '../../../src/library/language/fold-traditional.js';
import { readJiebaWords } from '../../frequency/build/jieba-words.js';

const HAN_WORD = /^[\u4E00-\u9FFF]{2,6}$/;
/** Seen less often than this, a word is not worth a line of its own. */
const MIN_COUNT = 10;
/** The reading they have nearly always in what is searched, where the dictionary's first is a bookish one. */
const USUAL = new Map([
  ['着', 'zhe'],
  ['地', 'di'],
  ['得', 'de'],
  ['吗', 'ma'],
  ['哪', 'na'],
  ['谁', 'shui'],
]);

/** Words of two readings of which the library means the one its dictionary does not know. */
const MEANT = new Map([
  ['还书', 'huan shu'],
  ['还车', 'huan che'],
  ['还钱', 'huan qian'],
]);

function read(text: string): string[] {
  const syllables = pinyin(text, { toneType: 'none', type: 'array', v: true });
  return syllables.map((syllable) => syllable.replace(/^([ln])ve$/, '$1ue'));
}

function readCatalogueWords(): string[] {
  const lines = readFileSync(new URL('../../catalogue/stickers.jsonl', import.meta.url), 'utf8').trimEnd();
  return lines.split('\n').flatMap((line) => {
    const { title, keywords } = JSON.parse(line) as { title: string; keywords: string[] };
    return [title, ...keywords];
  });
}

function readAlone(words: Iterable<string>): Map<string, string> {
  const alone = new Map<string, string>();
  for (const character of new Set(Array.from(words).join(''))) {
    if (!/^[\u4E00-\u9FFF]$/.test(character)) continue;
    const [syllable = ''] = read(character);
    if (/^[a-z]+$/.test(syllable)) alone.set(character, USUAL.get(character) ?? syllable);
  }
  return alone;
}

/** Words that are not read as their parts are, shorter ones first: a longer one is needed only where these are wrong. */
function readTogether(words: Iterable<string>, alone: ReadonlyMap<string, string>): Map<string, string> {
  const together = new Map(MEANT);
  for (const word of [...words].toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))) {
    const reading = read(word).join(' ');
    const known = readByTable(word, alone, together).join(' ');
    if (reading !== known && !MEANT.has(word) && /^[a-z]+( [a-z]+)+$/.test(reading)) together.set(word, reading);
  }
  return together;
}

function readByTable(
  word: string,
  alone: ReadonlyMap<string, string>,
  together: ReadonlyMap<string, string>,
): string[] {
  const syllables: string[] = [];
  for (let at = 0; at < word.length;) {
    let length = Math.min(6, word.length - at);
    while (length > 1 && !together.has(word.slice(at, at + length))) length--;
    const piece = word.slice(at, at + length);
    syllables.push(...(together.get(piece)?.split(' ') ?? [alone.get(piece) ?? '?']));
    at += length;
  }
  return syllables;
}

function groupBySyllable(alone: ReadonlyMap<string, string>): string[] {
  const groups = new Map<string, string[]>();
  for (const [character, syllable] of alone) {
    groups.set(syllable, [...(groups.get(syllable) ?? []), character]);
  }
  return Array.from(groups, ([syllable, characters]) => `${syllable} ${characters.toSorted().join('')}`).toSorted();
}

const counted = [...readJiebaWords()].filter(([, count]) => count >= MIN_COUNT).map(([word]) => word);
const words = new Set([...counted, ...readCatalogueWords()].map(foldTraditional));
const alone = readAlone(words);
const runs = new Set([...words].flatMap((word) => word.match(/[\u4E00-\u9FFF]+/g) ?? []));
const together = readTogether(
  [...runs].filter((word) => HAN_WORD.test(word)),
  alone,
);
const lines = [
  ...groupBySyllable(alone),
  '',
  ...Array.from(together, ([word, reading]) => `${word} ${reading}`).toSorted(),
];
writeFileSync(new URL('../pinyin.txt', import.meta.url), `${lines.join('\n')}\n`);
process.stderr.write(`${alone.size} characters, ${together.size} words\n`);
