// 2,000 random keys and clicks outside the dialog: the journal stays as it was.

import { describe, expect } from 'vitest';
import { CHROMIUM, itIf } from '../support/requires.js';
import { openShop } from './open-shop.js';

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

/** Numbers from 0 to 1, the same for a seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
