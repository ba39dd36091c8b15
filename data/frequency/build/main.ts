// Builds words.bin and nouns.txt in data/frequency: `npx tsx data/frequency/build/main.ts`.

import { writeFileSync } from 'node:fs';

import { encodeTable, type CountedWord } from './encode-table.js';
import { readJiebaNouns, readJiebaWords } from './jieba-words.js';

const HAN = /^[\u4E00-\u9FFF]{1,4}$/;
const KEPT = 60_000;

const words = readJiebaWords();
const total = [...words.values()].reduce((sum, count) => sum + count, 0);
const common: CountedWord[] = [...words]
  .filter(([word]) => HAN.test(word))
  .toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  .slice(0, KEPT)
  .map(([word, count]) => ({ word, perMillion: (count / total) * 1e6 }));
const bytes = encodeTable(common);
writeFileSync(new URL('../words.bin', import.meta.url), bytes);
process.stderr.write(`${common.length} of ${words.size} words, ${bytes.length} bytes\n`);
const nouns = readJiebaNouns();
writeFileSync(new URL('../nouns.txt', import.meta.url), `${nouns.join('')}\n`);
process.stderr.write(`${nouns.length} characters that are nouns\n`);
