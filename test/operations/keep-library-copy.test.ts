// The copy that svcd keeps of its library: written when something changed, and never over one that knows more.

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createTransferLibrary } from '../../src/operations/library/transfer-library.js';
import { createKeepLibraryCopy } from '../../src/operations/library/keep-library-copy.js';
import { openLibraryCopy } from '../../src/library/storage/library-copy.js';
import type { Library } from '../../src/library/library.js';
import { systemClock } from '../../src/platform/clock.js';
import { silentLog } from '../../src/platform/log.js';
import { scratchLibrary, sticker } from '../library/scratch-library.js';

const THREE = ['雪人', '蛋糕', '气球'].map((title, i) => sticker(`set/${i}`, title));

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svcd-copy-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** An empty library and the keeper of its copy in a folder. */
function open(folder: string, owned: string[] = []) {
  const scratch = scratchLibrary();
  const library: Library = scratch.open();
  onTestFinished(() => {
    library.close();
    scratch.remove();
  });
  const copy = openLibraryCopy(folder, 'test');
  const transfer = createTransferLibrary(library, systemClock);
  const keep = createKeepLibraryCopy({ library, transfer, copy, listOwned: () => owned, log: silentLog });
  return { library, copy, keep };
}

it('takes the copy in before it writes, when that knows more', async () => {
  const folder = makeFolder();
  const one = open(folder);
  one.library.importStickers(THREE, 'a test');
  await one.keep.keepIfChanged();
  expect(await one.copy.countStickers()).toBe(3);

  const other = open(folder);
  other.library.importStickers([sticker('set/9', '火箭')], 'a test');
  await other.keep.keepIfChanged();
  expect(other.library.size).toBe(4);
  expect(await other.copy.countStickers()).toBe(4);
});

it('writes again only when something changed', async () => {
  const { library, copy, keep } = open(makeFolder());
  library.importStickers(THREE, 'a test');
  await keep.keepIfChanged();
  const { ino } = statSync(copy.file);
  await keep.keepIfChanged();
  expect(statSync(copy.file).ino).toBe(ino);
  library.importStickers([sticker('set/9', '火箭')], 'another');
  await keep.keepIfChanged();
  expect(await copy.countStickers()).toBe(4);
});

it('does without a folder that can be written', async () => {
  const { library, copy, keep } = open(join(makeFolder(), 'missing'));
  library.importStickers(THREE, 'a test');
  await keep.keepIfChanged();
  expect(await copy.countStickers()).toBe(0);
});

it('finds owned stickers by the words of their presets, until more is known of them', async () => {
  const { library, keep } = open(makeFolder(), ['pets/sleepy-otter', 'set/0']);
  library.importStickers(THREE, 'a test');
  await keep.refill();
  expect(library.search('sleepy otter', 3).hits[0]?.sticker.preset).toBe('pets/sleepy-otter');
  expect(library.findSticker('set/0')?.title).toBe('雪人');
});
