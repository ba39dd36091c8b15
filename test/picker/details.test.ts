// The details of one sticker, as svcd really tells them: one that is owned and one that is not.

import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { TileDetails } from '../../src/api/tile.js';
import { DATA_FOLDER } from '../../src/config/config.js';
import { stickerPath } from '../../src/model/sticker.js';
import { CHROMIUM, itIf } from '../support/requires.js';
import { openPage } from './open-page.js';

async function open() {
  const catalogueFolder = join(DATA_FOLDER, 'catalogue');
  const opened = await openPage({ signedIn: true, pair: { remote: { catalogueFolder } } });
  const { remote, svcd } = opened;
  const [owned, other] = [...remote.sandbox.stickers()];
  if (owned === undefined || other === undefined) throw new Error('the catalogue has no stickers');
  for (const { title } of [owned, other]) {
    await svcd.get(`/api/v1/stickers/search?q=${encodeURIComponent(title)}&limit=50`);
  }
  expect((await svcd.get(stickerPath(owned.preset))).status).toBe(200);
  const told = async (preset: string) =>
    (await (await svcd.get(`/svcd/tiles/${encodeURIComponent(preset)}`)).json()) as TileDetails;
  const show = async (preset: string) => {
    await opened.page.goto('about:blank');
    await opened.page.goto(`${svcd.url}/#${encodeURIComponent(preset)}`);
    await opened.page.locator('.details .facts-list').waitFor();
    await opened.page.locator('.details dt', { hasText: 'Licence' }).waitFor();
  };
  return { ...opened, owned, other, told, show };
}

describe('the details', () => {
  itIf(CHROMIUM, 'of an owned sticker have its file, play it, and lead out', async () => {
    const { page, owned, told, show } = await open();
    const known = await told(owned.preset);
    await show(owned.preset);
    const details = page.locator('.details');
    await expect.poll(() => details.locator('h2').textContent()).toBe(owned.title);
    const english = `≈ ${owned.preset.split('/')[1]?.replaceAll('-', ' ')} (translated)`;
    await expect.poll(() => details.locator('.other-title').textContent()).toBe(english);
    await expect.poll(() => details.locator('.large .picture').getAttribute('data-look')).toBe('picture');
    const facts = await details.locator('.facts-list').textContent();
    expect(known.file).not.toBeNull();
    const kilobytes = new Intl.NumberFormat('en', { maximumFractionDigits: 1 }).format((known.file?.bytes ?? 0) / 1000);
    expect(facts).toContain(`${kilobytes} KB`);
    expect(facts).toContain(known.licence);
    expect(facts).toContain(owned.preset);
    if (known.file?.fps !== null) expect(facts).toContain(`Frames a second${known.file?.fps}`);
    await expect.poll(() => details.locator('.keywords button').allTextContents()).toEqual([...known.keywords]);
    await expect.poll(() => details.locator('.at').textContent()).toMatch(/frame \d+/);
    const stop = details.getByRole('button', { name: 'Pause' });
    await stop.click();
    await details.getByLabel('Place in the animation').fill('3');
    await expect.poll(() => details.locator('.at').textContent()).toMatch(/frame 3$/);
    await expect.poll(() => details.getByRole('button', { name: /^Buy/ }).count()).toBe(0);
    await expect.poll(() => details.locator('.main-act').textContent()).toMatch(/Save|folder/);
  });

  itIf(CHROMIUM, 'of one that svcd does not know are not opened, and the page says so', async () => {
    const { page } = await openPage({ path: '/#no/such' });
    await expect
      .poll(() => page.locator('.notice').textContent())
      .toContain('svcd does not know the sticker “no/such”');
  });

  itIf(CHROMIUM, 'of one that is not have its price and a stand-in that never moves', async () => {
    const { page, other, told, show, asked, remote } = await open();
    const known = await told(other.preset);
    expect(known).toMatchObject({ picture: null, price: 1, file: null });
    const charged = remote.sandbox.charges().length;
    await show(other.preset);
    const details = page.locator('.details');
    await expect.poll(() => details.locator('h2').textContent()).toBe(other.title);
    await expect
      .poll(() => details.locator('.large .picture').getAttribute('data-look'))
      .toBe(known.sketch ? 'sketch' : 'word');
    await expect
      .poll(() => details.textContent())
      .toMatch(known.sketch ? /It is not the sticker itself/ : /No picture/);
    await expect.poll(() => details.locator('.player').count()).toBe(0);
    expect(await details.locator('.facts-list').textContent()).not.toMatch(/KB/);
    expect(
      asked.filter((one) => one.includes('/svcd/pictures/') && one.includes(encodeURIComponent(other.preset))),
    ).toEqual([]);
    await details.getByRole('button', { name: 'Buy · 1 credit' }).click();
    await page.getByRole('dialog', { name: 'Buy this sticker?' }).waitFor();
    expect(remote.sandbox.charges()).toHaveLength(charged);
  });
});
