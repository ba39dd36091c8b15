// A browser with the page of a started svcd.

import type { Browser, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { sharedChromium } from '../support/launch-chromium.js';
import { leaveTraces } from '../support/leave-traces.js';
import { startPair, type Pair } from '../support/start-pair.js';

export interface OpenPage extends Pair {
  readonly page: Page;
  /** What the page asked for, as `METHOD path`. */
  readonly asked: string[];
}

export interface PageOptions {
  readonly pair?: Parameters<typeof startPair>[0];
  readonly path?: string;
  /** Whether it comes in by a code, as `svcd open` does. */
  readonly signedIn?: boolean;
  readonly context?: Parameters<Browser['newContext']>[0];
  /** One that is open already, and stays so. */
  readonly browser?: Browser | undefined;
}

/** Opens the page; the test fails when a script fails, the policy is broken, or anything but svcd is asked. */
export async function openPage({
  pair,
  path = '/',
  signedIn = false,
  context = {},
  browser,
}: PageOptions = {}): Promise<OpenPage> {
  const started = await startPair(pair);
  const { svcd } = started;
  const by = signedIn ? await signInLink(svcd) : undefined;
  return { ...started, ...(await openAt(svcd.url, { path, context, browser, by })) };
}

/** An address that signs in, as `svcd open` gets one. */
export async function signInLink({ url, token }: { readonly url: string; readonly token: string }): Promise<string> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const answer = await fetch(`${url}/svcd/session-code`, { method: 'POST', headers });
  return ((await answer.json()) as { url: string }).url;
}

export interface OpenOptions extends Pick<PageOptions, 'path' | 'context' | 'browser'> {
  /** An address that signs in. */
  readonly by?: string | undefined;
}

/** The same of a svcd that runs. */
export async function openAt(
  address: string,
  { path = '/', context = {}, by, browser }: OpenOptions = {},
): Promise<Pick<OpenPage, 'page' | 'asked'>> {
  const own = await (browser ?? (await sharedChromium())).newContext({ locale: 'en', ...context });
  onTestFinished(() => own.close());
  const page = await own.newPage();
  const asked: string[] = [];
  const troubles: string[] = [];
  page.on('request', (request) => {
    const { origin, pathname, search } = new URL(request.url());
    if (origin === address) asked.push(`${request.method()} ${pathname}${search}`);
    else if (!request.url().startsWith('blob:')) troubles.push(`asked ${request.url()}`);
  });
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('Failed to load resource'))
      troubles.push(message.text());
  });
  onTestFinished(() => expect(troubles).toEqual([]));
  leaveTraces(page, () => [...asked, ...troubles]);
  if (by !== undefined) await page.goto(by);
  await page.goto(address + path);
  await page.locator('.count:not(:empty)').waitFor();
  return { page, asked };
}
