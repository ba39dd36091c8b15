// What people come to the page for, each done by the keyboard alone: nothing here clicks, points or puts the focus anywhere.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { temporaryHome } from '../sandbox/start-sandbox.js';
import { BIRTHDAY_CAKE, type TinySticker, writeTinyCatalogue } from '../sandbox/tiny-catalogue.js';
import { openChromium } from '../support/launch-chromium.js';
import { listPurchases } from '../support/purchases.js';
import { CHROMIUM, itIf } from '../support/requires.js';
import { giveCode } from './acts.js';
import { SQUARE } from './lottie-files.js';
import { openPage } from './open-page.js';

const CONTROL = 'svcd_sandbox_keys';
const STICKERS: readonly TinySticker[] = [
  { preset: BIRTHDAY_CAKE, title: '生日蛋糕', keywords: ['庆祝', '派对'] },
  ...['flat', 'line', 'round'].map((style) => ({ preset: `${style}/peony`, title: '牡丹花', keywords: ['派对'] })),
  { preset: 'flat/firework', title: '烟火', keywords: ['派对', '夜空'] },
];
const [, PEONY] = STICKERS.map(({ preset }) => preset);

let browser: Browser;
beforeAll(async () => {
  if (CHROMIUM.isMet()) browser = await openChromium();
});
afterAll(async () => browser?.close());

/** The page of an editor with 42 credits, and what the keys do there. */
async function sitDown(owned: readonly string[] = []) {
  const catalogueFolder = writeTinyCatalogue(temporaryHome(), STICKERS);
  const remote = { credits: 42, catalogueFolder, controlToken: CONTROL, requestsPerMinute: 1_000_000 };
  const context = { permissions: ['clipboard-read', 'clipboard-write'], acceptDownloads: true };
  const opened = await openPage({ pair: { remote }, signedIn: true, browser, context });
  const { page, svcd } = opened;
  expect((await svcd.get('/api/v1/stickers/search?q=%E6%B4%BE%E5%AF%B9&limit=50')).status).toBe(200);
  for (const preset of owned)
    expect((await svcd.get(`/api/v1/stickers/${encodeURIComponent(preset)}`)).status).toBe(200);
  // A browser asks where to save in a window of its own, which no test can answer.
  await page.addInitScript('delete window.showSaveFilePicker');
  await page.reload();
  await page.locator('.count:not(:empty)').waitFor();
  // Heard from the start: the browser opens a window of its own otherwise.
  page.on('filechooser', () => undefined);
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const find = async (word: string) => {
    await press('Control+k');
    await page.keyboard.type(word);
    await expect.poll(() => page.locator('.count').textContent()).toContain(`· ${word}`);
    await press('ArrowDown');
    await expect.poll(() => focus(page)).toMatch(/^gridcell: /);
  };
  const command = async (name: string) => {
    await press('Control+k');
    await page.keyboard.type(`>${name}`);
    await page.locator('#command-list [aria-selected=true]').waitFor();
    await expect.poll(() => page.locator('dialog input').inputValue()).toBe(name);
    await press('Enter');
  };
  /** Goes on by Tab to what is so named. */
  const tabTo = async (name: RegExp) => {
    for (let stop = 0; stop < 60; stop += 1) {
      await press('Tab');
      if (name.test(await focus(page))) return;
    }
    throw new Error(`Tab does not come to ${name}; it is at ${await focus(page)}`);
  };
  /** The second act counts when the dialog has stood a moment. */
  const buy = async () => {
    await page.locator('dialog[open] .main[aria-disabled=false]:focus').waitFor();
    await page.waitForTimeout(400);
    await press('Enter');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
  };
  const said = () => page.locator('.notice').textContent();
  const bought = async () => (await listPurchases(svcd.get)).map(({ preset }) => preset);
  const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()');
  return { ...opened, press, find, command, tabTo, buy, said, bought, clipboard };
}

type Seat = Awaited<ReturnType<typeof sitDown>>;

