// Stickers in a real browser and in the players that templates use: each shows something, moves, and is the same picture in
// all. And what files are warned of is what these players trip over.

import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCatalogue, type CatalogueEntry } from '../../src/catalogue/catalogue.js';
import { DATA_FOLDER } from '../../src/config/config.js';
import { openDefaultPack } from '../../src/defaults/default-pack.js';
import { FLAWED, FLAWLESS } from '../support/flawed-lottie.js';
import { openPlayers, PLAYERS, type Picture, type Players } from '../support/lottie-players.js';
import { CHROMIUM, describeIf } from '../support/requires.js';

const catalogue = openCatalogue(fileURLToPath(new URL('../../data/catalogue', import.meta.url)));

// Frames at these shares of the length; no motion is at rest in all of them. Of all stickers two do: their files say what
// moves (test/data), and a player that fails does so at once.
const MOMENTS = process.env['SVCD_ALL_STICKERS'] === '1' ? [0.02, 0.35] : [0.02, 0.15, 0.35, 0.6];
/** The mean of a sixteenth of the picture's side, 0 to 255; edges are softened differently by each player. */
const SAME = 32;
const ALL = process.env['SVCD_ALL_STICKERS'] === '1';

/** One sticker for each motion, for each set, and the dashed ones, the same every time; all of them in `npm run test:long`. */
function chooseSample(): CatalogueEntry[] {
  const all = [...catalogue.entries()];
  if (ALL) return all.toSorted((a, b) => a.at[0] - b.at[0] || a.at[1] - b.at[1]);
  const chosen = new Map<string, CatalogueEntry>();
  const entries = all.filter((_, i) => i % 7 === 3);
  for (const entry of entries) if (!chosen.has(entry.motion)) chosen.set(entry.motion, entry);
  for (const entry of entries) if (!chosen.has(entry.set)) chosen.set(entry.set, entry);
  for (const entry of all) if (/\/(?:map-road-two|selected-focus)$/.test(entry.preset)) chosen.set(entry.preset, entry);
  return [...chosen.values()];
}

describeIf(
  CHROMIUM,
  'stickers in common players',
  () => {
    let players: Players;

    beforeAll(async () => {
      players = await openPlayers();
    });

    afterAll(async () => {
      await players.close();
    });

    it('shows every motion and every set of the catalogue, moving, and alike in all players', async () => {
      const sample = chooseSample();
      expect(sample.length).toBeGreaterThanOrEqual(30);
      const wrong: string[] = [];
      for (const [done, entry] of sample.entries()) {
        const file = (await catalogue.readLottie(entry.at)).toString();
        for (const problem of await problemsOf(players, file)) wrong.push(`${entry.preset}: ${problem}`);
        if (done % 1_000 === 999) process.stdout.write(`${done + 1} of ${sample.length} stickers\n`);
      }
      expect(wrong).toEqual([]);
    });

    it('shows every sticker of the pack of defaults', async () => {
      const pack = openDefaultPack(`${DATA_FOLDER}/defaults`);
      const wrong: string[] = [];
      for (const sticker of [...pack.stickers()].filter((_, i) => ALL || i % 11 === 5)) {
        const file = Buffer.from(await pack.readSticker(sticker)).toString();
        for (const problem of await problemsOf(players, file)) wrong.push(`${sticker.preset}: ${problem}`);
      }
      expect(wrong).toEqual([]);
    });

    it('draws what is not warned of alike', async () => {
      for (const [index, file] of FLAWLESS.entries()) {
        expect(differences(await drawAll(players, JSON.stringify(file))), `number ${index}`).toEqual([]);
      }
    });

    it.each(Object.entries(FLAWED))('trips over %s, or draws it in different ways', async (_word, files) => {
      for (const [index, file] of files.entries()) {
        const drawn = await drawAll(players, JSON.stringify(file));
        const problems = [...differences(drawn), ...drawn.filter(isBlank).map(({ player }) => `${player}: blank`)];
        expect(problems.length, `number ${index}`).toBeGreaterThan(0);
        // What broke one player may break the next file in it.
        if (problems.some((problem) => /memory|unreachable|RuntimeError/.test(problem))) {
          await players.close();
          players = await openPlayers();
        }
      }
    });

    it('asks the network for nothing', async () => {
      expect(players.strayRequests.filter((url) => !/(?:images\/|127\.0\.0\.1:9\/)a\.png$/.test(url))).toEqual([]);
    });
  },
  { timeout: ALL ? 4 * 3_600_000 : 600_000 },
);

interface Drawn {
  readonly player: string;
  readonly pictures?: Picture[];
  readonly failure?: string;
}

async function drawAll(players: Players, file: string, moments = [0.1, 0.5]): Promise<Drawn[]> {
  const drawn: Drawn[] = [];
  for (const player of PLAYERS) drawn.push({ player, ...(await players.draw(player, file, moments)) });
  return drawn;
}

/** What is wrong with a sticker in these players: one sentence each. */
async function problemsOf(players: Players, file: string): Promise<string[]> {
  const drawn = await drawAll(players, file, MOMENTS);
  // Its canvas fades each shape of a layer by itself: where they overlap, one is seen through the other.
  const { layers } = JSON.parse(file) as { layers: { ks: { o: { a: number } } }[] };
  const fades = layers.some(({ ks }) => ks.o.a === 1);
  const problems = differences(drawn.filter(({ player }) => !fades || player !== 'lottie-web canvas'));
  for (const { player, pictures = [] } of drawn) {
    const visible = pictures.filter(({ painted }) => painted > 0).map(({ grid }) => grid.join());
    if (pictures.length > 0 && visible.length === 0) problems.push(`${player} draws nothing`);
    else if (pictures.length > 0 && !ALL && new Set(visible).size < 2) problems.push(`${player} does not move it`);
  }
  return problems;
}

/** Failures, and players that draw another picture than the first that draws one. */
function differences(drawn: readonly Drawn[]): string[] {
  const model = drawn.find(({ pictures }) => pictures !== undefined);
  return drawn.flatMap(({ player, pictures, failure }) => {
    if (pictures === undefined) return [`${player} fails: ${failure}`];
    const apart = Math.max(...pictures.map((picture, i) => distance(picture, model?.pictures?.[i] ?? picture)));
    return apart > SAME ? [`${player} differs from ${model?.player} by ${apart}`] : [];
  });
}

function distance(one: Picture, other: Picture): number {
  return one.grid.reduce((most, value, i) => Math.max(most, Math.abs(value - (other.grid[i] ?? 0))), 0);
}

function isBlank({ pictures }: Drawn): boolean {
  return pictures?.every(({ painted }) => painted === 0) ?? false;
}
