// The files that the page makes, decoded again by the browser's own decoders and by another program's unzip; and the way into
// the person's folder.

import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import type { Tile, Tiles } from '../../src/api/tile.js';
import { stickerPath } from '../../src/model/sticker.js';
import { CHROMIUM, itIf } from '../support/requires.js';
import { temporaryHome } from '../support/start-daemon.js';
import { HOSTILE, SQUARE } from './lottie-files.js';
import { chooseInRow, command } from './acts.js';
import { openPage } from './open-page.js';
import { GOODS, openShop } from './open-shop.js';

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

/** Of the page, in which `decode` runs. */
interface Image {
  readonly displayWidth: number;
  readonly displayHeight: number;
  /** Microseconds. */
  readonly duration: number;
  close(): void;
}
declare const ImageDecoder: new (init: object) => {
  readonly completed: Promise<void>;
  readonly tracks: { readonly ready: Promise<void>; readonly selectedTrack: { readonly frameCount: number } };
  decode(which: object): Promise<{ readonly image: Image }>;
};
declare const OffscreenCanvas: new (
  width: number,
  height: number,
) => {
  getContext(kind: string): {
    drawImage(image: Image, x: number, y: number): void;
    getImageData(x: number, y: number, width: number, height: number): { readonly data: Uint8ClampedArray };
  };
};

