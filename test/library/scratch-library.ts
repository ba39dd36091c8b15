// A library in a folder of its own, for tests: made, filled, closed and removed in one place.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { encodeGlossary } from '../../data/glosses/build/encode-glossary.js';
import { decodeGlossary } from '../../src/library/language/glossary.js';
import { StickerIndex } from '../../src/library/search-index/sticker-index.js';
import type { Indexable } from '../../src/library/search-index/sticker-terms.js';
import { openLibrary, type Library } from '../../src/library/library.js';
import { silentLog, type Log, type LogFields } from '../../src/platform/log.js';
import type { Sticker } from '../../src/model/sticker.js';

/** The table written by hand. */
export const SYNONYMS = readText('data/synonyms/synonyms.txt');
/** All tables, as the daemon reads them. */
export const SHIPPED_SYNONYMS = ['synonyms', 'english', 'regional']
  .map((name) => readText(`data/synonyms/${name}.txt`))
  .join('\n');

/** A glossary that knows no word. */
export const NO_GLOSSES = decodeGlossary(encodeGlossary([]));

/** An index of these. */
export function indexOf(stickers: readonly Indexable[], glossary = NO_GLOSSES): StickerIndex {
  const index = new StickerIndex();
  const reader = index.reader(glossary);
  for (const one of stickers) index.put(one, reader);
  return index;
}

/** The stickers of the sandbox's catalogue. */
export function readCatalogue(): Sticker[] {
  const lines = readText('data/catalogue/stickers.jsonl').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Sticker);
}

export interface ScratchLibrary {
  readonly file: string;
  /** Events logged, by name, since the start. */
  readonly events: { name: string; fields: LogFields }[];
  /** Opens the file, again if it was closed. */
  open(synonyms?: string, scope?: string): Library;
  remove(): void;
}

export function scratchLibrary(): ScratchLibrary {
  const folder = mkdtempSync(path.join(tmpdir(), 'svcd-library-'));
  const events: ScratchLibrary['events'] = [];
  const note = (name: string, fields: LogFields = {}) => void events.push({ name, fields });
  const log: Log = { ...silentLog, info: note, warn: note };
  const file = path.join(folder, 'library.db');
  return {
    file,
    events,
    open: (synonyms = '', scope = 'test') => openLibrary({ file, scope, synonyms: () => synonyms, log }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A library for all tests of the file, which holds these before the first of them. */
export function libraryForFile(stickers: () => readonly Sticker[], synonyms?: string): Library {
  const scratch = scratchLibrary();
  const library = scratch.open(synonyms);
  beforeAll(() => {
    library.importStickers(stickers(), 'test');
    library.prepare();
  });
  afterAll(() => {
    library.close();
    scratch.remove();
  });
  return library;
}

/** A sticker of which a test says only what it is about. */
export function sticker(preset: string, title: string, keywords: string[] = [], rest = {}): Sticker {
  return { preset, title, keywords, ...rest };
}

function readText(file: string): string {
  return readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
}
