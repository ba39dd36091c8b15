// How long the page waits for what draws: a machine that is slow for a moment makes no sticker look broken, and a browser that
// draws nothing is said once.

import { describe, expect } from 'vitest';
import { CHROMIUM, itIf } from '../support/requires.js';
import { openPage } from './open-page.js';

const PATH = '/?q=%E7%94%9F%E6%97%A5';
const DRAWN = '.tile[data-look=picture]:not(.blank)';

describe('what draws', () => {
  itIf(CHROMIUM, 'may come late: the stickers are drawn, and none is called broken', async () => {
    const { page, svcd } = await openPage();
    await page.route('**/worker-*.js', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 4000));
      await route.continue();
    });
    await page.goto(svcd.url + PATH);
    await expect.poll(() => page.locator(DRAWN).count(), { timeout: 30_000 }).toBeGreaterThan(2);
    await expect.poll(() => page.locator('[data-purchase=undrawable]').count()).toBe(0);
  });

  itIf(CHROMIUM, 'may hang for a moment: what it was asked is asked again, and nobody is blamed', async () => {
    const { page, svcd } = await openPage();
    // The first worker gets every order, and answers none.
    await page.addInitScript(`{
      const post = Worker.prototype.postMessage;
      let first;
      Worker.prototype.postMessage = function (message, ...rest) {
        first ??= this;
        if (this !== first) return post.call(this, message, ...rest);
        this.dispatchEvent(new MessageEvent('message', { data: { id: message.id, began: true } }));
      };
    }`);
    await page.goto(svcd.url + PATH);
    await expect.poll(() => page.locator(DRAWN).count(), { timeout: 30_000 }).toBeGreaterThan(2);
    await expect.poll(() => page.locator('[data-purchase=undrawable]').count()).toBe(0);
  });

  itIf(CHROMIUM, 'may never come: that is said once, and of no sticker', async () => {
    const { page, svcd } = await openPage();
    await page.clock.install();
    // A worker that says nothing.
    await page.route('**/worker-*.js', (route) => route.fulfill({ body: '', contentType: 'text/javascript' }));
    await page.goto(svcd.url + PATH);
    await page.locator('.tile[data-look=picture]').first().waitFor();
    const line = page.locator('.states', { hasText: 'This browser draws nothing here' });
    await expect
      .poll(async () => {
        await page.clock.runFor(10_000);
        return line.count();
      })
      .toBe(1);
    expect(await page.locator('[data-purchase=undrawable], [data-purchase=damaged]').count()).toBe(0);
  });
});