/** What the browser's image decoder, which is none of our code, makes of a file. */
function decode(page: Page, bytes: Buffer, type: string): Promise<Decoded> {
  return page.evaluate(
    async ([coded, kind]) => {
      const data = Uint8Array.from(atob(coded), (one) => one.charCodeAt(0));
      const decoder = new ImageDecoder({ data, type: kind });
      await decoder.tracks.ready;
      await decoder.completed;
      const frames = decoder.tracks.selectedTrack.frameCount;
      let length = 0;
      const alphas = new Set<number>();
      let [width, height, corner] = [0, 0, -1];
      for (let index = 0; index < frames; index += 1) {
        const { image } = await decoder.decode({ frameIndex: index });
        length += image.duration / 1000;
        [width, height] = [image.displayWidth, image.displayHeight];
        const context = new OffscreenCanvas(width, height).getContext('2d');
        context.drawImage(image, 0, 0);
        const pixels = context.getImageData(0, 0, width, height).data;
        if (index === 0) corner = pixels[3] ?? -1;
        for (let i = 3; i < pixels.length; i += 4) alphas.add(pixels[i] ?? -1);
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
async function exportBy(page: Page, fields: Asked): Promise<{ name: string; bytes: Buffer }> {
  await command(page, fields.command);
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

/** A page on which a sticker whose file is there, since it ships with svcd, has the focus. */
async function openWithHeld() {
  const opened = await openPage({ path: '/?q=蛋糕' });
  const { page, svcd } = opened;
  const { tiles } = (await (await svcd.get('/svcd/tiles?q=蛋糕&limit=1')).json()) as Tiles;
  const [{ title, duration, picture }] = tiles as [Tile];
  expect(picture).toBe('shipped');
  await page.locator('.tile[data-look="picture"]').first().focus();
  return { ...opened, title, seconds: duration ?? 0 };
}

/** Asks for a GIF of a sticker whose file is this; answers with what the dialog says is wrong, if anything. */
async function exportOf(page: Page, lottie: string): Promise<string | undefined> {
  await page.unrouteAll();
  await page.route('**/svcd/pictures/**', (route) => route.fulfill({ body: lottie, contentType: 'application/json' }));
  await page.reload();
  await page.locator('.tile[data-look="picture"]').first().focus();
  await command(page, 'gif');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Longer side').selectOption('128');
  await dialog.getByRole('button', { name: 'Make the file' }).click();
  const problem = dialog.getByRole('alert');
  await Promise.race([problem.waitFor(), page.waitForEvent('download')]);
  const said = (await problem.count()) === 0 ? undefined : ((await problem.textContent()) ?? '');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  // The step back out of the layer ends by itself; a page that is loaded anew meanwhile is not.
  await expect.poll(() => page.evaluate('history.state?.layer === true')).toBe(false);
  return said;
}

describe('the files that the page makes', () => {
  itIf(CHROMIUM, 'are a GIF, an APNG and a zip of PNG of the size, length and alpha that were asked for', async () => {
    const { page, asked, title, seconds } = await openWithHeld();

    const gif = await exportBy(page, { command: 'gif', side: '128', rate: '20' });
    expect(gif.name).toBe(`${title}.gif`);
    expect(await decode(page, gif.bytes, 'image/gif')).toMatchObject({
      width: 128,
      height: 128,
      frames: Math.round(seconds * 20),
      length: Math.round(seconds * 20) * 50,
      corner: 0,
      alphas: [0, 255],
    });

    const apng = await exportBy(page, { command: 'animated', side: '128', rate: '15' });
    expect(apng.name).toBe(`${title}.png`);
    const moving = await decode(page, apng.bytes, 'image/png');
    expect(moving).toMatchObject({ width: 128, height: 128, corner: 0 });
    expect(moving.frames).toBeGreaterThan(1);
    expect(moving.frames).toBeLessThanOrEqual(Math.round(seconds * 15));
    expect(moving.length).toBeCloseTo((Math.round(seconds * 15) * 1000) / 15, -1);
    // Soft edges: more than there and not there.
    expect(moving.alphas.length).toBeGreaterThan(10);

    const zip = await exportBy(page, { command: 'sequence', side: '128', rate: '10', background: 'green' });
    expect(zip.name).toBe(`${title}.zip`);
    const files = unzipSync(zip.bytes);
    expect(Object.keys(files)).toEqual(
      Array.from(
        { length: Math.round(seconds * 10) },
        (_, index) => `${title}/${title}_${`${index + 1}`.padStart(4, '0')}.png`,
      ),
    );
    for (const file of Object.values(files)) {
      const still = await decode(page, Buffer.from(file), 'image/png');
      expect(still).toMatchObject({ width: 128, height: 128, frames: 1, alphas: [255] });
    }
    const mov = await exportBy(page, { command: 'editing', side: '128', rate: '29.97' });
    expect(mov.name).toBe(`${title}.mov`);
    expect(mov.bytes.toString('latin1')).toMatch(/^....ftypqt {2}.*ap4h/s);
    expect(asked.filter((one) => one.includes('/api/v1/'))).toEqual([]);
  });

  itIf(CHROMIUM, 'are one zip of GIFs where several are chosen', async () => {
    const { page, svcd } = await openPage();
    await svcd.get('/api/v1/stickers/search?q=%E8%9B%8B%E7%B3%95');
    const { tiles } = (await (await svcd.get('/svcd/tiles?limit=200')).json()) as Tiles;
    for (const { preset } of tiles.filter(({ price }) => price > 0).slice(0, 2)) {
      expect((await svcd.get(stickerPath(preset))).status).toBe(200);
    }
    await page.goto(`${svcd.url}/?owned=true`);
    const held = page.locator('.tile[data-seen="owned"]');
    for (const at of [0, 1]) {
      await held.nth(at).focus();
      await page.keyboard.press('x');
    }
    const title = await held.first().locator('.name').textContent();
    const zip = await exportBy(page, { command: 'gif', side: '128', rate: '10' });
    expect(zip.name).toBe(`${title} + 1 gif.zip`);
    const files = unzipSync(zip.bytes);
    expect(Object.keys(files)).toHaveLength(2);
    expect(Object.keys(files)[0]).toBe(`${title}.gif`);
    for (const file of Object.values(files)) {
      expect(await decode(page, Buffer.from(file), 'image/gif')).toMatchObject({ width: 128 });
    }
  });

  itIf(CHROMIUM, 'end when they are cancelled, and nothing is saved', async () => {
    const { page } = await openWithHeld();
    const saved: string[] = [];
    page.on('download', (one) => saved.push(one.suggestedFilename()));
    await command(page, 'sequence');
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
    const count = Math.min(5, await tiles.count());
    await chooseInRow(page, count);
    const sheet = await exportBy(page, { command: 'make a contact sheet' });
    expect(sheet.name.endsWith(` + ${count - 1}.png`), sheet.name).toBe(true);
    const drawn = await decode(page, sheet.bytes, 'image/png');
    const columns = Math.ceil(Math.sqrt(count * 1.3));
    const rows = Math.ceil(count / columns);
    expect(drawn).toMatchObject({ width: 20 + columns * 260, height: 20 + rows * 316, alphas: [255] });
  });

  itIf(
    CHROMIUM,
    'are not made of hostile files, or harm nothing: the page lives and nothing else is asked',
    async () => {
      const { page, asked } = await openWithHeld();
      expect(await exportOf(page, HOSTILE.broken)).toMatch(/^No file was made: /);
      expect(await exportOf(page, HOSTILE.endless)).toMatch(/frames; 1,200 are the most/);
      expect(await exportOf(page, HOSTILE.large)).toBe('No file was made: too large to be drawn here');
      expect(await exportOf(page, HOSTILE.bomb)).toBe('No file was made: it takes too long to draw');
      // Drawn without what they would fetch.
      expect(await exportOf(page, HOSTILE.expression)).toBeUndefined();
      expect(await exportOf(page, HOSTILE.remote)).toBeUndefined();
      expect(await exportOf(page, JSON.stringify(SQUARE))).toBeUndefined();
      expect(asked.filter((one) => !/^GET \/(svcd\/(tiles|pictures|picker|complete)|\?|$)/.test(one))).toEqual([]);
    },
  );
});

describe("the way into the person's folder", () => {
  itIf(
    CHROMIUM,
    'says that the file is there, also where the browser does not let the page copy its path',
    async () => {
      const folder = temporaryHome();
      const [{ preset, title } = { preset: '', title: '' }] = GOODS;
      const { page, svcd, tile } = await openShop({ pair: { flags: { folder } } });
      expect((await svcd.get(stickerPath(preset))).status).toBe(200);
      await expect.poll(() => tile(title).getAttribute('data-seen')).toBe('owned');
      await page.evaluate(
        `navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'))`,
      );
      await tile(title).click();
      await page.keyboard.press('p');
      await expect.poll(() => page.locator('.notice').textContent()).toMatch(/^In the folder: .*/);
      expect(readdirSync(folder)).toHaveLength(1);
    },
  );
});
