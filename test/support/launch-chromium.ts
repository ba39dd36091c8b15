// The browser of the tests: the system's Chromium, without anything it would like to ask the network for.

import { chromium, type Browser } from 'playwright-core';
import { onTestFinished } from 'vitest';

const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
];

/** Starts a browser that ends with the test. */
export async function launchChromium(...args: readonly string[]): Promise<Browser> {
  const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: [...QUIET, ...args] });
  onTestFinished(() => browser.close());
  return browser;
}
