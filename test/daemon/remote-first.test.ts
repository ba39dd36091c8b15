// With a real remote, what it has comes before the stickers that svcd ships to stand in for it: asked before the first
// sync, and in a library that a colleague exported.

import { beforeAll, expect, it } from 'vitest';
import { readCases } from '../golden/golden-set.js';
import { readCatalogue, scratchLibrary } from '../library/scratch-library.js';
import type { StartedDaemon } from '../support/start-daemon.js';
import { startPair, type Pair } from '../support/start-pair.js';

interface Listed {
  readonly presets: readonly string[];
  readonly shipped: readonly string[];
}

const CATALOGUE = new URL('../../data/catalogue', import.meta.url).pathname;
const copies = readCases<{ text: string }>('copies.jsonl').map(({ text }) => text);
/** All of the catalogue, as a colleague exports it. */
let exported = '';

beforeAll(() => {
  const scratch = scratchLibrary();
  const library = scratch.open('', 'elsewhere');
  library.importStickers(readCatalogue(), 'catalogue');
  library.setComplete(true);
  exported = [...library.exportLibrary()].join('');
  library.close();
  scratch.remove();
});

/** A fresh home in front of a remote with the whole catalogue, and the paths the remote was asked for. */
async function startFresh(): Promise<Pair & { readonly seen: string[] }> {
  const seen: string[] = [];
  const pair = await startPair({
    // A machine that is busy must not make an answer late.
    askWaitMs: 30_000,
    remote: {
      catalogueFolder: CATALOGUE,
      faults: ({ path }) => {
        if (path.startsWith('/api/v1/stickers/')) seen.push(path);
        return undefined;
      },
    },
  });
  return { ...pair, seen };
}

async function importAll({ svcd }: Pair): Promise<void> {
  const headers = { 'Content-Type': 'application/x-ndjson' };
  const answer = await svcd.post('/svcd/library/import?any_remote=1', exported, headers);
  expect(await answer.json()).toMatchObject({ added: 11_991, bad: 0, whole: true });
}

async function listedIn(answer: Response): Promise<Listed> {
  const { results } = (await answer.json()) as { results: { preset: string }[] };
  const shipped = answer.headers.get('x-svcd-shipped')?.split(',').map(decodeURIComponent) ?? [];
  return { presets: results.map(({ preset }) => preset), shipped };
}

const match = async (svcd: StartedDaemon, text: string) =>
  listedIn(await svcd.post('/api/v1/stickers/match', { text, limit: 5 }));

it('lists the remote’s for real copies, much as a full library does, on a fresh home', async () => {
  const [fresh, full] = [await startFresh(), await startFresh()];
  await importAll(full);
  const counts = { listed: 0, own: 0, shared: 0, ownOfFull: 0 };
  for (const text of copies) {
    const [here, there] = [await match(fresh.svcd, text), await match(full.svcd, text)];
    counts.listed += here.presets.length;
    counts.own += here.shipped.length;
    counts.shared += here.presets.filter((preset) => there.presets.includes(preset)).length;
    counts.ownOfFull += there.shipped.length;
  }
  console.log(counts, fresh.seen.length);
  expect(counts).toMatchObject({ listed: 100, ownOfFull: 0 });
  expect(counts.own).toBeLessThanOrEqual(10);
  expect(counts.shared).toBeGreaterThanOrEqual(60);
  expect(full.seen).toEqual([]);
});
