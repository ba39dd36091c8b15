// Moves the golden cases that hold by now out of the lists of those that do not: `npx tsx test/golden/promote.ts`.

import { writeFileSync } from 'node:fs';
import { readCatalogue, scratchLibrary, SHIPPED_SYNONYMS } from '../library/scratch-library.js';
import { missedByMatch, missedBySearch, readCases, type GoldenCopy, type GoldenSearch } from './golden-set.js';

const scratch = scratchLibrary();
const library = scratch.open(SHIPPED_SYNONYMS);
library.importStickers(readCatalogue(), 'catalogue');

function promote<T>(name: string, waiting: readonly T[], missedBy: (one: T) => readonly string[]): void {
  const holding = waiting.filter((one) => missedBy(one).length === 0);
  write(`${name}.jsonl`, [...readCases(`${name}.jsonl`), ...holding]);
  write(
    `${name}-not-yet.jsonl`,
    waiting.filter((one) => !holding.includes(one)),
  );
  process.stderr.write(`${name}: ${holding.length} of ${waiting.length} hold by now\n`);
}

function write(name: string, cases: readonly unknown[]): void {
  writeFileSync(new URL(name, import.meta.url), cases.map((one) => `${JSON.stringify(one)}\n`).join(''));
}

promote('search', readCases<GoldenSearch>('search-not-yet.jsonl'), (one) => missedBySearch(library, one));
promote('match', readCases<GoldenCopy>('match-not-yet.jsonl'), (one) => missedByMatch(library, one));
library.close();
scratch.remove();
