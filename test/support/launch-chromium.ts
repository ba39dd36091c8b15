// The browser of the tests: the system's Chromium, without anything it would like to ask the network for.

import { chromium, type Browser } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { atFileEnd } from './at-file-end.js';
import { CHROMIUM_PATH } from './requires.js';

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

/** Starts a browser; to be closed. */
export async function openChromium(...args: readonly string[]): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM_PATH, args: [...QUIET, ...args] });
}

/** Starts a browser that ends with the test. */
export async function launchChromium(...args: readonly string[]): Promise<Browser> {
  const browser = await openChromium(...args);
  onTestFinished(() => browser.close());
  return browser;
}

let shared: Promise<Browser> | undefined;

/** The browser of all tests of a file: what they see of each other ends with their contexts. */
export function sharedChromium(): Promise<Browser> {
  shared ??= openChromium().then((browser) => {
    atFileEnd(async () => {
      shared = undefined;
      await browser.close();
    });
    return browser;
  });
  return shared;
}
