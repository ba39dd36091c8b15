// Builds data/traditional/traditional.txt: `npx tsx data/traditional/build/main.ts`.

import { writeFileSync } from 'node:fs';

import { characterTable } from './character-table.js';
import { phraseTable } from './phrase-table.js';

const characters = characterTable();
const phrases = phraseTable(characters);
const lines = [
  [...characters.keys()].join(''),
  [...characters.values()].join(''),
  ...Array.from(phrases, ([from, to]) => (from === to ? from : `${from} ${to}`)),
];
writeFileSync(new URL('../traditional.txt', import.meta.url), `${lines.join('\n')}\n`);
process.stderr.write(`${characters.size} characters, ${phrases.size} phrases\n`);
