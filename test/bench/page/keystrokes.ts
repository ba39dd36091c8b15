// From a key to the results on the screen: 200 keys among 12,000 stickers, each waited for.

import type { Browser } from 'playwright-core';
import { median } from '../report.js';
import type { SvcdServer } from '../start-server.js';
import type { Figure } from './figures.js';
import { INTERVAL_MS, openPageUnderTest, quantile, workedMs } from './page-under-test.js';

const KEYS = 200;
/** What people type, letter by letter. */
const WORDS = [
  'shengri',
  'dangao',
  '生日蛋糕',
  '促销活动',
  'guzhang',
  '爱心',
  '烟花',
  'birthday',
  'xiaolian',
  '下雨天',
];

/** Runs in the page: notes when what an input event asked for was painted. */
const NOTE_PAINTS = `{
  window.paints = [];
  let since;
  document.querySelector('#search').addEventListener('input', (event) => (since = event.timeStamp), true);
  new MutationObserver(() => {
    if (since === undefined) return;
    const from = since;
    since = undefined;
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      // After the frame that shows it.
      port1.onmessage = () => window.paints.push(performance.now() - from);
      port2.postMessage(undefined);
    });
  }).observe(document.querySelector('.count'), { childList: true, characterData: true, subtree: true });
}`;

export async function benchKeystrokes(browser: Browser, svcd: SvcdServer): Promise<Figure[]> {
  const open = await openPageUnderTest(browser, svcd);
  const { page } = open;
  await page.evaluate(NOTE_PAINTS);
  const work: number[] = [];
  const search = page.locator('#search');
  for (let done = 0; done < KEYS;) {
    for (const word of WORDS) {
      for (const letter of word) {
        if (done >= KEYS) break;
        const before = await workedMs(open);
        await page.keyboard.insertText(letter);
        done += 1;
        await untilPainted(page, done);
        // The completions and the stills of this answer are part of its work.
        await page.waitForTimeout(120);
        work.push((await workedMs(open)) - before);
      }
      await search.fill('');
      await page.waitForTimeout(150);
      await page.evaluate(`void (window.paints.length = ${done})`);
    }
  }
  const paints = await page.evaluate<number[]>('window.paints');
  await open.close();
  const frames = (ms: number) => ms / INTERVAL_MS;
  return [
    { name: 'key to results, p95', value: frames(quantile(paints, 0.95)), unit: 'frames', atMost: 3 },
    { name: 'key to results, median', value: frames(median(paints)), unit: 'frames' },
    { name: 'work of the page for a key, stills and all, median', value: frames(median(work)), unit: 'frames' },
  ];
}

async function untilPainted(page: { evaluate<T>(what: string): Promise<T> }, count: number): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    const since = performance.now();
    const look = () => window.paints.length >= ${count} || performance.now() - since > 3000 ? resolve() : setTimeout(look, 5);
    look();
  })`);
}
