// Handlers of the page for people: its own files, the tiles it lists, the pictures it may show, what it shows to those who are
// signed in, and the stream that says what changed. None of them spends.

import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Caller } from '../../auth/authorization.js';
import { OPERATIONS } from '../../api/operations.js';
import { TILE_RANGE } from '../../api/page-terms.js';
import { SvcdError } from '../../model/errors.js';
import { INSTALLATION, VERSION } from '../../platform/installation.js';
import { chooseEncoding } from '../../http/accepted-encoding.js';
import { answerAsset } from '../../http/answer-asset.js';
import { presetOf } from '../../http/read-request.js';
import type { Handlers } from '../../http/router.js';
import { PAGE_HEADERS, WORKER_HEADERS } from '../../http/security-headers.js';
import type { Verbs } from '../open-verbs.js';
import type { Rooms } from '../rooms.js';
import { eventsOf, type WatchPage } from './watch-page.js';
import type { Summary } from '../../api/page-operations.js';
import { isUsualHome } from '../../config/find-home.js';
import { IMAGE_PRICE, STICKER_PRICE } from '../../contract/limits.js';
import { keyIdOf } from '../../model/spender.js';
import { spendingOf } from '../../purchases/purchase-stores.js';

const FOLDER = new URL('dist/picker/', INSTALLATION);
/** The build puts a digest of the content into the name, so that what has one never changes. */
const LASTING = 'public, max-age=31536000, immutable';
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  webmanifest: 'application/manifest+json',
};

export function createPageHandlers(rooms: Rooms, verbs: Verbs, watchPage: WatchPage, closing: AbortSignal) {
  const { listTiles, matchTiles, showTile, showSticker, showSketch } = verbs;
  return {
    showSummary: createShowSummary(rooms),
    watchEvents: ({ c }) => {
      if (closing.aborted) throw new SvcdError('not_running', 'svcd is stopping', { retryAfterS: 1 });
      const headers = { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' };
      // Nobody reads the body of a HEAD, and nobody would end it.
      return new Response(c.req.method === 'HEAD' ? null : eventsOf(watchPage, closing), { headers });
    },
    listTiles: ({ query, caller }) => {
      // What a person keeps is nobody else's business.
      if (query.collection !== undefined) caller.require('page');
      return listTiles(query, maySee(caller));
    },
    matchTiles: ({ body, caller }) => matchTiles(body, maySee(caller)),
    showTile: ({ c, caller }) => showTile(presetOf(c, OPERATIONS.showTile), maySee(caller)),
    showSticker: async ({ c, query }) => {
      const found = await showSticker(presetOf(c, OPERATIONS.showSticker), query.color);
      const answer = answerAsset(c, found, undefined);
      // Asked again each time: another remote, or another file of the user's own, may have this name tomorrow.
      if (answer.status !== 416) answer.headers.set('Cache-Control', 'private, no-cache');
      return answer;
    },
    showSketch: async ({ c }) => {
      const answer = answerAsset(c, await showSketch(presetOf(c, OPERATIONS.showSketch)), undefined);
      if (answer.status !== 416) answer.headers.set('Cache-Control', LASTING);
      return answer;
    },
    showPageFile: async ({ c }) => {
      const name = c.req.param('file') ?? '';
      // Read anew: an update of svcd puts other files there while it runs, and the page names those.
      const names = new Set(JSON.parse(readFileSync(new URL('files.json', FOLDER), 'utf8')) as string[]);
      const type = TYPES[name.split('.').at(-1) ?? ''];
      if (type === undefined || !names.has(name)) throw new SvcdError('not_found', 'the page has no such file');
      const encoding = chooseEncoding(c.req.header('accept-encoding'), (one) => one === 'br');
      const bytes = await readFile(new URL(encoding === 'br' ? `${name}.br` : name, FOLDER));
      return new Response(new Uint8Array(bytes), {
        headers: {
          'Content-Type': type,
          'Cache-Control': LASTING,
          Vary: 'Accept-Encoding',
          ...(encoding === 'br' && { 'Content-Encoding': 'br' }),
          ...(name.startsWith('worker-') && WORKER_HEADERS),
        },
      });
    },
  } satisfies Partial<Handlers>;
}

/** Whether a caller may see the collections: the owner, or a page that was let in. */
function maySee({ known, grant }: Caller): boolean {
  return known && grant === undefined;
}

/** What the page asks for first where its address names nothing: asked while its script is still coming. */
const FIRST_TILES = `<link rel="preload" as="fetch" crossorigin href="/svcd/tiles?offset=0&amp;limit=${TILE_RANGE}">`;

/** The page itself; it names the files of this build, so that it must be asked for again. */
export function frontPage(isPlain: boolean): Response {
  const page = readFileSync(new URL('index.html', FOLDER), 'utf8');
  const html = isPlain ? page.replace('<link rel="stylesheet"', `${FIRST_TILES}$&`) : page;
  return new Response(html, { headers: { ...PAGE_HEADERS, 'Cache-Control': 'no-cache' } });
}

/** A balance that was told longer ago may have changed elsewhere. */
const FRESH_MS = 10 * 60_000;

/** What the frame of the page shows, from what svcd knows at this moment: nobody is asked. */
function createShowSummary(rooms: Rooms): () => Promise<Summary> {
  const { remote, isSandbox, keys, harvester, library, clock, keyTrouble } = rooms;
  const { home } = rooms.config;
  const named = isUsualHome(home).then((isUsual) => (isUsual ? null : home));
  return async () => {
    const { stopped, purchases, budgets } = await spendingOf(rooms);
    const { offline = false, forced = false, since, why } = remote?.reach() ?? {};
    const { known, complete, estimate, seconds_left, state } = harvester.status();
    const { source, last_four } = keys.report();
    return {
      version: VERSION,
      balance: balanceOf(rooms, clock.now(), offline),
      price: { sticker: STICKER_PRICE, image: IMAGE_PRICE },
      budgets,
      remote: {
        address: remote?.baseUrl ?? null,
        sandbox: isSandbox,
        offline,
        forced,
        since: since === undefined ? null : new Date(since).toISOString(),
        why: why ?? null,
      },
      hub: rooms.belonging(),
      key: { source, last_four, problem: keyTrouble.find(keys.current()) ?? null },
      spending_stopped: stopped,
      purchases: { unknown: purchases.unknown, under_way: purchases.intent + purchases.sent },
      library: { known, complete, estimate, seconds_left, paused: state === 'paused', set_aside: library.wasSetAside },
      owned: rooms.owned.count(),
      home: await named,
      folder: rooms.findFolder() !== undefined,
    };
  };
}

function balanceOf({ accounts, keys }: Rooms, now: number, offline: boolean): Summary['balance'] {
  const key = keys.current();
  if (key === undefined) return null;
  const keyId = keyIdOf(key);
  const credits = accounts.findBalance(keyId);
  if (credits === undefined) return null;
  const at = accounts.findBalanceTime(keyId);
  return {
    credits,
    as_of: at === undefined ? null : new Date(at).toISOString(),
    stale: offline || at === undefined || now - at > FRESH_MS,
  };
}
