// From the navigation to the paint of tile 24: the page, and the same page with 24 tiles as static markup, in turns.

import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { median } from '../report.js';
import type { SvcdServer } from '../start-server.js';
import type { Figure } from './figures.js';
import { openPageUnderTest } from './page-under-test.js';

const ROUNDS = 40;
const WARM = 5;
const TILES = 24;

/** Runs before every page: notes when the title of tile 24 was painted. */
const NOTE_PAINT = `{
  const look = () => {
    if ((document.querySelector('#tile-${TILES - 1} .name')?.textContent ?? '') === '') return;
    observer.disconnect();
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => (window.tilesAt = performance.now());
      port2.postMessage(undefined);
    });
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { childList: true, characterData: true, subtree: true });
}`;

/** Runs in the page: its elements as they stand, with so many tiles and without a script. */
const STATIC = `(() => {
  const copy = document.documentElement.cloneNode(true);
  for (const one of copy.querySelectorAll('script, [rel=modulepreload]')) one.remove();
  for (const one of copy.querySelectorAll('.tile')) {
    if (!(Number(one.id.replace('tile-', '')) < ${TILES})) one.remove();
  }
  return '<!doctype html>' + copy.outerHTML;
})()`;

export async function benchFirstTiles(browser: Browser, svcd: SvcdServer): Promise<Figure[]> {
  const open = await openPageUnderTest(browser, svcd);
  const { page } = open;
  const markup = await page.evaluate<string>(STATIC);
  if (!markup.includes(`id="tile-${TILES - 1}"`)) throw new Error('the page has no such markup');
  const styles = new Map<string, string>();
  for (const [, path = ''] of markup.matchAll(/href="([^"]+\.css)"/g))
    styles.set(path, await (await fetch(svcd.url + path)).text());
  const server = createServer((request, response) => {
    const css = styles.get(request.url ?? '');
    response.setHeader('Content-Type', `text/${css === undefined ? 'html' : 'css'}; charset=utf-8`);
    response.setHeader('Cache-Control', css === undefined ? 'no-cache' : 'public, max-age=31536000, immutable');
    response.end(css ?? markup);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sides = [
    { url: svcd.url, times: [] as number[] },
    { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, times: [] as number[] },
  ] as const;
  await page.addInitScript(NOTE_PAINT);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { url, times } of round % 2 === 0 ? sides : sides.toReversed()) {
      await page.goto(url);
      const at = await page.evaluate<number>(`new Promise((resolve) => {
        const look = () => (window.tilesAt === undefined ? setTimeout(look, 5) : resolve(window.tilesAt));
        look();
      })`);
      if (round >= WARM) times.push(at);
      await page.waitForTimeout(150);
    }
  }
  server.close();
  server.closeAllConnections();
  await open.close();
  const [ours, fixed] = sides.map(({ times }) => median(times)) as [number, number];
  return [
    { name: 'first tiles beside static markup', value: ours / fixed, unit: '×', atMost: 2 },
    { name: 'first tiles', value: ours, unit: 'ms' },
    { name: 'static markup', value: fixed, unit: 'ms' },
  ];
}
