// svcd killed without warning while the page is open, and started again: the page says so, comes back, and has lost nothing that
// was chosen or written in it.

import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished } from 'vitest';
import { makeHome } from '../support/run-svcd.js';
import { CHROMIUM, itIf } from '../support/requires.js';
import { startSvcd, type StartedSvcd } from '../support/start-svcd.js';
import { openAt, signInLink } from './open-page.js';

const WAIT = { timeout: 60_000 };
const COPY = '今天过生日。最后送一个蛋糕';
const said = async (page: Page) => (await page.locator('.states').textContent()) ?? '';

/** A daemon on a home and a port that outlive it. */
async function startAgain(home: string, port: string): Promise<StartedSvcd> {
  const svcd = await startSvcd(['--sandbox', '--port', port], { home });
  onTestFinished(svcd.stop);
  return svcd;
}

async function open() {
  const { home, remove } = makeHome();
  onTestFinished(remove);
  const first = await startAgain(home, '0');
  const { url } = first.info;
  const opened = await openAt(url, { by: await signInLink(first.info), path: '/?aspect=square' });
  await opened.page.locator('.balance').waitFor();
  return { ...opened, first, home, port: new URL(url).port };
}

describe('svcd that is killed', () => {
  itIf(CHROMIUM, 'is said to be away and back again: selection, filters, place and details stay', async () => {
    const { page, first, home, port } = await open();
    await page.locator('#search').press('ArrowDown');
    for (let step = 0; step < 12; step += 1) await page.keyboard.press('PageDown');
    for (let step = 0; step < 3; step += 1) {
      await page.locator('.tile:focus[aria-label]').waitFor();
      await page.keyboard.press('x');
      await page.keyboard.press('ArrowRight');
    }
    const place = await page.locator('.tile:focus').getAttribute('id');
    await page.keyboard.press('Control+Enter');
    const title = await page.locator('.details h2').textContent();
    const address = page.url();
    await page.waitForTimeout(500);
    expect(await page.evaluate<number>("document.querySelector('.grid').scrollTop")).toBeGreaterThan(1000);
    const seenAt = (await page.locator(`#${place}`).boundingBox())?.y ?? Number.NaN;

    await first.end('SIGKILL');
    await expect.poll(() => said(page), WAIT).toMatch(/svcd does not answer.*svcd start/);
    // What is in memory stays, and can be looked at.
    await page.locator(`#${place}`).focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.locator('.tile:focus').getAttribute('id')).toBe(place);
    await expect.poll(() => page.locator('.selection').textContent()).toMatch(/3 chosen/);

    const again = await startAgain(home, port);
    await expect.poll(() => said(page), WAIT).not.toMatch(/svcd does not answer/);
    expect(page.url()).toBe(address);
    await expect.poll(() => page.locator('.tile:focus').getAttribute('id')).toBe(place);
    // What is said above the list may take a line more, by which the list is shorter.
    const now = (await page.locator(`#${place}`).boundingBox())?.y ?? Number.NaN;
    expect(Math.abs(now - seenAt)).toBeLessThan(40);
    await expect.poll(() => page.locator('.details h2').textContent()).toBe(title);
    await expect.poll(() => page.locator('.selection').textContent()).toMatch(/3 chosen/);
    await expect.poll(() => page.locator('.chips').textContent()).toMatch(/Square/);

    expect(await said(page)).not.toMatch(/signed in/);
    await expect.poll(() => page.locator('.selection').textContent()).toMatch(/3 chosen/);
    // The stream of events is there again too.
    await fetch(`${again.info.url}/svcd/spending`, {
      method: 'POST',
      body: '{"stopped":true}',
      headers: { Authorization: `Bearer ${again.info.token}`, 'Content-Type': 'application/json' },
    });
    await expect.poll(() => said(page), WAIT).toMatch(/Spending is stopped/);
  });

  itIf(CHROMIUM, 'loses no word of a text, nor what was chosen for it', async () => {
    const { page, first, home, port } = await open();
    await page.locator('.rail').getByRole('button', { name: 'Script', exact: true }).click();
    const field = page.getByLabel('Your text');
    await field.fill(COPY);
    await page.getByRole('button', { name: 'Match', exact: true }).click();
    await page.locator('.copy-row').nth(1).waitFor();
    await page.getByRole('button', { name: 'Choose the best of each' }).click();
    const choices = await page.locator('.copy-choice').allTextContents();
    await page.getByRole('button', { name: 'Edit the text' }).click();
    await field.fill(`${COPY}。还有气球`);

    await first.end('SIGKILL');
    await expect.poll(() => said(page), WAIT).toMatch(/svcd does not answer/);
    // Asked for while it is away, it says why there is no answer.
    await page.getByRole('button', { name: 'Match', exact: true }).click();
    await page.locator('.copy [role=alert]').first().waitFor();
    await expect.poll(() => field.inputValue()).toBe(`${COPY}。还有气球`);
    await expect.poll(() => page.locator('.copy-choice').allTextContents()).toEqual(choices);

    await startAgain(home, port);
    await expect.poll(() => said(page), WAIT).not.toMatch(/svcd does not answer/);
    await expect.poll(() => field.inputValue()).toBe(`${COPY}。还有气球`);
    await expect.poll(() => page.locator('.copy-choice').allTextContents()).toEqual(choices);
    await page.getByRole('button', { name: 'Match', exact: true }).click();
    await expect.poll(() => page.locator('.copy-row').count(), WAIT).toBe(3);
    expect((await page.locator('.copy-choice').allTextContents()).slice(0, 2)).toEqual(choices);
    await expect.poll(() => page.locator('.copy [role=alert]').count()).toBe(0);
  });
});
