// The dictionary of jieba as its npm package carries it: a word, how often it was counted, a part of speech.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Words with their counts, in the order of the dictionary. */
export function readJiebaWords(): Map<string, number> {
  return new Map(rows().map(([word = '', count = '']) => [word, Number(count)]));
}

const HAN = /^[\u4E00-\u9FFF]$/;
/** Nouns, and what is one only inside a word; not names of people and places. */
const NOUN = /^(?:n|ng|nz)$/i;
/** Of a character that the dictionary calls otherwise: so many words end in it, and so many of them are nouns. */
const ENDINGS = 15;
const MOSTLY = 0.7;
/** Names of things that neither tells: the dictionary takes 杯 for a measure and 云 for a place. */
const BY_HAND = '碗杯河云月塔粽包';

/** The single characters that name things, in the order of their codes: by their own tag, or by the words that end in them (车). */
export function readJiebaNouns(): string[] {
  const nouns = new Set<string>(BY_HAND);
  const endings = new Map<string, { words: number; nouns: number }>();
  for (const [word = '', , tag = ''] of rows()) {
    const last = word.at(-1) ?? '';
    if (!HAN.test(last)) continue;
    if (word === last && NOUN.test(tag)) nouns.add(word);
    if (word.length !== 2) continue;
    const counted = endings.get(last) ?? { words: 0, nouns: 0 };
    endings.set(last, { words: counted.words + 1, nouns: counted.nouns + (NOUN.test(tag) ? 1 : 0) });
  }
  for (const [last, counted] of endings) {
    if (counted.words >= ENDINGS && counted.nouns >= MOSTLY * counted.words) nouns.add(last);
  }
  return [...nouns].toSorted();
}

function rows(): string[][] {
  const file = createRequire(import.meta.url).resolve('@node-rs/jieba/dict.txt');
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => line.split(' '));
}
