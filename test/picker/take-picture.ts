// Takes the picture of the page in the README, of the real page before the sandbox: `npm run picture`.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openChromium } from '../support/launch-chromium.js';

const ROOT = join(import.meta.dirname, '..', '..');
const FILE = join(ROOT, 'src', 'picker', 'page.webp');
const SIZE = { width: 1200, height: 720 };
/** Sharp on screens of two points a pixel. */
const SHARPNESS = 2;
const QUALITY = 0.72;
const MOST_BYTES = 150 * 1024;
const OWNED = ['fluent-emoji-flat/birthday-cake', 'fluent-emoji-flat/balloon'];

const folder = mkdtempSync(join(tmpdir(), 'svcd-picture-'));
const home = join(folder, 'home');
const svcd = (...args: readonly string[]): string =>
  execFileSync(process.execPath, [join(ROOT, 'bin', 'svcd.js'), ...args, '--home', home], { encoding: 'utf8' });

/** A screenshot as WebP, which is a fifth of a PNG. */
async function asWebp(page: Page, png: Buffer): Promise<Buffer> {
  const coded = await page.evaluate<string>(`(async () => {
    const bytes = await (await fetch('data:image/png;base64,${png.toString('base64')}')).blob();
    const bitmap = await createImageBitmap(bytes);
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
    canvas.getContext('2d').drawImage(bitmap, 0, 0);
    return canvas.toDataURL('image/webp', ${QUALITY});
  })()`);
  return Buffer.from(coded.slice(coded.indexOf(',') + 1), 'base64');
}

const { url } = JSON.parse(svcd('start', '--sandbox', '--port', '0', '--detach', '--json')) as { url: string };
const browser = await openChromium();
try {
  svcd('get', ...OWNED, '--output', join(folder, 'files'), '--yes');
  const context = { viewport: SIZE, deviceScaleFactor: SHARPNESS, locale: 'en', colorScheme: 'light' } as const;
  const page = await browser.newPage(context);
  await page.goto(svcd('open', '--print').trim());
  await page.goto(`${url}/?q=${encodeURIComponent('生日')}`);
  await page.locator('.tile[data-look=picture]').first().waitFor();
  await page.keyboard.press('ArrowDown');
  for (const key of ['ArrowRight', 'x', 'ArrowRight', 'x', 'ArrowLeft', 'ArrowLeft', 'Control+Enter'])
    await page.keyboard.press(key);
  await page.locator('.details h2').waitFor();
  // It plays, and what is in view is drawn.
  await page.locator('.player .at:not(:empty)').waitFor();
  await page.waitForTimeout(2000);
  const picture = await asWebp(await browser.newPage(), await page.screenshot());
  if (picture.length > MOST_BYTES)
    throw new Error(`the picture has ${picture.length} bytes; ${MOST_BYTES} are the most`);
  writeFileSync(FILE, picture);
  process.stdout.write(`${FILE}: ${picture.length} bytes\n`);
} finally {
  await browser.close();
  svcd('stop');
  rmSync(folder, { recursive: true, force: true });
}
