// A library whose file turns out to be damaged while it is used.

import { closeSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Harvest } from '../../src/harvest/harvest.js';
import { openLibrary, type Library } from '../../src/library/library.js';
import { Sqlite } from '../support/sqlite.js';
import { silentLog } from '../../src/platform/log.js';
import { scratchLibrary, sticker, type ScratchLibrary } from './scratch-library.js';

const PAGE_BYTES = 16_384;
const STICKERS = Array.from({ length: 3000 }, (_, i) => sticker(`snow/${i}`, `雪人${i}`, ['冬天']));
const FROM_THE_START = [sticker('default/star', '星星')];

let scratch: ScratchLibrary;
let library: Library;
let filled: number;

beforeEach(() => {
  scratch = scratchLibrary();
  const first = scratch.open();
  first.importStickers(STICKERS, 'test');
  first.prepare();
  first.close();
  breakPagesWith('雪人1500');
  filled = 0;
  library = openLibrary({
    file: scratch.file,
    scope: 'test',
    synonyms: () => '',
    log: silentLog,
    fill: (opened) => {
      filled += 1;
      if (opened.size === 0) opened.importStickers(FROM_THE_START, 'defaults');
    },
  });
});

afterEach(() => {
  library.close();
  scratch.remove();
});

function breakPagesWith(text: string): void {
  const bytes = readFileSync(scratch.file);
  const handle = openSync(scratch.file, 'r+');
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) {
    const page = Math.floor(at / PAGE_BYTES);
    writeSync(handle, Buffer.alloc(PAGE_BYTES, 0xff), 0, PAGE_BYTES, page * PAGE_BYTES);
  }
  closeSync(handle);
}

function setAside(): string[] {
  const name = `${basename(scratch.file)}.damaged-`;
  return readdirSync(dirname(scratch.file)).filter((file) => file.startsWith(name) && /\d$/.test(file));
}

test('is set aside, and the question is answered from a new file with what is there from the start', () => {
  const before = library.revision;
  expect(library.search('雪人1500', 12).hits).toEqual([]);
  expect(setAside()).toHaveLength(1);
  expect(library.search('星星', 12).hits.map((hit) => hit.sticker.preset)).toEqual(['default/star']);
  expect(library.revision).toBeGreaterThan(before);
  expect(filled).toBe(2);
});

test('tells its observers, and a harvest goes on with the new file', async () => {
  let reopened = 0;
  const harvest = new Harvest(library);
  library.observe({ reopened: () => (reopened += 1) });
  harvest.setPaused(true);
  library.search('雪人1500', 12);
  expect(reopened).toBe(1);
  expect(harvest.isPaused).toBe(false);
  await harvest.open();
  const question = harvest.findNext(12)!;
  const id = harvest.noteSent(question, 1000);
  const candidates = [{ sticker: sticker('new/one', '月亮'), original: {}, reasons: [] }];
  harvest.learn(id, question, { candidates, total: 1, limit: 12 }, 1001);
  expect(harvest.progress).toMatchObject({ known: 1, requests: { sent: 1, answered: 1 } });
  expect(library.findSticker('new/one')?.title).toBe('月亮');
});

test.each(['no JSON', '5', '[1]', '{}'])(
  'one row with keywords that cannot be read (%s) is damage like any',
  async (keywords) => {
    library.close();
    scratch.remove();
    scratch = scratchLibrary();
    const first = scratch.open();
    first.importStickers(STICKERS, 'test');
    first.prepare();
    first.close();
    const db = new Sqlite(scratch.file);
    db.prepare("UPDATE sticker SET keywords = ? WHERE preset = 'snow/7'").run(keywords);
    db.exec("UPDATE snapshot SET bytes = x'00'");
    db.close();
    library = openLibrary({
      file: scratch.file,
      scope: 'test',
      synonyms: () => '',
      log: silentLog,
      fill: (opened) => {
        if (opened.size === 0) opened.importStickers(FROM_THE_START, 'defaults');
      },
    });
    await library.prepareBeside();
    expect(library.search('星星', 12).hits.map((hit) => hit.sticker.preset)).toEqual(['default/star']);
    expect(setAside()).toHaveLength(1);
  },
);
