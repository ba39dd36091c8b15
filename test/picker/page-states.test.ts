// What the page says when something stands in the way: which, whether credits are touched, and the one thing to do.

import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { sharedChromium } from '../support/launch-chromium.js';
import { CHROMIUM, itIf } from '../support/requires.js';
import { startTestDaemon } from '../support/start-daemon.js';
import { startPair } from '../support/start-pair.js';
import { openPage, signInLink } from './open-page.js';
import { buyByKeys, GOODS, openShop, type Shop } from './open-shop.js';

describe('a page that is not signed in', () => {
  itIf(CHROMIUM, 'looks at everything, says how to sign in, and hides money', async () => {
    const { page } = await openPage();
    await expect.poll(() => page.locator('.state').textContent()).toMatch(/sign in from a terminal:.*svcd open/);
    await expect.poll(() => page.locator('.status').count()).toBe(0);
  });

  itIf(
    CHROMIUM,
    'is none that a link with another session was opened in: what svcd refuses takes nothing away',
    async () => {
      const { page, svcd } = await openPage({ signedIn: true });
      await page.goto(`${svcd.url}/?q=cake#session=AAAA`);
      await expect.poll(() => page.locator('.balance').textContent()).toMatch(/credits/);
      await page.goto(svcd.url);
      await expect.poll(() => page.locator('.balance').textContent()).toMatch(/credits/);
      // A session that svcd takes is another matter.
      await page.goto(await signInLink(svcd));
      await expect.poll(() => page.locator('.balance').textContent()).toMatch(/credits/);
    },
  );
});

describe('what stands in the way of buying', () => {
  itIf(CHROMIUM, 'a Key that the service refuses is named when the page opens, with what to do', async () => {
    const { page } = await openPage({ signedIn: true, pair: { userKey: 'sk-wrong-0123456789' } });
    await expect
      .poll(() => page.locator('.state').textContent())
      .toMatch(/does not know the Key that ends in 6789.*key set/);
  });

  itIf(CHROMIUM, 'offline: Want it instead of Buy, which can be undone; online again it offers to buy', async () => {
    const shop = await openShop();
    const { page, svcd, tile } = shop;
    await tile('礼物1').focus();
    await page.keyboard.press('x');
    await svcd.post('/svcd/offline', { offline: true });
    await expect.poll(() => said(shop)).toMatch(/All that you own works/);
    await expect.poll(() => page.locator('.reach').textContent()).toMatch(/Offline/);
    await expect.poll(() => page.locator('.selection .main').textContent()).toBe('Want it');
    await page.locator('.selection .main').click();
    await expect.poll(() => page.locator('.notice').textContent()).toMatch(/It is on your Wanted list/);
    expect(await wantedOf(shop)).toEqual(['shop/gift-1']);
    await page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => wantedOf(shop)).toEqual([]);
    await page.locator('.selection .main').click();
    await expect.poll(() => wantedOf(shop)).toEqual(['shop/gift-1']);
    await page.getByRole('button', { name: 'Go online' }).click();
    await expect.poll(() => page.locator('.notice').textContent()).toMatch(/You can buy what you wanted: 1 credit/);
    expect(await shop.bought()).toEqual([]);
    // What is bought is wanted no more.
    await buyByKeys(shop, '礼物1');
    await expect.poll(() => wantedOf(shop)).toEqual([]);
    expect(await shop.bought()).toHaveLength(1);
  });

  itIf(
    CHROMIUM,
    'a Key that is disabled is named by its last four, and all spending is stopped and allowed by a button',
    async () => {
      const shop = await openShop();
      const { page, remote, tile, dialog, svcd } = shop;
      await page.locator('.balance').click();
      // The second half of a double click, on what has taken its place, does not allow it again.
      await page.evaluate(`new MutationObserver(() => {
        const lift = document.querySelector('dialog .stop .main');
        if (lift && !window.wasPressed) { window.wasPressed = true; lift.click(); }
      }).observe(document.body, { childList: true, subtree: true, attributes: true })`);
      await dialog.getByRole('button', { name: 'Stop all spending' }).click();
      await dialog.getByRole('button', { name: 'Allow spending' }).waitFor();
      await expect.poll(() => page.evaluate('window.wasPressed')).toBe(true);
      await page.waitForTimeout(300);
      await expect.poll(() => dialog.getByRole('button', { name: 'Allow spending' }).count()).toBe(1);
      await page.keyboard.press('Escape');
      await expect.poll(() => said(shop)).toMatch(/Spending is stopped since \d\d:\d\d: nothing is bought/);
      expect(await (await svcd.get('/svcd/spending')).json()).toMatchObject({ stopped: { by: 'user' } });
      const lift = page.locator('.state').getByRole('button', { name: 'Allow spending' });
      const field = dialog.getByLabel('The code it prints');
      await lift.click();
      await dialog.getByText('svcd open --code').waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => page.locator('.notice').textContent()).toMatch(/Nothing was changed/);
      await lift.click();
      const { code } = (await (await svcd.send('POST', '/svcd/page-code')).json()) as { code: string };
      await field.fill(code === '00000000' ? '1' : '00000000');
      await page.keyboard.press('Enter');
      await dialog.getByText('This code does not work').waitFor();
      await field.fill(code.replace(/0/g, '０'));
      await page.keyboard.press('Enter');
      await expect.poll(() => page.locator('.state[data-kind="stopped"]').count()).toBe(0);
      remote.sandbox.setKeyState('disabled');
      await tile('礼物1').focus();
      await page.keyboard.press('Enter');
      // The dialog asks for the balance, and so hears of it.
      await expect
        .poll(() => said(shop))
        .toMatch(new RegExp(`Key that ends in ${remote.sandbox.key.slice(-4)} is disabled`));
      await dialog.getByRole('button', { name: 'Want it' }).click();
      await expect.poll(() => wantedOf(shop)).toEqual(['shop/gift-1']);
      expect(await shop.bought()).toEqual([]);
    },
  );

  itIf(CHROMIUM, 'without a Key', async () => {
    const { page } = await openPage({ signedIn: true, pair: { userKey: undefined } });
    await expect.poll(() => page.locator('.state').textContent()).toMatch(/No Key.*svcd key set/);
  });
});

