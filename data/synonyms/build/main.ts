// Builds the tables of data/synonyms that come from others' data: `npx tsx data/synonyms/build/main.ts`. The curated
// table, synonyms.txt, is written by hand.

import { writeFileSync } from 'node:fs';

import { englishLines } from './english-lines.js';
import { regionalLines } from './regional-lines.js';

function write(name: string, about: readonly string[], lines: readonly string[]): void {
  const text = [...about.map((line) => `# ${line}`), '', ...lines, ''].join('\n');
  writeFileSync(new URL(`../${name}`, import.meta.url), text);
  process.stderr.write(`${name}: ${lines.length} entries\n`);
}

write(
  'english.txt',
  [
    'English words find what they mean in Chinese. Made from Unicode CLDR, © Unicode, Inc., Unicode-3.0; see README.md.',
  ],
  englishLines(),
);
write(
  'regional.txt',
  ['What Taiwan calls a thing finds what the mainland calls it. Made from OpenCC, Apache-2.0; see README.md.'],
  regionalLines(),
);
