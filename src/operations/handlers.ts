// The app: every operation with its handler, and what they share. Requests have passed the gate (listen.ts), or come
// from this very process.

import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { HUB_OPERATIONS } from '../api/hub-operations.js';
import { OPERATIONS } from '../api/operations.js';
import { bearerOf, createAuthorization } from '../auth/authorization.js';
import { createPageCodes } from '../auth/page-codes.js';
import { createPageSessions, type KeptSessions, SECRET_HEADER, SESSION_COOKIE } from '../auth/page-sessions.js';
import { isOfThisUser } from '../auth/peer-user.js';
import { foreseen, refusalParts } from '../http/answer.js';
import type { Fetch } from '../http/listen.js';
import { createLongLivedResponses } from '../http/long-lived-responses.js';
import { createRouter, type Handlers } from '../http/router.js';
import { replaceFile } from '../platform/files/files.js';
import { SESSIONS_FILE } from '../platform/files/home-folder.js';
import { SvcdError } from '../model/errors.js';
import { keyIdOf } from '../model/spender.js';
import type { HubHealth } from './health/show-health.js';
import { createHomeHandlers, showRemote } from './home/home-handlers.js';
import { createLibraryHandlers } from './library/library-handlers.js';
import { createMoneyHandlers } from './money/money-handlers.js';
import { lookAtBalance } from './money/review-purchases.js';
import type { Verbs } from './open-verbs.js';
import { createCollectionHandlers } from './owned/collection-handlers.js';
import { createPageHandlers } from './page/page-handlers.js';
import { createWatchPage, revisionsOf } from './page/watch-page.js';
import type { Rooms } from './rooms.js';
import { createServiceHandlers, type BalanceOf } from './service/service-handlers.js';
import { createStickerHandlers } from './stickers/sticker-handlers.js';
import { createTokenHandlers } from './tokens/token-handlers.js';
import { createReportRequest, createReportUnheard } from './video/report-requests.js';
import { createVideoHandlers } from './video/video-handlers.js';

/** The handlers of a hub for who looks after it, which this room does not know; `closing` is aborted when svcd stops. */
export type CreateHubHandlers = (closing: AbortSignal) => Pick<Handlers, keyof typeof HUB_OPERATIONS>;

export interface App {
  readonly fetch: Fetch;
  /** Ends the answers that would go on for ever; from then on an error takes the place of a default. */
  close(): void;
}

/** Answers a request to the tools of an assistant, which ask svcd by `fetch` what whoever sent it may ask. */
export type ServeMcp = (
  request: Request,
  from: { origin: string; fetch: Fetch; isOwner: boolean },
) => Promise<Response>;

