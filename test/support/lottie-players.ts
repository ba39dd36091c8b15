// The players that templates use, in a real browser, their files served from here: what each draws of a Lottie file.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { openChromium } from './launch-chromium.js';

const require = createRequire(import.meta.url);
const fileOf = (name: string) => readFileSync(require.resolve(name));

const FILES = new Map<string, [type: string, bytes: Buffer]>([
  ['/', ['text/html', readFileSync(new URL('players.html', import.meta.url))]],
  ['/lottie.min.js', ['text/javascript', fileOf('lottie-web/build/player/lottie.min.js')]],
  ['/dotlottie.js', ['text/javascript', readFileSync(new URL('index.js', folderOfDotLottie()))]],
  ['/dotlottie-player.wasm', ['application/wasm', readFileSync(new URL('dotlottie-player.wasm', folderOfDotLottie()))]],
  ['/canvaskit.js', ['text/javascript', fileOf('canvaskit-wasm/bin/full/canvaskit.js')]],
  ['/canvaskit.wasm', ['application/wasm', fileOf('canvaskit-wasm/bin/full/canvaskit.wasm')]],
]);

/** Far longer than any player needs for a few frames, also on a busy machine. */
const HANGS_AFTER_MS = 60_000;

export const PLAYERS = ['lottie-web svg', 'lottie-web canvas', 'dotlottie-web', 'skottie'] as const;
export type Player = (typeof PLAYERS)[number];

export interface Picture {
  /** The share of the canvas that is painted, 0 to 1. */
  painted: number;
  /** A coarse copy: mean red, green, blue (times alpha) and alpha of 16 × 16 fields, 0 to 255. */
  grid: number[];
}

export interface Players {
  /** Pictures at these shares of the length; or why the player fails. Throws an Error if it hangs. */
  draw(player: Player, file: string, moments: readonly number[]): Promise<{ pictures?: Picture[]; failure?: string }>;
  /** Addresses that a player asked for beyond its own files. */
  readonly strayRequests: readonly string[];
  close(): Promise<void>;
}

export async function openPlayers(): Promise<Players> {
  const server = createServer((request, response) => {
    const [type, bytes] = FILES.get(request.url ?? '') ?? ['text/plain', Buffer.alloc(0)];
    response.writeHead(FILES.has(request.url ?? '') ? 200 : 404, { 'content-type': type }).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const browser = await openChromium();
  const page = await browser.newPage();
  const strayRequests: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    const isOwn = url.startsWith(origin) && FILES.has(url.slice(origin.length));
    if (!isOwn && !/^(?:blob|data):/.test(url)) strayRequests.push(url);
  });
  await page.goto(`${origin}/`);
  await page.waitForFunction('globalThis.draw !== undefined');
  return {
    draw: async (player, file, moments) => {
      const args = [player, file, moments].map((value) => JSON.stringify(value)).join(', ');
      const drawing = page.evaluate<Awaited<ReturnType<Players['draw']>>>(`draw(${args})`);
      let timer: NodeJS.Timeout | undefined;
      const hangs = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`${player} hangs`)), HANGS_AFTER_MS);
      });
      return Promise.race([drawing, hangs]).finally(() => clearTimeout(timer));
    },
    strayRequests,
    close: async () => {
      await browser.close();
      server.close();
    },
  };
}

function folderOfDotLottie(): URL {
  return new URL('.', import.meta.resolve('@lottiefiles/dotlottie-web'));
}