describe('svcd going away', () => {
  itIf(CHROMIUM, 'is said; back again, what was chosen is still there, and the lost session is said', async () => {
    const shop = await openShop();
    const { page, svcd, remote, tile } = shop;
    await tile('礼物2').focus();
    await page.keyboard.press('x');
    await svcd.daemon.close();
    await expect.poll(() => said(shop)).toContain(`svcd start --home ${svcd.home}`);
    await expect.poll(() => tile('礼物3').count()).toBe(1);
    const port = Number(new URL(svcd.url).port);
    // As `svcd stop` does: any other end keeps the sessions.
    rmSync(join(svcd.home, 'sessions.json'));
    const again = await startTestDaemon({
      home: svcd.home,
      userKey: remote.sandbox.key,
      flags: { remote: remote.url, port },
    });
    await expect
      .poll(() => said(shop), { timeout: 20_000 })
      .toMatch(/no longer signed in\. What you chose is still here.*svcd open --home /);
    await expect.poll(() => page.locator('.selection').textContent()).toMatch(/1 chosen/);
    await expect.poll(() => page.locator('.tile:focus').textContent()).toMatch(/礼物2/);
    // A tab without the secret looks, and says how to open one that spends; the link signs in the tab that it is opened in.
    const other = await page.context().newPage();
    await other.goto((await signInLink(again)).split('#')[0] ?? '');
    await expect.poll(() => other.locator('.state[data-kind="signed_out"]').textContent()).toMatch(/svcd open/);
    await other.close();
    await page.goto(await signInLink(again));
    expect(new URL(page.url()).hash).toBe('');
    await expect.poll(() => page.locator('.balance').textContent()).toMatch(/credits/);
    await expect.poll(() => page.locator('.state[data-kind="lost"]').count()).toBe(0);
  });

  itIf(CHROMIUM, 'is made up for: what was searched meanwhile is found when it is back', async () => {
    const shop = await openShop();
    const { page, svcd, remote, tile } = shop;
    await svcd.daemon.close();
    await page.locator('#search').fill('礼物7');
    await expect.poll(() => said(shop)).toContain('what you search comes when it is back');
    await expect.poll(() => tile('礼物3').count()).toBe(1);
    const flags = { remote: remote.url, port: Number(new URL(svcd.url).port) };
    await startTestDaemon({ home: svcd.home, userKey: remote.sandbox.key, flags });
    await expect.poll(() => page.locator('.count').textContent(), { timeout: 20_000 }).toMatch(/found · 礼物7/);
  });

  itIf(CHROMIUM, 'the page going away in the middle: what was sent is kept, and shown when it is back', async () => {
    const shop = await openShop();
    const { page, tile, bought, fail } = shop;
    await fail({ kind: 'latency', median_ms: 1500, sigma: 0, path: '/api/v1/stickers/*', count: 1 });
    await buyByKeys(shop, '礼物1');
    await expect.poll(() => tile('礼物1').getAttribute('aria-label')).toMatch(/Buying/);
    await page.reload();
    await expect
      .poll(() => bought().then((all) => all.map(({ state }) => state)), { timeout: 20_000 })
      .toEqual(['paid']);
    await expect.poll(() => tile('礼物1').getAttribute('aria-label')).toMatch(/Owned/);
  });
});

const said = async ({ page }: Pick<Shop, 'page'>): Promise<string> =>
  (await page.locator('.states').textContent()) ?? '';

async function wantedOf({ svcd }: Pick<Shop, 'svcd'>): Promise<readonly string[]> {
  const { collections } = (await (await svcd.get('/svcd/collections')).json()) as {
    collections: { name: string; presets: string[] }[];
  };
  const known = new Set(GOODS.map(({ preset }) => preset));
  return collections.find(({ name }) => name === 'wanted')?.presets.filter((one) => known.has(one)) ?? [];
}

describe('a tab', () => {
  itIf(
    CHROMIUM,
    'that goes on to another site gives that no window with its session, and has it again there',
    async () => {
      const { svcd } = await startPair();
      const other = createServer((_, answer) =>
        answer
          .setHeader('Content-Type', 'text/html')
          .end(`<body onmousedown="window.open('${svcd.url}', 'other')">here`),
      );
      onTestFinished(() => void other.close());
      await once(other.listen(0, '127.0.0.1'), 'listening');
      const context = await (await sharedChromium()).newContext({ locale: 'en' });
      onTestFinished(() => context.close());
      const page = await context.newPage();
      await page.goto(await signInLink(svcd));
      await page.locator('.balance').waitFor();
      await page.goto(`http://localhost:${(other.address() as AddressInfo).port}/`);
      const [opened] = await Promise.all([context.waitForEvent('page'), page.getByText('here').click()]);
      await opened.locator('.state[data-kind=signed_out]').waitFor();
      await opened.reload();
      await opened.locator('.state[data-kind=signed_out]').waitFor();
      await page.goBack();
      await page.locator('.balance').waitFor();
      await page.reload();
      await page.locator('.balance').waitFor();
    },
  );
});