/** Builds the app; it holds no state but what its parts hold, and the sessions of pages. */
export function createApp(
  rooms: Rooms,
  verbs: Verbs,
  createHubHandlers: CreateHubHandlers,
  hubHealth: HubHealth,
  serveMcp: ServeMcp,
): App {
  const { config, origin, reports, tokens, log } = rooms;
  const monotonic = () => rooms.clock.monotonic();
  // Cookies know no ports: two daemons of one machine must not overwrite each other's.
  const sessionCookie = () => `${SESSION_COOKIE}${origin().split(':').at(-1)}`;
  const longLived = createLongLivedResponses();
  const { closing } = longLived;
  const sessions = createPageSessions(rooms.clock, sessionCookie, sessionsIn(config.home));
  /** Headers of requests by programs of other users, who may have seen what a page shows. */
  const foreign = new WeakSet<Headers>();
  const pageCodes = createPageCodes(rooms.clock);
  const balanceOf = createBalanceOf(rooms);
  const isCopyOfFull = () => rooms.guard.findStop()?.by === 'disk_full';
  let isClosing = false;
  const report = createReportRequest({ reports, monotonic, isClosing: () => isClosing, log });
  let budgetChanges = 0;
  const watchPage = createWatchPage(() => revisionsOf(rooms, budgetChanges));
  const app: { fetch: Fetch } = createRouter(
    OPERATIONS,
    {
      ...createServiceHandlers(rooms, verbs, config, balanceOf, report, createReportUnheard(reports, log)),
      ...createStickerHandlers(rooms, verbs, balanceOf, report, closing),
      ...createLibraryHandlers(rooms, verbs),
      ...createCollectionHandlers(rooms, verbs),
      ...createVideoHandlers(rooms, verbs),
      ...createMoneyHandlers(rooms, verbs, balanceOf, pageCodes, () => void (budgetChanges += 1)),
      ...createPageHandlers(rooms, verbs, watchPage, closing),
      ...createTokenHandlers(rooms, { sessions, pageCodes, sessionCookie, longLived }),
      ...createHomeHandlers(rooms),
      // Loaded when it is asked: a start needs none of it.
      showHealth: async ({ c, query }) => {
        const { showHealth } = await import('./health/show-health.js');
        await lookAtBalance(rooms);
        const parts = { config, known: showRemote(rooms), stop: rooms.guard.findStop(), ...hubHealth };
        return showHealth(parts, query.lang, c.req.header('accept-language'));
      },
      ...createHubHandlers(closing),
      callTools: ({ c, caller }) => {
        // No 401: hosts would look for a server that gives out tokens.
        if (c.req.header('authorization') !== undefined && !caller.known) {
          throw new SvcdError('not_permitted', 'the Authorization header holds no token of this svcd', {
            hint: 'Make one with a budget for this host: svcd token add assistant --day 5.',
          });
        }
        const isOwner = caller.known && caller.grant === undefined && !caller.isPage;
        return serveMcp(c.req.raw, { origin: origin(), fetch: app.fetch, isOwner });
      },
    },
    {
      authorization: createAuthorization({
        token: rooms.token,
        userKey: rooms.userKey,
        findGrant: (bearer) => tokens.find(bearer),
        trustLoopback: config.trustLoopback,
        hasSession: (headers) => !foreign.has(headers) && sessions.has(headers),
      }),
      refuse: (error, method, caller) => {
        const { body, ...init } = refusalParts(foreseen(error, method, log, isCopyOfFull), balanceOf(caller));
        return new Response(body, init);
      },
    },
  );
  return {
    fetch: (request, bindings = {}) => {
      const { headers } = request;
      const back = tokens.untilBack(() => bearerOf(headers.get('authorization') ?? ''));
      const { incoming } = bindings as { readonly incoming?: IncomingMessage };
      const judging =
        incoming === undefined || !headers.has(SECRET_HEADER)
          ? undefined
          : isOfThisUser(incoming.socket).then((is) => void (is || foreign.add(headers)));
      if (back === undefined && judging === undefined) return app.fetch(request, bindings);
      return Promise.all([back, judging]).then(() => app.fetch(request, bindings));
    },
    close: () => {
      isClosing = true;
      sessions.keep();
      longLived.closeAll();
    },
  };
}

/** Kept as digests, in a file that `svcd stop` removes. */
function sessionsIn(home: string): KeptSessions {
  const path = join(home, SESSIONS_FILE);
  return {
    read: () => {
      try {
        return JSON.parse(readFileSync(path, 'utf8')) as unknown;
      } catch {
        return undefined;
      }
    },
    write: (sessions) => {
      try {
        if (existsSync(path) || (sessions as unknown[]).length > 0) replaceFile(path, JSON.stringify(sessions));
      } catch {
        // They end with this svcd then.
      }
    },
  };
}

/** The balance of the account whose Key a caller shows, or may see by its token. */
export function createBalanceOf({ accounts }: Pick<Rooms, 'accounts'>): BalanceOf {
  // One Key asks nearly always, so its digest is remembered.
  let last = { key: '', keyId: '' };
  return (caller) => {
    const spender = caller.spender('account');
    if (spender.kind === 'none') return undefined;
    const { key } = spender;
    if (last.key !== key) last = { key, keyId: keyIdOf(key) };
    return accounts.findBalance(last.keyId);
  };
}
