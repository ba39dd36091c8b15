// The files that the page makes, decoded again by the browser's own decoders and by another program's unzip.

import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { CHROMIUM, itIf } from '../support/requires.js';
import { openPage } from './open-page.js';

const CAKE = 'fluent-emoji-flat/birthday-cake';

interface Decoded {
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** Milliseconds. */
  readonly length: number;
  /** Alpha of the first corner, and of the most covered pixel of the frame in the middle. */
  readonly corner: number;
  readonly alphas: readonly number[];
}

/** What the browser's image decoder, which is none of our code, makes of a file. */
function decode(page: Page, bytes: Buffer, type: string): Promise<Decoded> {
  return page.evaluate(
    async ([coded, kind]) => {
      const data = Uint8Array.from(atob(coded), (one) => one.charCodeAt(0));
      const Decoder = (globalThis as unknown as { ImageDecoder: new (init: object) => any }).ImageDecoder;
      const decoder = new Decoder({ data, type: kind });
      await decoder.tracks.ready;
      await decoder.completed;
      const frames: number = decoder.tracks.selectedTrack.frameCount;
      let length = 0;
      const alphas = new Set<number>();
      let [width, height, corner] = [0, 0, -1];
      for (let index = 0; index < frames; index += 1) {
        const { image } = await decoder.decode({ frameIndex: index });
        length += image.duration / 1000;
        [width, height] = [image.displayWidth, image.displayHeight];
        const Canvas = (globalThis as unknown as { OffscreenCanvas: new (w: number, h: number) => any }).OffscreenCanvas;
        const context = new Canvas(width, height).getContext('2d');
        context.drawImage(image, 0, 0);
        const pixels = context.getImageData(0, 0, width, height).data;
        if (index === 0) corner = pixels[3];
        for (let i = 3; i < pixels.length; i += 4) alphas.add(pixels[i]);
        image.close();
      }
      return { width, height, frames, length, corner, alphas: [...alphas].toSorted((a, b) => a - b) };
    },
    [bytes.toString('base64'), type] as const,
  );
}

interface Asked {
  readonly command: string;
  readonly side?: string;
  readonly rate?: string;
  readonly background?: string;
}

/** Asks for a file by the name of its command, and waits for the download. */
async function exportBy(page: Page, { command, ...fields }: Asked): Promise<{ name: string; bytes: Buffer }> {
  await page.locator('#search').fill('>');
  await page.getByRole('combobox', { name: 'Name of a command' }).fill(command);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  if (fields.side !== undefined) await dialog.getByLabel('Longer side').selectOption(fields.side);
  if (fields.rate !== undefined) await dialog.getByLabel('Frames a second').selectOption(fields.rate);
  if (fields.background !== undefined) await dialog.getByLabel('Background').selectOption(fields.background);
  const coming = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Make the file' }).click();
  const download = await coming;
  await dialog.waitFor({ state: 'detached' });
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

async function openWithCake() {
  const opened = await openPage();
  const { page, svcd } = opened;
  expect((await svcd.get(`/api/v1/stickers/${encodeURIComponent(CAKE)}`)).status).toBe(200);
  await page.goto(`${svcd.url}/?q=生日蛋糕&owned=true`);
  await page.locator('.tile[data-look="picture"]').first().waitFor();
  await page.locator('.tile').first().focus();
  return opened;
}

describe('the files that the page makes', () => {
  itIf(CHROMIUM, 'are a GIF, an APNG and a zip of PNG of the size, length and alpha that were asked for', async () => {
    const { page, asked } = await openWithCake();

    const gif = await exportBy(page, { command: 'gif', side: '128', rate: '20' });
    expect(gif.name).toBe('生日蛋糕.gif');
    // The sticker has 1.2 seconds.
    expect(await decode(page, gif.bytes, 'image/gif')).toMatchObject({
      width: 128,
      height: 128,
      frames: 24,
      length: 1200,
      corner: 0,
      alphas: [0, 255],
    });

    const apng = await exportBy(page, { command: 'animated', side: '128', rate: '15' });
    expect(apng.name).toBe('生日蛋糕.png');
    const moving = await decode(page, apng.bytes, 'image/png');
    expect(moving).toMatchObject({ width: 128, height: 128, corner: 0 });
    expect(moving.frames).toBeGreaterThan(1);
    expect(moving.frames).toBeLessThanOrEqual(18);
    expect(moving.length).toBeCloseTo(1200, 0);
    // Soft edges: more than there and not there.
    expect(moving.alphas.length).toBeGreaterThan(10);

    const zip = await exportBy(page, { command: 'sequence', side: '128', rate: '10', background: 'green' });
    expect(zip.name).toBe('生日蛋糕.zip');
    const files = unzipSync(zip.bytes);
    expect(Object.keys(files)).toEqual(
      Array.from({ length: 12 }, (_, index) => `生日蛋糕-${`${index + 1}`.padStart(4, '0')}.png`),
    );
    for (const file of Object.values(files)) {
      const still = await decode(page, Buffer.from(file), 'image/png');
      expect(still).toMatchObject({ width: 128, height: 128, frames: 1, alphas: [255] });
    }
    expect(asked.filter((one) => one.includes('/api/v1/'))).toEqual([]);
  });

  itIf(CHROMIUM, 'end when they are cancelled, and nothing is saved', async () => {
    const { page } = await openWithCake();
    const saved: string[] = [];
    page.on('download', (one) => saved.push(one.suggestedFilename()));
    await page.locator('#search').fill('>');
    await page.getByRole('combobox', { name: 'Name of a command' }).fill('sequence');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Longer side').selectOption('1080');
    await dialog.getByLabel('Frames a second').selectOption('60');
    await dialog.getByRole('button', { name: 'Make the file' }).click();
    await dialog.getByRole('progressbar').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('.notice').textContent()).toContain('Cancelled');
    expect(saved).toEqual([]);
  });

  itIf(CHROMIUM, 'are a contact sheet of what was chosen, on which a stand-in is labelled', async () => {
    const { page, svcd } = await openPage();
    // As with the real service, nothing shows what is not owned.
    await page.goto(`${svcd.url}/?q=蛋糕`);
    const tiles = page.locator('.tile:not([hidden])');
    await tiles.nth(0).focus();
    for (let count = 0; count < 5; count += 1) {
      await page.keyboard.press('x');
      await page.keyboard.press('ArrowRight');
    }
    const sheet = await exportBy(page, { command: 'make a contact sheet' });
    expect(sheet.name).toBe('svcd.png');
    const drawn = await decode(page, sheet.bytes, 'image/png');
    expect(drawn).toMatchObject({ width: 20 + 3 * 260, height: 20 + 2 * 316, alphas: [255] });
  });
});
