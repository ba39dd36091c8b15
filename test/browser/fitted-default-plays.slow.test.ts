// A default in another shape, in a real browser and a real player: all of it is seen, centred, and it moves.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DATA_FOLDER } from '../../src/config/config.js';
import { fitLottie } from '../../src/lottie/fit-lottie.js';
import { openChromium } from '../support/launch-chromium.js';
import { CHROMIUM, describeIf } from '../support/requires.js';

const require = createRequire(import.meta.url);
const player = readFileSync(require.resolve('lottie-web/build/player/lottie.min.js'), 'utf8');
const packed = join(DATA_FOLDER, 'defaults', 'stickers', 'birthday-cake.json.br');
const cake = brotliDecompressSync(readFileSync(packed));
const [WIDTH, HEIGHT] = [320, 180];

let browser: Browser;
let page: Page;

describeIf(CHROMIUM, 'a fitted default', () => {
  beforeAll(async () => {
    browser = await openChromium();
    page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
    await page.setContent(
      `<body style="margin:0;background:#fff"><div id="stage" style="width:${WIDTH}px;height:${HEIGHT}px"></div></body>`,
    );
    await page.addScriptTag({ content: player });
  });

  afterAll(async () => {
    await browser.close();
  });

  it('plays, with the same picture in the middle of a wider canvas', async () => {
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    const [fitted, original] = [await play(fitLottie(cake, WIDTH / HEIGHT)), await play(cake)];
    const [first, later] = [fitted[0], fitted[1]];
    expect(first?.picture).not.toBe(later?.picture);
    // The player fits the original into the stage itself: what is seen must be in the same place.
    for (const [index, moment] of fitted.entries()) {
      for (const side of ['x', 'y', 'width', 'height'] as const) {
        expect(Math.abs(moment.box[side] - (original[index]?.box[side] ?? NaN))).toBeLessThan(1.5);
      }
    }
    expect(errors).toEqual([]);
  });
});

interface Moment {
  picture: string;
  /** Where the drawing is on the page. */
  box: { x: number; y: number; width: number; height: number };
}

async function play(file: Uint8Array): Promise<Moment[]> {
  await page.evaluate(
    `globalThis.shown?.destroy();
     shown = lottie.loadAnimation({ container: document.getElementById('stage'), renderer: 'svg', loop: false,
       autoplay: false, animationData: ${new TextDecoder().decode(file)} }); 0`,
  );
  const moments: Moment[] = [];
  for (const share of [0.15, 0.35]) {
    const box: Moment['box'] = await page.evaluate(
      `shown.goToAndStop(${share} * shown.totalFrames, true);
       (({ x, y, width, height }) => ({ x, y, width, height }))(
         union([...document.querySelectorAll('#stage svg path')]
           .filter((path) => path.closest('clipPath, defs') === null)
           .map((path) => path.getBoundingClientRect())));
       function union(boxes) {
         const x = Math.min(...boxes.map((box) => box.left)), y = Math.min(...boxes.map((box) => box.top));
         return { x, y, width: Math.max(...boxes.map((box) => box.right)) - x,
           height: Math.max(...boxes.map((box) => box.bottom)) - y };
       }`,
    );
    moments.push({ picture: (await page.screenshot()).toString('base64'), box });
  }
  return moments;
}
