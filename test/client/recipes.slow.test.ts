// The recipes of PACKAGE.md, as they stand there: a page that Vite builds, and a page that a renderer drives frame by frame.

import { createServer } from 'node:http';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { launchChromium } from '../support/launch-chromium.js';
import { temporaryFolder, writeLocked } from '../support/locks.js';
import { CHROMIUM, itIf } from '../support/requires.js';

const ROOT = join(import.meta.dirname, '../..');
const SLOTS = join(ROOT, 'dist', 'slots.js');
const FILE = JSON.stringify({ v: '5.7.0', fr: 60, ip: 0, op: 71, w: 9, h: 9, assets: [], layers: [] });

/** The first block of code below a heading. */
function recipe(heading: string): string {
  const text = readFileSync(join(ROOT, 'src/client/PACKAGE.md'), 'utf8');
  const [, code] = /```ts\n([^]*?)```/.exec(text.slice(text.indexOf(`## ${heading}`))) ?? [];
  expect(code, heading).toBeDefined();
  return code ?? '';
}

/** A page of a folder, in Chromium, when its script has run. */
async function open(folder: string) {
  const types: Record<string, string> = { js: 'text/javascript', html: 'text/html', json: 'application/json' };
  const server = createServer((request, response) => {
    const path = request.url === '/' ? '/index.html' : (request.url ?? '');
    try {
      response.setHeader('content-type', types[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream');
      response.end(readFileSync(join(folder, path)));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const page = await (await launchChromium()).newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await page.waitForFunction('globalThis.ready');
  return page;
}

itIf(CHROMIUM, 'Vite: the files of the lock are built in, and checked', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'svcd'));
  writeLocked(join(folder, 'svcd'), { opening: FILE });
  writeFileSync(join(folder, 'index.html'), '<!doctype html><script type="module" src="/main.ts"></script>');
  writeFileSync(
    join(folder, 'main.ts'),
    `${recipe('Vite')}\nObject.assign(globalThis, { slots, playhead, ready: 1 });`,
  );
  const { build } = await import('vite');
  await build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    resolve: { alias: { '@svcd/client/slots': SLOTS } },
  });
  const page = await open(join(folder, 'dist'));
  expect(await page.evaluate(`slots.lottie('opening')`)).toEqual(JSON.parse(FILE));
  expect(await page.evaluate(`playhead(slots.entry('opening'), 0.5)`)).toBe(30);
});

itIf(CHROMIUM, 'HTML renderers: each moment shows its frame, in any order', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'svcd'));
  const lock = readFileSync(writeLocked(join(folder, 'svcd'), { opening: FILE }), 'utf8');
  const player = createRequire(import.meta.url).resolve('lottie-web/build/player/lottie.min.js');
  for (const [name, file] of [
    ['slots.js', SLOTS],
    ['lottie.js', player],
  ] as const) {
    writeFileSync(join(folder, name), readFileSync(file));
  }
  const script = `import { openSlots, playhead } from './slots.js';
    const [lock, container] = [${lock}, document.body];
    ${recipe('HTML').replace('renderFrame =', 'globalThis.renderFrame =')}
    globalThis.ready = 1;`;
  const page = '<!doctype html><body></body><script src="/lottie.js"></script>';
  writeFileSync(join(folder, 'index.html'), `${page}<script type="module">${script}</script>`);
  const opened = await open(folder);
  const at = (seconds: number) =>
    opened.evaluate(`(renderFrame(${seconds}), lottie.getRegisteredAnimations()[0].currentFrame)`);
  expect([await at(0.5), await at(2), await at(0.5)]).toEqual([30, 49, 30]);
});
