// The safe form in lottie-web and a real browser: the same picture as the file that was bought, nothing fetched, nothing run.

import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCatalogue } from '../../src/catalogue/catalogue.js';
import { safeFormOf } from '../../src/lottie/safe-form.js';
import { FLAWED } from '../support/flawed-lottie.js';
import { openPlayers, type Players } from '../support/lottie-players.js';
import { CHROMIUM, describeIf } from '../support/requires.js';

const catalogue = openCatalogue(fileURLToPath(new URL('../../data/catalogue', import.meta.url)));
const MOMENTS = [0.1, 0.5, 0.9];
/** Nothing shows it, and the safe form is other bytes for it. */
const LINKED = { fonts: { list: [{ fName: 'A', fFamily: 'sans-serif', fPath: '', origin: 0 }] } };

const safe = (file: object) => new TextDecoder().decode(safeFormOf(new TextEncoder().encode(JSON.stringify(file))));

describeIf(CHROMIUM, 'the safe form', () => {
  let players: Players;

  beforeAll(async () => {
    players = await openPlayers();
  });

  afterAll(async () => {
    await players.close();
  });

  it('draws the same picture of a file without code', async () => {
    const sample = [...catalogue.entries()].filter((_, at) => at % 400 === 7);
    expect(sample.length).toBeGreaterThanOrEqual(10);
    for (const { at, preset } of sample) {
      const text = (await catalogue.readLottie(at)).toString();
      const file = { ...(JSON.parse(text) as object), ...LINKED };
      // Code that nothing draws with: all else is written anew.
      const made = safe({ ...file, meta: { unused: { k: 1, x: 'while (true) {}' } } });
      expect(made).not.toBe(text);
      for (const player of ['lottie-web svg', 'lottie-web canvas'] as const) {
        const [one, other] = [await players.draw(player, text, MOMENTS), await players.draw(player, made, MOMENTS)];
        expect([preset, other]).toEqual([preset, one]);
      }
    }
  });

  it('fetches nothing, and runs no code', async () => {
    const [remote, beside] = [FLAWED.remote_image[0], FLAWED.missing_image[0]];
    const before = players.strayRequests.length;
    for (const file of [remote, beside]) await players.draw('lottie-web svg', safe(file ?? {}), [0.5]);
    expect(players.strayRequests.slice(before)).toEqual([]);
    const endless = JSON.stringify(FLAWED.expressions[0]).replace('$bm_rt = 45', 'while (true) {}');
    const drawn = await players.draw('lottie-web svg', safe(JSON.parse(endless) as object), [0.5]);
    expect(drawn.failure).toBeUndefined();
    expect(drawn.pictures?.[0]?.painted).toBeGreaterThan(0.1);
  });
});
