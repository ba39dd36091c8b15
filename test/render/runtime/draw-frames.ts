// Draws the scenes of a video with full lottie-web in a real browser: a PNG a moment, and how much of each scene is painted.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const SIDE = 128;
const MOMENTS = [0.02, 0.15, 0.35, 0.6];
const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'];

export interface Frames {
  readonly pictures: readonly Uint8Array[];
  /** For each scene the largest share of its place that is painted, 0 to 1. */
  readonly painted: readonly number[];
}

/** Frames with these stickers in a row, and the picture behind a last place. */
export async function drawFrames(stickers: readonly Uint8Array[], picture: Uint8Array): Promise<Frames> {
  const player = createRequire(import.meta.url).resolve('lottie-web/build/player/lottie.min.js');
  const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: QUIET });
  try {
    const places = stickers.length + 1;
    const page = await browser.newPage({ viewport: { width: SIDE * places, height: SIDE } });
    await page.setContent('<body style="margin:0;background:#fff;display:flex"></body>');
    await page.addScriptTag({ content: readFileSync(player, 'utf8') });
    const files = stickers.map((bytes) => new TextDecoder().decode(bytes)).join(',');
    await page.evaluate(STAGE(files, Buffer.from(picture).toString('base64')));
    await page.waitForFunction('ready === animations.length && picture.complete', undefined, { timeout: 60_000 });
    const pictures: Uint8Array[] = [];
    let painted = Array.from({ length: places }, () => 0);
    for (const moment of MOMENTS) {
      await page.evaluate(
        `for (const one of animations) one.goToAndStop(Math.round(${moment} * one.totalFrames), true); 0`,
      );
      const png = await page.screenshot();
      pictures.push(png);
      const shares: number[] = await page.evaluate(MEASURE(png.toString('base64'), places));
      painted = painted.map((share, i) => Math.max(share, shares[i] ?? 0));
    }
    return { pictures, painted };
  } finally {
    await browser.close();
  }
}

// Code for the page is text: it runs where this program's types do not reach.
const STAGE = (files: string, picture: string): string => `
  ready = 0;
  place = () => Object.assign(document.body.appendChild(document.createElement('div')),
    { style: 'width:${SIDE}px;height:${SIDE}px;overflow:hidden' });
  animations = [${files}].map((animationData) => {
    const one = lottie.loadAnimation({ container: place(), renderer: 'svg', loop: false, autoplay: false, animationData });
    if (one.isLoaded) ready += 1; else one.addEventListener('DOMLoaded', () => { ready += 1; });
    return one;
  });
  picture = new Image(${SIDE}, ${SIDE});
  picture.src = 'data:image/png;base64,${picture}';
  place().append(picture);
  0`;

const MEASURE = (png: string, places: number): string => `(async () => {
  const image = new Image();
  image.src = 'data:image/png;base64,${png}';
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const pen = canvas.getContext('2d');
  pen.drawImage(image, 0, 0);
  return Array.from({ length: ${places} }, (_, i) => {
    const { data } = pen.getImageData(i * ${SIDE}, 0, ${SIDE}, ${SIDE});
    let painted = 0;
    for (let at = 0; at < data.length; at += 4) if (Math.min(data[at], data[at + 1], data[at + 2]) < 250) painted += 1;
    return painted / ${SIDE * SIDE};
  });
})()`;