/** Role and name of what has the focus. */
const focus = (page: Page) =>
  page.evaluate<string>(`(() => {
    const one = document.activeElement;
    const role = one.getAttribute('role') ?? one.localName;
    return role + ': ' + (one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent);
  })()`);

async function fileOf({ page }: Seat, act: () => Promise<void>) {
  const saved = page.waitForEvent('download');
  await act();
  const file = await saved;
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

const setBudget = ({ call, token }: Seat['svcd'], day: number) =>
  call('/svcd/budget', {
    method: 'PUT',
    body: JSON.stringify({ day }),
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
  });

const collection = async ({ svcd }: Seat, name: string): Promise<readonly string[] | undefined> => {
  const { collections } = (await (await svcd.get('/svcd/collections')).json()) as {
    collections: { name: string; presets: string[] }[];
  };
  return collections.find((one) => one.name === name)?.presets;
};

describe('by the keyboard alone', () => {
  itIf(
    CHROMIUM,
    '1: a cake is found by its first letters, and saved; one that is not owned is bought first',
    async () => {
      const seat = await sitDown();
      const { press, page, buy, said, bought } = seat;
      expect(await focus(page)).toBe('combobox: Search stickers');
      await page.keyboard.type('srdg');
      await expect.poll(() => page.locator('.count').textContent()).toContain('srdg');
      await press('ArrowDown', 'Enter');
      await buy();
      await expect.poll(said).toMatch(/^Bought 1 for 1 credit\./);
      expect(await bought()).toEqual([BIRTHDAY_CAKE]);
      expect(await focus(page)).toMatch(/^gridcell: 生日蛋糕.*Owned/);
      expect((await fileOf(seat, () => press('Enter'))).name).toBe('生日蛋糕.json');
    },
  );

  itIf(
    CHROMIUM,
    '2: a script gets a sticker for each sentence, or is told that it has none; the choice is bought',
    async () => {
      const { page, press, tabTo } = await sitDown();
      await page.evaluate("navigator.clipboard.writeText('今天开生日派对。\\nqqq www。\\n夜空里有烟火！')");
      await press('Control+v');
      await page.locator('.copy-tile:focus').waitFor();
      await press('Enter', 'ArrowDown', 'Enter');
      const choices = page.locator('.copy-choice');
      await expect
        .poll(() => choices.allTextContents())
        .toEqual([expect.stringMatching(/^✓ Chosen/), '○ Nothing fits', expect.stringMatching(/^✓ Chosen/)]);
      await expect.poll(() => page.locator('.copy-row').first().textContent()).toMatch(/Why.*派对/);
      await tabTo(/^button: Buy · \d credit/);
      await press('Enter');
      await page.locator('dialog[open] .main[aria-disabled=false]').waitFor();
      await press('Escape', 'Escape');
      // Back in the list, with a place to go on from.
      await page.locator('.copy').waitFor({ state: 'detached' });
      expect(await focus(page)).toMatch(/^(gridcell|combobox|button): /);
    },
  );

  itIf(CHROMIUM, '3: offline, what is owned is saved, and the rest is put on the list of wanted', async () => {
    const seat = await sitDown([BIRTHDAY_CAKE]);
    const { page, svcd, find, press, command, said } = seat;
    await svcd.post('/svcd/offline', { offline: true });
    await page.locator('.reach[data-offline]').waitFor();
    await find('生日蛋糕');
    expect((await fileOf(seat, () => press('Enter'))).name).toBe('生日蛋糕.json');
    await find('烟火');
    await press('Enter');
    await page.locator('dialog[open] button:focus', { hasText: 'Want it' }).waitFor();
    await press('Enter');
    await expect.poll(() => collection(seat, 'wanted')).toEqual(['flat/firework']);
    await command('wanted');
    await expect.poll(() => page.locator('.chips').textContent()).toContain('Wanted');
    await svcd.post('/svcd/offline', { offline: false });
    await expect.poll(said).toMatch(/You can buy what you wanted: 1 credit/);
  });

  itIf(
    CHROMIUM,
    '4: styles of the same thing are gone through, and the one that is shown is the one that is bought',
    async () => {
      const { page, find, press, buy, bought } = await sitDown([PEONY ?? '']);
      await find('牡丹花');
      await press('Control+Enter');
      const shown = page.locator('.details code');
      const first = await shown.textContent();
      await press('n');
      await expect.poll(() => shown.textContent()).not.toBe(first);
      if ((await shown.textContent()) === PEONY) await press('n');
      await expect.poll(() => shown.textContent()).not.toBe(PEONY);
      await expect.poll(() => page.locator('.details').textContent()).toContain('You own this in another style');
      const chosen = await shown.textContent();
      await press('Enter');
      await buy();
      await expect.poll(bought).toEqual([PEONY, chosen]);
    },
  );

  itIf(CHROMIUM, '5: filters are set, stand in the address, and are taken off by Backspace on a chip', async () => {
    const { page, press, tabTo } = await sitDown();
    const asked = (name: string) => new URL(page.url()).searchParams.get(name);
    await tabTo(/^button: Red/);
    await press('Enter');
    await tabTo(/^button: Square/);
    await press('Enter');
    await tabTo(/^select: Length/);
    await press('ArrowDown');
    await expect
      .poll(() => [asked('color'), asked('aspect'), asked('max_duration')])
      .toEqual(['f8312f', 'square', '1']);
    await tabTo(/^button: Remove filter Red/);
    await press('Backspace');
    await expect.poll(() => asked('color')).toBeNull();
    await expect.poll(() => focus(page)).toBe('button: Remove filter Square');
    await press('Backspace');
    await expect.poll(() => focus(page)).toBe('button: Remove filter ≤ 1 s');
    await press('Backspace');
    await expect.poll(() => new URL(page.url()).search).toBe('');
  });

  itIf(CHROMIUM, '6: a collection is made of what is chosen, and shows it again in the same order', async () => {
    const seat = await sitDown([BIRTHDAY_CAKE]);
    const { page, find, press, command } = seat;
    await find('生日蛋糕');
    await press('x');
    await find('烟火');
    await press('x');
    await command('collection');
    await expect.poll(() => focus(page)).toBe('input: Name of the collection');
    await page.keyboard.type('part one');
    await press('Enter');
    await expect.poll(() => collection(seat, 'part one')).toEqual([BIRTHDAY_CAKE, 'flat/firework']);
    await expect.poll(() => focus(page)).toMatch(/^button: part one 2/);
    await press('Enter');
    await expect.poll(() => page.locator('.tile:not([hidden]) .name').allTextContents()).toEqual(['生日蛋糕', '烟火']);
  });

  itIf(
    CHROMIUM,
    '7: several are bought by one confirmation, with what it costs, leaves and what the day allows',
    async () => {
      const { page, svcd, find, press, buy, bought } = await sitDown([PEONY ?? '']);
      await setBudget(svcd, 20);
      await find('派对');
      await press('Control+a');
      await expect
        .poll(() => page.locator('.selection').textContent())
        .toMatch(/5 chosen · 1 owned · 4 credits · 41 → 37/);
      await press('Enter');
      const dialog = page.locator('dialog[open]');
      await expect
        .poll(() => dialog.textContent())
        .toMatch(/Buy 4 stickers\?.*4 × 1 = 4 credits.*41 → 37.*1 → 5 of 20/);
      await buy();
      await expect.poll(async () => (await bought()).length).toBe(5);
      await expect.poll(() => page.locator('.selection').textContent()).toMatch(/5 chosen · 5 owned/);
    },
  );

  itIf(CHROMIUM, '8: presets and commands of what is chosen are copied for somebody else', async () => {
    const { page, find, press, tabTo, clipboard } = await sitDown();
    await find('牡丹花');
    await press('x', 'ArrowRight', 'x', 'c');
    await expect.poll(clipboard).toMatch(/^\w+\/peony\n\w+\/peony$/);
    await press('e');
    await page.getByRole('dialog', { name: 'Export' }).waitFor();
    await tabTo(/svcd get/);
    await press('Enter');
    await expect.poll(clipboard).toMatch(/^svcd get \w+\/peony\nsvcd get \w+\/peony$/);
  });

  itIf(CHROMIUM, '9: what is owned is saved as a GIF, for programs that know no Lottie', async () => {
    const seat = await sitDown([BIRTHDAY_CAKE]);
    const { page, find, press, tabTo } = seat;
    await find('生日蛋糕');
    await press('e');
    await page.getByRole('dialog', { name: 'Export' }).waitFor();
    await tabTo(/GIF/);
    await press('Enter');
    await expect.poll(() => focus(page)).toBe('button: Make the file');
    const { name, bytes } = await fileOf(seat, () => press('Enter'));
    expect([name, bytes.subarray(0, 6).toString()]).toEqual(['生日蛋糕.gif', 'GIF89a']);
    await expect.poll(() => focus(page)).toMatch(/^gridcell: 生日蛋糕/);
  });

  itIf(CHROMIUM, '10: a contact sheet is made of all that was found', async () => {
    const seat = await sitDown();
    const { page, find, press, command } = seat;
    await find('派对');
    await press('Control+a');
    await expect.poll(() => page.locator('.selection').textContent()).toContain('5 chosen');
    await command('sheet');
    await expect.poll(() => focus(page)).toBe('button: Make the file');
    const { name, bytes } = await fileOf(seat, () => press('Enter'));
    expect(name).toMatch(/^生日蛋糕 \+ 4\.png$/);
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  });

  itIf(CHROMIUM, '11: a file of their own is added, found beside the others, and has its color', async () => {
    const { page, svcd, press, command, tabTo, find } = await sitDown();
    const file = join(svcd.home, 'mine.json');
    await writeFile(file, JSON.stringify(SQUARE));
    await command('own');
    await expect.poll(() => focus(page)).toMatch(/Choose files/);
    const asked = page.waitForEvent('filechooser');
    await press('Enter');
    await (await asked).setFiles(file);
    await tabTo(/^input: Title/);
    await press('Control+a');
    await page.keyboard.type('红方块');
    await press('Enter');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
    await find('红方块');
    expect(await focus(page)).toMatch(/^gridcell: 红方块.*Yours/);
    await expect.poll(() => middleOf(page)).toEqual([229, 51, 51, 255]);
  });

  itIf(CHROMIUM, '12: a purchase that went wrong is said to be so, and settled', async () => {
    const { page, svcd, remote, find, press, command, tabTo, said } = await sitDown();
    const answer = await remote.call('/sandbox/faults', {
      method: 'POST',
      body: JSON.stringify({ kind: 'reset', path: '/api/v1/stickers/*', count: 20 }),
      headers: { Authorization: `Bearer ${CONTROL}`, 'Content-Type': 'application/json' },
    });
    expect(answer.ok).toBe(true);
    await find('烟火');
    await press('Enter');
    await page.locator('dialog[open] .main[aria-disabled=false]:focus').waitFor();
    await page.waitForTimeout(400);
    await press('Enter');
    await expect.poll(said, { timeout: 30_000 }).toMatch(/Not bought: 烟火.*1 credit may be gone/);
    await command('money');
    await tabTo(/^button: It was not charged/);
    await press('Enter');
    await giveCode(page, svcd);
    await expect.poll(() => page.locator('dialog .unknown').count()).toBe(0);
    await press('Escape');
    await expect.poll(said).toMatch(/Noted: it was not charged/);
  });
});

/** The color in the middle of the tile with the focus, once it is drawn. */
const middleOf = (page: Page) =>
  page.evaluate<number[]>(`(() => {
    const { width, height } = document.activeElement.querySelector('canvas');
    const canvas = document.activeElement.querySelector('canvas');
    return [...canvas.getContext('2d').getImageData(width / 2, height / 2, 1, 1).data];
  })()`);
