// Handlers of svcd's own paths about itself: what stands at /, its state, the way to the remote, whose pages may use it, and
// what it says of itself: the OpenAPI document and the guide.

import type { Context } from 'hono';
import type { DaemonStatus, offline as offlineSchema } from '../../api/answers.js';
import type { Told } from '../../api/operation.js';
import { SESSION_COOKIE } from '../../auth/page-sessions.js';
import { writeSetting } from '../../config/config.js';
import { hidePassword } from '../../config/parse-setting.js';
import { progressOf } from '../../harvest/harvest-status.js';
import { answerAsset } from '../../http/answer-asset.js';
import type { Handlers } from '../../http/router.js';
import { assetOf, type Asset } from '../../model/asset.js';
import { buildOf, isReplaced, VERSION } from '../../platform/installation.js';
import type { Reach } from '../../upstream/breaker.js';
import { frontPage } from '../page/page-handlers.js';
import type { Rooms } from '../rooms.js';
import { stopOf } from '../../purchases/purchase-stores.js';

const SIGNPOST = {
  name: 'svcd',
  status: '/svcd/status',
  search: '/api/v1/stickers/search?q=',
  guide: '/llms.txt',
  openapi: '/openapi.json',
};

export function createHomeHandlers(rooms: Rooms) {
  const { origins, origin } = rooms;
  const startedAt = rooms.clock.now();
  return {
    showFrontPage: ({ c }) => {
      const wantsPage = c.req.header('accept')?.includes('text/html') === true;
      // What a page with a session asks for has its secret, and is another request.
      const isPlain = new URL(c.req.url).search === '' && c.req.header('cookie')?.includes(SESSION_COOKIE) !== true;
      return wantsPage ? frontPage(isPlain) : SIGNPOST;
    },
    showStatus: ({ caller }) => {
      const isOwner = caller.known && caller.grant === undefined;
      // Of the account nothing is told to others.
      return {
        ...statusOf(rooms, startedAt),
        ...(isOwner ? { refused: origins.refused.list() } : { key_problem: null }),
      };
    },
    switchOffline: ({ body }) => switchOffline(rooms, body.offline),
    stop: () => {
      setImmediate(rooms.stop);
      return { stopping: true };
    },

    listOrigins: () => ({ origins: origins.list() }),
    addOrigin: ({ c }) => ({ added: origins.add(c.req.param('origin') ?? ''), origins: origins.list() }),
    removeOrigin: ({ c }) => ({
      removed: origins.remove(c.req.param('origin') ?? ''),
      origins: origins.list(),
    }),

    // Late: few ask for it, and it loads what makes it.
    showOpenApi: kept('application/json', origin, async (at) =>
      JSON.stringify((await import('../../api/openapi.js')).openApiOf(at)),
    ),
    showGuide: kept('text/markdown; charset=utf-8', origin, async (at) =>
      (await import('../../api/guide.js')).guideOf(at),
    ),
  } satisfies Partial<Handlers>;
}

function statusOf(rooms: Rooms, startedAt: number): DaemonStatus {
  const { library, owned } = rooms;
  const { source, keychain } = rooms.keys.report();
  return {
    name: 'svcd',
    version: VERSION,
    build: buildOf(),
    updated: isReplaced(),
    url: rooms.origin(),
    pid: process.pid,
    started_at: new Date(startedAt).toISOString(),
    library: { ...sizeOf(rooms), building: library.building() ?? null, filling: fillingOf(rooms) },
    owned: { items: owned.count() },
    remote: showRemote(rooms),
    hub: rooms.belonging(),
    spending_stopped: stopOf(rooms),
    key: rooms.keys.current() !== undefined,
    key_source: source,
    key_problem: rooms.keyTrouble.find(rooms.keys.current()) ?? null,
    keychain: keychain.state,
  };
}

/** Before anything was asked, svcd's own stickers are all there are. */
function sizeOf({ library, harvest }: Rooms): { readonly stickers: number; readonly shipped: number } {
  const { size } = library;
  return { stickers: size, shipped: size - progressOf(library, harvest).known };
}

function fillingOf({ harvester }: Rooms): DaemonStatus['library']['filling'] {
  const { complete, state, known, estimate, seconds_left, hub } = harvester.status();
  if (complete || !['filling', 'refreshing', 'waiting'].includes(state)) return null;
  return { known, total: estimate?.total ?? null, seconds_left, from_hub: hub !== null, waiting: state === 'waiting' };
}

/** What is known of the remote; nobody is asked. */
export function showRemote({ config, remote, scope, isSandbox, clock, ...rooms }: Rooms): DaemonStatus['remote'] {
  const hub = rooms.belonging();
  return {
    address: remote?.baseUrl ?? null,
    sandbox: isSandbox,
    proxy:
      config.proxy === undefined || scope === 'sandbox' || (hub !== null && hub.problem === null)
        ? null
        : hidePassword(config.proxy),
    answered: rooms.hasAnswered(),
    ...reachOf(remote?.reach()),
    held_until: heldUntil(remote?.heldForMs() ?? 0, clock.now()),
  };
}

function reachOf(reach: Reach = { offline: true, forced: false, why: 'no remote is configured' }) {
  const { offline, forced, since, why } = reach;
  const sinceText = since === undefined ? null : new Date(since).toISOString();
  return { offline, forced, since: sinceText, why: why ?? null };
}

/** Until when the remote wants to be left alone; null when it does not. */
function heldUntil(ms: number, now: number): string | null {
  return ms === 0 ? null : new Date(now + ms).toISOString();
}

/** Goes offline because the user wants it, or back online: at once, and remembered for the next start. */
function switchOffline({ remote, config, log }: Rooms, offline: boolean): Told<typeof offlineSchema> {
  // First of all the switch: a full disk must not hold svcd online.
  remote?.setForcedOffline(offline);
  log.info(offline ? 'svcd is offline now' : 'svcd is online now');
  try {
    writeSetting(config.home, 'offline', `${offline}`);
    return { offline, kept: true };
  } catch (error) {
    log.warn('config.json could not be written, so the next start will not know', { why: String(error) });
    return { offline, kept: false };
  }
}

/** A handler of a text that depends on nothing but where svcd is. */
function kept(contentType: string, origin: () => string, make: (origin: string) => Promise<string>) {
  const made = new Map<string, Promise<Asset>>();
  const makeAsset = async (at: string) => assetOf(Buffer.from(await make(at)), contentType);
  return async ({ c }: { readonly c: Context }): Promise<Response> => {
    const at = origin();
    const asset = made.get(at) ?? makeAsset(at);
    made.set(at, asset);
    return answerAsset(c, { ...(await asset), source: 'library', cost: 0 }, undefined);
  };
}
