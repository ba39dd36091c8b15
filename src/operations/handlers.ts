// The app: every operation with its handler, and what they share. Requests have passed the gate (listen.ts), or come
// from this very process.

import { OPERATIONS } from '../api/operations.js';
import { bearerOf, createAuthorization, type AuthorizationOptions } from '../auth/authorization.js';
import { createPageSessions } from '../auth/page-sessions.js';
import { keyIdOf } from '../model/spender.js';
import type { Log } from '../platform/log.js';
import { createAdminHandlers, type AdminParts } from './home/admin-handlers.js';
import { foreseen, refusalParts } from '../http/answer.js';
import { createCollectionHandlers, type CollectionParts } from './owned/collection-handlers.js';
import { createDigestHandlers, type DigestParts } from './stickers/digest-handlers.js';
import { createFactsHandlers, type FactsParts } from './stickers/facts-handlers.js';
import { createLibraryHandlers, type LibraryParts } from './library/library-handlers.js';
import { createDocumentHandlers } from './home/document-handlers.js';
import { createHubHandlers, type HubParts } from '../hub/app/hub-handlers.js';
import type { Fetch } from '../http/listen.js';
import { createLongLivedResponses } from '../http/long-lived-responses.js';
import { createPageHandlers, type PageParts } from './page/page-handlers.js';
import { createPageSessionHandlers, type PageSessionParts } from './page/page-session-handlers.js';
import { createPlanHandlers, type PlanHandlerParts } from './video/plan-handlers.js';
import { createPrefetchHandlers } from './stickers/prefetch-handlers.js';
import { createPurchaseHandlers, type PurchaseParts } from './money/purchase-handlers.js';
import { createReportRequest, createReportUnheard } from './video/report-requests.js';
import { createRouter } from '../http/router.js';
import { createServiceHandlers, type BalanceOf, type ServiceParts } from './service/service-handlers.js';

export interface AppOptions {
  readonly service: ServiceParts & DigestParts;
  readonly facts: FactsParts;
  readonly library: LibraryParts;
  readonly page: PageParts & PageSessionParts & CollectionParts;
  readonly plans: PlanHandlerParts;
  readonly purchases: PurchaseParts;
  readonly admin: AdminParts;
  readonly hub: HubParts;
  readonly authorization: Omit<AuthorizationOptions, 'hasSession'>;
  /** Milliseconds on a clock that only grows. */
  readonly monotonic: () => number;
  /** Where the daemon is, as `http://127.0.0.1:PORT`; known once it listens. */
  readonly origin: () => string;
  readonly findBalance: (keyId: string) => number | undefined;
  readonly log: Log;
}

export interface App {
  readonly fetch: Fetch;
  /** Ends the answers that would go on for ever; from then on an error takes the place of a default. */
  close(): void;
}

/** Builds the app; it holds no state but what its parts hold, and the sessions of pages. */
export function createApp({ log, origin, ...parts }: AppOptions): App {
  // Cookies know no ports: two daemons of one machine must not overwrite each other's.
  const sessionCookie = () => `svcd_session_${origin().split(':').at(-1)}`;
  const longLived = createLongLivedResponses();
  const sessions = createPageSessions(parts.monotonic, sessionCookie);
  const balanceOf = createBalanceOf(parts.findBalance);
  let isClosing = false;
  const { admin, monotonic } = parts;
  const report = createReportRequest({ reports: admin.reports, monotonic, isClosing: () => isClosing, log });
  const app = createRouter(
    OPERATIONS,
    {
      ...createServiceHandlers(parts.service, balanceOf, report, createReportUnheard(admin.reports, log)),
      ...createDigestHandlers(parts.service, balanceOf),
      ...createFactsHandlers(parts.facts),
      ...createLibraryHandlers(parts.library),
      ...createPageHandlers(parts.page),
      ...createPageSessionHandlers(parts.page, longLived),
      ...createCollectionHandlers(parts.page),
      ...createPlanHandlers(parts.plans),
      ...createPurchaseHandlers(parts.purchases, balanceOf),
      ...createPrefetchHandlers(parts.service.prefetchAssets, report, longLived.closing, log),
      ...createDocumentHandlers(origin),
      ...createHubHandlers(parts.hub, longLived.closing, log),
      ...createAdminHandlers(parts.admin, { sessions, sessionCookie, longLived, origin }),
    },
    {
      authorization: createAuthorization({
        ...parts.authorization,
        hasSession: (headers) => sessions.has(headers),
      }),
      refuse: (error, method, caller) => {
        const { body, ...init } = refusalParts(foreseen(error, method, log), balanceOf(caller));
        return new Response(body, init);
      },
    },
  );
  return {
    fetch: (request, bindings = {}) => {
      const back = admin.tokens.untilBack(() => bearerOf(request.headers.get('authorization') ?? ''));
      return back === undefined ? app.fetch(request, bindings) : back.then(() => app.fetch(request, bindings));
    },
    close: () => {
      isClosing = true;
      longLived.closeAll();
    },
  };
}

/** The balance of the account whose Key a caller shows, or may see by its token. */
export function createBalanceOf(findBalance: (keyId: string) => number | undefined): BalanceOf {
  // One Key asks nearly always, so its digest is remembered.
  let last = { key: '', keyId: '' };
  return (caller) => {
    const spender = caller.spender('account');
    if (spender.kind === 'none') return undefined;
    const { key } = spender;
    if (last.key !== key) last = { key, keyId: keyIdOf(key) };
    return findBalance(last.keyId);
  };
}
