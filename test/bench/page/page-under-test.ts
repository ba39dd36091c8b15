// The page of a started svcd in a real Chromium, signed in, for measuring.

import type { Browser, CDPSession, Page } from 'playwright-core';
import type { SvcdServer } from '../start-server.js';

export interface PageUnderTest {
  readonly page: Page;
  readonly devtools: CDPSession;
  close(): Promise<void>;
}

const VIEWPORT = { width: 1280, height: 800 };
/** A display's refresh, which Chromium keeps to without a display as well. */
export const INTERVAL_MS = 1000 / 60;

/** Opens the page in a context of its own. `asReal`: nothing is shown of what is not owned, as with the real service. */
export async function openPageUnderTest(
  browser: Browser,
  svcd: SvcdServer,
  { asReal = false }: { readonly asReal?: boolean } = {},
): Promise<PageUnderTest> {
  const context = await browser.newContext({ viewport: VIEWPORT, locale: 'en' });
  if (asReal) await context.addInitScript("localStorage.setItem('svcd.as-real', 'true')");
  const page = await context.newPage();
  const headers = { Authorization: `Bearer ${svcd.token}` };
  const answer = await fetch(`${svcd.url}/svcd/session-code`, { method: 'POST', headers });
  if (!answer.ok) throw new Error(`no session: ${answer.status} ${await answer.text()}`);
  const { url } = (await answer.json()) as { url: string };
  await page.goto(url);
  await page.goto(svcd.url);
  await settled(page);
  return { page, devtools: await context.newCDPSession(page), close: () => context.close() };
}

/** Waits until the tiles in view are drawn and nothing goes on any more. */
export async function settled(page: Page): Promise<void> {
  await page.locator('.count:not(:empty)').waitFor();
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(500);
}

/** The share of values that are in order, from the least: `.95` is what 95 of 100 stay below. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new Error('no value to take a quantile of');
  return value;
}

/** Milliseconds of a processor that the page's own thread has taken: whatever else this machine does is not in it. */
export async function workedMs({ devtools }: PageUnderTest): Promise<number> {
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const { metrics } = await devtools.send('Performance.getMetrics');
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
}
