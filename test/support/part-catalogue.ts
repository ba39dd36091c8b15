// A part of the sandbox's catalogue, evenly taken, for tests that need real words but not 12,000 stickers.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DATA_FOLDER } from '../../src/config/config.js';

/** Writes about `count` stickers below `home` and returns the folder. Their files are not with them. */
export function writePartCatalogue(home: string, count: number): string {
  const folder = join(home, `catalogue-${count}`);
  const lines = readFileSync(join(DATA_FOLDER, 'catalogue', 'stickers.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const step = Math.floor(lines.length / count);
  const part = lines.filter((_, i) => i % step === 0);
  mkdirSync(join(folder, 'packs'), { recursive: true });
  writeFileSync(join(folder, 'stickers.jsonl'), `${part.join('\n')}\n`);
  writeFileSync(join(folder, 'packs', 'index.json'), JSON.stringify({ stamp: `part ${count}`, blocks: [] }));
  return folder;
}
