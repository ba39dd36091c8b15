// The dictionary of jieba as its npm package carries it: a word, how often it was counted, a part of speech.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Words with their counts, in the order of the dictionary. */
export function readJiebaWords(): Map<string, number> {
  const file = createRequire(import.meta.url).resolve('@node-rs/jieba/dict.txt');
  const words = new Map<string, number>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [word = '', count = ''] = line.split(' ');
    if (word !== '') words.set(word, Number(count));
  }
  return words;
}
