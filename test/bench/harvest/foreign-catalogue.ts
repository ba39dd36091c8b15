// A catalogue in a vocabulary that nobody knows: every Han character is another one, by a fixed permutation.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DATA_FOLDER } from '../../../src/config/config.js';

const HAN = /\p{Script=Han}/u;
const TRUE_WORDS = 200;

export interface ForeignCatalogue {
  readonly folder: string;
  /** The few of its words that somebody knows. */
  readonly words: readonly string[];
}

interface Line {
  readonly title: string;
  readonly keywords: readonly string[];
}

/** Writes it below `folder`. */
export function writeForeignCatalogue(folder: string): ForeignCatalogue {
  const from = join(DATA_FOLDER, 'catalogue');
  const lines = readFileSync(join(from, 'stickers.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  const strange = permutation(lines);
  const foreign = lines.map((line) => ({ ...line, title: strange(line.title), keywords: line.keywords.map(strange) }));
  mkdirSync(join(folder, 'packs'), { recursive: true });
  writeFileSync(join(folder, 'stickers.jsonl'), foreign.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const index = JSON.parse(readFileSync(join(from, 'packs', 'index.json'), 'utf8')) as object;
  writeFileSync(join(folder, 'packs', 'index.json'), JSON.stringify({ ...index, stamp: 'foreign' }));
  const words = [...new Set(foreign.flatMap(({ keywords }) => keywords))];
  return {
    folder,
    words: Array.from({ length: TRUE_WORDS }, (_, i) => words[Math.floor((i * words.length) / TRUE_WORDS)] ?? ''),
  };
}

/** Shuffles the characters that occur, the same way every time. */
function permutation(lines: readonly Line[]): (text: string) => string {
  const text = lines.map(({ title, keywords }) => title + keywords.join('')).join('');
  const characters = [...new Set(text)].filter((character) => HAN.test(character)).toSorted();
  const shuffled = [...characters];
  let seed = 12_345;
  for (let i = shuffled.length - 1; i > 0; i--) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff;
    const j = seed % (i + 1);
    [shuffled[i], shuffled[j]] = [shuffled[j] ?? '', shuffled[i] ?? ''];
  }
  const strange = new Map(characters.map((character, i) => [character, shuffled[i] ?? character]));
  return (word) => Array.from(word, (character) => strange.get(character) ?? character).join('');
}
