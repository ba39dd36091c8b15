// What svcd draws beside lottie-web in Chromium, which shows stickers as their makers see them: the same within a hundredth.

import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { openCatalogue } from '../../src/catalogue/catalogue.js';
import { safeFormOf } from '../../src/lottie/safe-form.js';
import { createDraw } from '../../src/picture/draw.js';
import { openPlayers } from '../support/lottie-players.js';
import { CHROMIUM, describeIf } from '../support/requires.js';

const catalogue = openCatalogue(fileURLToPath(new URL('../../data/catalogue', import.meta.url)));
/** Of `test/support/players.html`. */
const [SIDE, GRID] = [128, 16];
const MOMENT = 0.5;

describeIf(CHROMIUM, 'a picture', () => {
  it('is that of lottie-web, within 1 % of all that can be seen', async () => {
    const players = await openPlayers();
    onTestFinished(() => players.close());
    const { draw, close } = createDraw({ timeMs: 20_000, restMs: 60_000, memoryMb: 256, growthMb: 512 });
    onTestFinished(close);
    const sample = [...catalogue.entries()].filter((_, at) => at % 300 === 11);
    expect(sample.length).toBeGreaterThanOrEqual(24);
    for (const { at, preset } of sample) {
      const bytes = await catalogue.readLottie(at);
      const { ip, op } = JSON.parse(bytes.toString()) as { ip: number; op: number };
      const frame = Math.round(MOMENT * (op - ip));
      const safe = Uint8Array.from(safeFormOf(Uint8Array.from(bytes)));
      const { pixels } = await draw({ bytes: safe, width: SIDE, height: SIDE, at: frame / Math.max(1, op - ip - 1) });
      const { pictures, failure } = await players.draw('lottie-web svg', bytes.toString(), [MOMENT]);
      expect([preset, failure]).toEqual([preset, undefined]);
      expect([preset, apart(gridOf(pixels), pictures?.[0]?.grid ?? [])]).toEqual([preset, expect.toSatisfy(isLittle)]);
    }
  });
});

const isLittle = (share: unknown) => Number(share) <= 0.01;

/** How far two coarse pictures are apart, of all that they could be. */
function apart(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? Infinity)), 0) / one.length / 255;
}

/** Mean red, green, blue (times alpha) and alpha of each field, as `players.html` has it. */
function gridOf(pixels: Uint8Array): number[] {
  const grid = Array.from({ length: GRID * GRID * 4 }, () => 0);
  const field = SIDE / GRID;
  for (let i = 0; i < pixels.length; i += 4) {
    const [x, y] = [(i / 4) % SIDE, Math.floor(i / 4 / SIDE)];
    const at = 4 * (Math.floor(y / field) * GRID + Math.floor(x / field));
    const alpha = pixels[i + 3] ?? 0;
    for (let c = 0; c < 3; c++) grid[at + c]! += ((pixels[i + c] ?? 0) * alpha) / 255;
    grid[at + 3]! += alpha;
  }
  return grid.map((sum) => sum / field / field);
}
