// "To my editor": a program, a format, numbered files in the folder of the system's videos, and one click the next time.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { CHROMIUM, FFMPEG, itIf } from '../support/requires.js';
import { temporaryHome } from '../support/start-daemon.js';
import { chooseInRow, command } from './acts.js';
import { GOODS, openShop } from './open-shop.js';

/** A page with two owned stickers that are chosen, of a person whose folder of videos is empty. */
async function openWithTwo() {
  const user = temporaryHome();
  vi.stubEnv('HOME', user);
  onTestFinished(() => void vi.unstubAllEnvs());
  const opened: string[] = [];
  const openOutside = (target: string) => Promise.resolve(opened.push(target) > 0);
  const shop = await openShop({ pair: { openOutside } });
  const [one, other] = GOODS;
  for (const { preset } of [one!, other!]) expect((await shop.svcd.get(stickerPath(preset))).status).toBe(200);
  await shop.page.goto(`${shop.svcd.url}/?owned=true`);
  await expect.poll(() => shop.page.locator('.tile[data-seen="owned"]').count()).toBeGreaterThan(1);
  await shop.page.locator('.tile[data-seen="owned"]').first().focus();
  const titles = await shop.page.locator('.tile[data-seen="owned"] .name').allTextContents();
  await chooseInRow(shop.page, 2);
  const folder = join(user, process.platform === 'darwin' ? 'Movies' : 'Videos', 'svcd');
  return { ...shop, opened, titles, folder };
}

describe('"To my editor"', () => {
  itIf(FFMPEG, 'puts numbered movies into the folder of videos, shows it, and is one click the next time', async () => {
    const { page, folder, opened, titles } = await openWithTwo();
    await command(page, 'to my editor');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('I cut in').selectOption('DaVinci Resolve');
    await dialog.getByLabel('Longer side').selectOption('128');
    await dialog.getByLabel('Frame rate of my timeline').selectOption('29.97');
    await dialog.getByRole('button', { name: 'Put files in Videos/svcd' }).click();
    await dialog.getByRole('status').waitFor();
    await expect.poll(() => dialog.getByRole('status').textContent()).toMatch(/^2 stickers, [\d.]+ MB, in .*svcd$/);
    const names = readdirSync(folder).toSorted();
    expect(names).toEqual([`01-${titles[0]}.mov`, `02-${titles[1]}.mov`]);
    for (const name of names) {
      const asked = ['-v', 'error', '-show_entries', 'stream=codec_tag_string,width,r_frame_rate', '-of', 'csv=p=0'];
      expect(execFileSync('ffprobe', [...asked, join(folder, name)], { encoding: 'utf8' }).trim()).toBe(
        'ap4h,128,30000/1001',
      );
    }
    await dialog.getByRole('button', { name: 'Show in folder' }).click();
    await expect.poll(() => opened).toEqual([folder]);
    await dialog.getByRole('button', { name: 'Close' }).click();
    // Closing goes back in the history, and a reload before it has arrived is aborted by it.
    await expect.poll(() => page.evaluate('history.state?.layer === true')).toBe(false);

    await page.reload();
    await page.locator('.tile[data-seen="owned"]').first().focus();
    await page.keyboard.press('e');
    await page.getByRole('button', { name: 'Send to DaVinci Resolve · 128 · 29.97' }).click();
    await expect.poll(() => readdirSync(folder).length).toBe(3);
    expect(readdirSync(folder)).toContain(`${titles[0]}.mov`);
  });

  itIf(CHROMIUM, 'makes a sequence of PNG of each, in a folder of its own; Stop keeps what is made', async () => {
    const { page, folder, titles } = await openWithTwo();
    await command(page, 'to my editor');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('I cut in').selectOption('Remotion · Blender · ffmpeg');
    await dialog.getByLabel('Longer side').selectOption('128');
    await dialog.getByLabel('Frame rate of my timeline').selectOption('23.976');
    const coming = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download' }).click();
    const download = await coming;
    const zipped = Object.keys(unzipSync(readFileSync(await download.path())));
    expect(zipped[0]).toBe(`01-${titles[0]}/01-${titles[0]}_0001.png`);
    expect(zipped.at(-1)).toMatch(new RegExp(`^02-${titles[1]}/02-${titles[1]}_00\\d\\d.png$`));

    mkdirSync(folder, { recursive: true });
    let pieces = 0;
    await page.route('**/svcd/folder/made?*', (route) => {
      pieces += 1;
      return pieces < 3 ? route.continue() : new Promise(() => undefined);
    });
    await dialog.getByRole('button', { name: 'Put files in Videos/svcd' }).click();
    await expect.poll(() => pieces).toBe(3);
    const isAsked = () => page.evaluate("!dispatchEvent(new Event('beforeunload', { cancelable: true }))");
    expect(await isAsked()).toBe(true);
    await dialog.getByRole('button', { name: 'Stop' }).click();
    await expect.poll(() => page.locator('.notice').textContent()).toContain('What was made stays');
    expect(readdirSync(join(folder, `01-${titles[0]}`))).toHaveLength(2);
    expect(await dialog.getByRole('button', { name: 'Make the file' }).isEnabled()).toBe(true);
    expect(await isAsked()).toBe(false);
  });
});
