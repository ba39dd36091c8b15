// A sample of the catalogue in a real browser and a real player: each sticker shows something, and moves.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { openCatalogue, type CatalogueEntry } from '../../src/catalogue/catalogue.js';
import { openChromium } from '../support/launch-chromium.js';
import { CHROMIUM, describeIf } from '../support/requires.js';

const require = createRequire(import.meta.url);
const player = readFileSync(require.resolve('lottie-web/build/player/lottie_light.min.js'), 'utf8');
const catalogue = openCatalogue(fileURLToPath(new URL('../../data/catalogue', import.meta.url)));

// Frames at these shares of the length; no motion is at rest in all of them.
const MOMENTS = [0.02, 0.15, 0.35, 0.6];
const SIDE = 128;

/** One sticker for each motion, and then for each set, the same ones every time; all of them in `npm run test:long`. */
function chooseSample(): CatalogueEntry[] {
  if (process.env['SVCD_ALL_STICKERS'] === '1') return [...catalogue.entries()];
  const chosen = new Map<string, CatalogueEntry>();
  const entries = [...catalogue.entries()].filter((_, i) => i % 7 === 3);
  for (const entry of entries) if (!chosen.has(entry.motion)) chosen.set(entry.motion, entry);
  for (const entry of entries) if (!chosen.has(entry.set)) chosen.set(entry.set, entry);
  return [...chosen.values()];
}

let browser: Browser;
let page: Page;

// Code for the page is text: it runs where this project's types do not reach.
const load = (file: string): string =>
  `globalThis.shown?.destroy();
   shown = lottie.loadAnimation({ container: document.getElementById('stage'), renderer: 'svg', loop: false,
     autoplay: false, animationData: ${file} });
   0`;
const show = (moment: number): string => `shown.goToAndStop(Math.round(${moment} * shown.totalFrames), true); 0`;

async function picturesOf(entry: CatalogueEntry): Promise<string[]> {
  await page.evaluate(load((await catalogue.readLottie(entry.at)).toString()));
  const pictures: string[] = [];
  for (const moment of MOMENTS) {
    await page.evaluate(show(moment));
    pictures.push((await page.screenshot()).toString('base64'));
  }
  return pictures;
}

describeIf(CHROMIUM, 'the catalogue in a browser', () => {
  beforeAll(async () => {
    browser = await openChromium();
    page = await browser.newPage({ viewport: { width: SIDE, height: SIDE } });
    await page.setContent(
      `<body style="margin:0;background:#fff"><div id="stage" style="width:${SIDE}px;height:${SIDE}px"></div></body>`,
    );
    await page.addScriptTag({ content: player });
  });

  afterAll(async () => {
    await browser.close();
  });

  it('every motion and every set shows pictures that are not blank and not alike', async () => {
    const blank = (await page.screenshot()).toString('base64');
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    const sample = chooseSample();
    expect(sample.length).toBeGreaterThanOrEqual(24);
    for (const entry of sample) {
      const pictures = await picturesOf(entry);
      const visible = pictures.filter((picture) => picture !== blank);
      expect(visible.length, `${entry.preset} (${entry.motion}) is blank`).toBeGreaterThanOrEqual(2);
      expect(new Set(visible).size, `${entry.preset} (${entry.motion}) is still`).toBeGreaterThanOrEqual(2);
    }
    expect(errors).toEqual([]);
  });
});
