// There is no way to spend but the dialog: 2,000 random keys and clicks outside of it, typed addresses, images, what browsers
// fetch and open in advance, drags and every link leave the journal as it was.

import { describe, expect } from 'vitest';
import { CHROMIUM, itIf } from '../support/requires.js';
import { GOODS, openShop, WORD } from './open-shop.js';

const KEYS =
  'Enter Space ArrowDown ArrowUp ArrowLeft ArrowRight Tab Shift+Tab Escape Home End PageDown x X f w c s p r n b a 1 ? /'.split(
    ' ',
  );

describe('whatever is pressed outside the dialog', () => {
  itIf(CHROMIUM, 'spends nothing', async () => {
    const seed = 20_261_122;
    const next = random(seed);
    const { page, dialog, bought, asked, remote } = await openShop({
      context: { viewport: { width: 1000, height: 700 } },
    });
    for (let times = 0; times < 2000; times += 1) {
      // What happens in the dialog is deliberate, and not meant here.
      if ((await dialog.count()) > 0) {
        await page.keyboard.press('Escape');
        await expect.poll(() => dialog.count()).toBe(0);
        continue;
      }
      const isClick = next() < 0.4;
      if (isClick) await page.mouse.click(next() * 1000, next() * 700, { clickCount: next() < 0.2 ? 2 : 1 });
      else await page.keyboard.press(KEYS[Math.floor(next() * KEYS.length)] ?? 'Enter');
    }
    expect(asked.filter((one) => one.includes('/svcd/prefetch') || one.includes('/retry'))).toEqual([]);
    expect(asked.filter((one) => one.includes('/api/v1/stickers/'))).toEqual([]);
    expect(await bought()).toEqual([]);
    expect(remote.sandbox.charges()).toEqual([]);
  });
});

describe('whatever a browser does by itself with the cookie of the page', () => {
  itIf(CHROMIUM, 'spends nothing, not even for a page of the same origin without a policy', async () => {
    const { page, svcd, bought, remote } = await openShop();
    const context = page.context();
    const [typed, image, linked, fetched, opened, framed] = GOODS.map(
      ({ preset }) => `/api/v1/stickers/${encodeURIComponent(preset)}`,
    );
    const rules = {
      prefetch: [{ urls: [fetched], eagerness: 'immediate' }],
      prerender: [{ urls: [opened], eagerness: 'immediate' }],
    };
    await context.route(`${svcd.url}/attack`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><script type="speculationrules">${JSON.stringify(rules)}</script>
          <link rel="prefetch" href="${linked}"><link rel="preload" as="fetch" href="${linked}"><img src="${image}">
          <iframe src="${framed}"></iframe><a id="link" href="${typed}" ping="${image}">a</a>`,
      }),
    );
    const attack = await context.newPage();
    const asked: string[] = [];
    context.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const devtools = await context.newCDPSession(attack);
    const told: string[] = [];
    devtools.on('Preload.prefetchStatusUpdated', ({ prefetchUrl }) => told.push(new URL(prefetchUrl).pathname));
    devtools.on('Preload.prerenderStatusUpdated', ({ key }) => told.push(new URL(key.url).pathname));
    await devtools.send('Preload.enable');
    await attack.goto(`${svcd.url}/attack`);
    // The browser did try, or this would prove nothing.
    await expect.poll(() => told).toEqual(expect.arrayContaining([fetched, opened]));
    await expect.poll(() => asked).toEqual(expect.arrayContaining([image, linked, framed]));
    await attack.locator('#link').click();
    await attack.waitForLoadState();
    await attack.goto(svcd.url + (typed ?? ''));
    await attack.goto(`view-source:${svcd.url}${typed}`).catch(() => undefined);
    expect(await bought()).toEqual([]);
    expect(remote.sandbox.charges()).toEqual([]);
  });

  itIf(CHROMIUM, 'spends nothing for a drag of what is not owned, nor for any link of the page', async () => {
    const { page, svcd, tile, bought, asked, remote } = await openShop();
    const from = await tile('礼物1').boundingBox();
    const [x, y] = [(from?.x ?? 0) + 30, (from?.y ?? 0) + 30];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 60, y + 60, { steps: 6 });
    await page.locator('#search').hover();
    await page.mouse.up();
    await expect.poll(() => page.locator('#search').inputValue()).toBe(WORD);
    const links = await page.evaluate<string[]>(
      "[...document.querySelectorAll('[href], [src]')].map((one) => one.href ?? one.src)",
    );
    expect(links.length).toBeGreaterThan(2);
    for (const link of links) await (await page.request.get(link)).body();
    expect(links.filter((one) => !one.startsWith(`${svcd.url}/svcd/picker/`))).toEqual([]);
    expect(asked.filter((one) => one.includes('/api/v1/stickers/'))).toEqual([]);
    expect(await bought()).toEqual([]);
    expect(remote.sandbox.charges()).toEqual([]);
  });
});

/** Numbers from 0 to 1, the same for a seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
