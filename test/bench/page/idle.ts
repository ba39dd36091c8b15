// What a page does that nobody touches, or sees: no frame and no timer in ten seconds.

import type { Browser } from 'playwright-core';
import type { SvcdServer } from '../start-server.js';
import type { Figure } from './figures.js';
import { openPageUnderTest, settled } from './page-under-test.js';

const WATCHED_MS = 10_000;
const CATEGORIES = ['devtools.timeline', 'disabled-by-default-devtools.timeline'];
/** Of a trace: a frame that the page asked for, a timer that came up in it or in its worker. */
const WAKES: Readonly<Record<string, 'frames' | 'timers'>> = { FireAnimationFrame: 'frames', TimerFire: 'timers' };

/** Runs in the page: what it believes when its window is hidden. */
const HIDE = `{
  Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
  document.dispatchEvent(new Event('visibilitychange'));
}`;

export async function benchIdle(browser: Browser, svcd: SvcdServer): Promise<Figure[]> {
  const open = await openPageUnderTest(browser, svcd);
  const { page } = open;
  // The caret of a text field blinks, which is the browser's.
  await page.evaluate('document.activeElement.blur()');
  await settled(page);
  const idle = await wakesIn(browser, page);
  // All in view play, and stop when nobody sees them.
  await page.getByLabel('Motion').first().selectOption('view');
  await page.evaluate('document.activeElement.blur()');
  await page.waitForTimeout(1000);
  await page.evaluate(HIDE);
  await page.waitForTimeout(1000);
  const hidden = await wakesIn(browser, page);
  await open.close();
  return [
    { name: 'frames in 10 s, idle', value: idle.frames, unit: '', atMost: 0 },
    { name: 'timers in 10 s, idle', value: idle.timers, unit: '', atMost: 0 },
    { name: 'frames in 10 s, hidden while all play', value: hidden.frames, unit: '', atMost: 0 },
    { name: 'timers in 10 s, hidden while all play', value: hidden.timers, unit: '', atMost: 0 },
  ];
}

async function wakesIn(browser: Browser, page: Parameters<Browser['startTracing']>[0]) {
  await browser.startTracing(page, { categories: CATEGORIES });
  await page?.waitForTimeout(WATCHED_MS);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString('utf8')) as {
    traceEvents: { readonly name: string }[];
  };
  const wakes = { frames: 0, timers: 0 };
  for (const { name } of traceEvents) {
    const kind = WAKES[name];
    if (kind !== undefined) wakes[kind] += 1;
  }
  return wakes;
}
