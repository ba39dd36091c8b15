// A session that goes through every state of the page: nothing moves where that is not wanted, nothing is cut at 400 % zoom or
// 320 pixels, and the policy of the page is never broken.

import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { CHROMIUM, itIf } from '../support/requires.js';
import { COUNT_PLAYS, plays } from './acts.js';
import { openShop, type Shop } from './open-shop.js';
import { MONEY, REFUSED, TROUBLED } from './money-reach.js';
import { FINDING, TAKING, throughStates } from './page-reach.js';

const PARTS = {
  'one finds, chooses and takes': { ...FINDING, ...TAKING },
  'money is, and where something stands in the way': {
    ...MONEY,
    'nothing can be bought': REFUSED['out of credits, asked to buy']!,
    ...TROUBLED,
  },
};
const WIDE = { width: 1100, height: 700 };
/** The second is a window of 1280 × 1024 at 400 %. */
const SMALL = [
  { width: 320, height: 640 },
  { width: 320, height: 256 },
];

const MOVING = `document.getAnimations().map((one) => (one.animationName ?? one.transitionProperty ?? 'script') + ' of ' + one.effect.target.className)`;

/** Whether two looks at the page, a moment apart, are the same; stills may come meanwhile. */
async function standsStill(page: Page): Promise<boolean> {
  for (let times = 0; times < 10; times += 1) {
    const before = await page.screenshot();
    await page.waitForTimeout(250);
    if (before.equals(await page.screenshot())) return true;
  }
  return false;
}

/** Of each control that can be seen: whether it, scrolled to, is within the window and under nothing else. */
const CUT = `(() => {
  const wrong = [];
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) wrong.push('the page is ' + scrollWidth + ' wide');
  const top = [...document.querySelectorAll('dialog[open], [role=listbox], .menu[open] > div')].at(-1) ?? document.querySelector('.details') ?? document.body;
  const isSheet = top !== document.body;
  if (isSheet && top.scrollWidth > top.clientWidth + 1) wrong.push('the layer is ' + top.scrollWidth + ' in ' + top.clientWidth);
  for (const one of top.querySelectorAll('button, input, select, textarea, summary, .tile:not([hidden]), code')) {
    if (one.closest('[inert]') !== null || !one.checkVisibility({ visibilityProperty: true })) continue;
    one.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const { left, right, top: up, bottom, width, height } = one.getBoundingClientRect();
    if (width === 0 || height === 0) continue;
    const name = one.tagName + ' ' + (one.getAttribute('aria-label') ?? one.textContent).trim().slice(0, 40);
    if (left < -1 || right > innerWidth + 1) wrong.push(name + ': from ' + Math.round(left) + ' to ' + Math.round(right));
    const [x, y] = [(left + right) / 2, (Math.max(0, up) + Math.min(innerHeight, bottom)) / 2];
    const over = document.elementFromPoint(x, y);
    if (over === null || !(one.contains(over) || over.contains(one) || over.closest('label')?.contains(one)))
      wrong.push(name + ': under ' + (over === null ? 'nothing' : over.tagName + '.' + over.className) + ' at ' + Math.round(x) + ', ' + Math.round(y));
  }
  return wrong;
})()`;

describe.each(Object.entries(PARTS))('a session that goes wherever %s', (_, states) => {
  itIf(
    CHROMIUM,
    'shows no frame of unwanted motion, cuts nothing at 320 pixels and at 400 % zoom, and breaks no policy',
    async () => {
      const shop = await openShop({ context: { viewport: WIDE, reducedMotion: 'reduce' } });
      const { page } = shop;
      await page.addInitScript(COUNT_PLAYS);
      const { broken, policies } = await watchPolicy(shop);
      const wrong = await throughStates(shop, states, async (name) => {
        // Who asks for motion gets it.
        const moves = name === 'all in view play' ? [] : await whatMoves(page);
        return [...moves, ...(await whatIsCut(page)), ...broken.splice(0)];
      });
      expect(wrong).toEqual({});
      expect([...policies]).toEqual([
        expect.stringMatching(/^default-src 'none'; script-src 'self';.*trusted-types svcd$/),
      ]);
    },
  );
});

async function whatMoves(page: Page): Promise<string[]> {
  await page.mouse.move(500, 400);
  await page.mouse.move(510, 300);
  const moving = await page.evaluate<string[]>(MOVING);
  const played = await plays(page);
  const isStill = await standsStill(page);
  return [...moving, ...(played > 0 ? [`${played} played`] : []), ...(isStill ? [] : ['it moves'])];
}

async function whatIsCut(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const size of SMALL) {
    await page.setViewportSize(size);
    await page.waitForTimeout(200);
    const cut = await page.evaluate<string[]>(CUT);
    found.push(...cut.map((one) => `${size.width} × ${size.height}: ${one}`));
  }
  return found;
}

/** Has the page tell what breaks its policy, or a twin of it that reports only. */
async function watchPolicy({ page, svcd }: Shop): Promise<{ broken: string[]; policies: Set<string> }> {
  const broken: string[] = [];
  const policies = new Set<string>();
  await page.exposeFunction('noteBroken', (what: string) => broken.push(what));
  await page.addInitScript(`
    addEventListener('securitypolicyviolation', ({ disposition, violatedDirective, blockedURI, sample }) =>
      noteBroken([disposition, violatedDirective, blockedURI, sample].join(' ')));`);
  await page.context().route(
    ({ origin, pathname }) => origin === svcd.url && pathname === '/',
    async (route) => {
      // What the browser adds by itself is not in it.
      const headers = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
      const answer = await route.fetch({ headers: { ...(await route.request().allHeaders()), ...headers } });
      const policy = answer.headers()['content-security-policy'] ?? '';
      policies.add(policy);
      await route.fulfill({
        response: answer,
        headers: { ...answer.headers(), 'content-security-policy-report-only': policy },
      });
    },
  );
  return { broken, policies };
}
