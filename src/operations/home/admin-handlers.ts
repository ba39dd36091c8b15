// Handlers of svcd's own paths about itself: its state, the way to the remote, whose pages may use it, the Key in use,
// tokens, and the way a browser page gets in.

import type { AllowedOrigins } from './allow-origins.js';
import type { SwitchOffline } from './switch-offline.js';
import type { Told } from '../../api/operation.js';
import type { status, TokenView } from '../../api/answers.js';
import { ownerOnly } from '../../auth/declared-only.js';
import { CODE_LIFE_S, type PageSessions } from '../../auth/page-sessions.js';
import type { TokenState, TokenStore } from '../../auth/token-store.js';
import type { KeyReport } from '../../auth/user-key.js';
import { SvcdError } from '../../model/errors.js';
import type { ReportStore } from '../../video/report/report-store.js';
import { linesOf } from '../library/library-handlers.js';
import type { LongLivedResponses } from '../../http/long-lived-responses.js';
import { frontPage } from '../page/page-handlers.js';
import type { Handlers } from '../../http/router.js';

export interface AdminParts {
  readonly showStatus: () => Told<typeof status>;
  readonly switchOffline: SwitchOffline;
  /** Stops the daemon after the answer has left. */
  readonly stop: () => void;
  readonly origins: AllowedOrigins;
  /** What may be told of the Key in use. */
  readonly showKey: () => KeyReport;
  /** Looks for the Key again, everywhere. */
  readonly refreshKey: () => Promise<KeyReport>;
  /** Makes a new token of the home's; the old one is worth nothing from then on. */
  readonly rotateToken: () => string;
  readonly tokens: TokenStore;
  readonly reports: Pick<ReportStore, 'begin' | 'note' | 'noteUnheard' | 'show'>;
}

export interface AdminEdge {
  readonly sessions: PageSessions;
  readonly sessionCookie: () => string;
  readonly longLived: LongLivedResponses;
  /** Where the daemon is, as `http://127.0.0.1:PORT`. */
  readonly origin: () => string;
}

const SIGNPOST = {
  name: 'svcd',
  status: '/svcd/status',
  search: '/api/v1/stickers/search?q=',
  guide: '/llms.txt',
  openapi: '/openapi.json',
};

export function createAdminHandlers(parts: AdminParts, edge: AdminEdge) {
  const { origins, tokens, reports } = parts;
  const { sessions } = edge;
  return {
    showFrontPage: ({ c, caller }) => {
      const wantsPage = c.req.header('accept')?.includes('text/html') === true;
      const isWhole = new URL(c.req.url).search === '';
      return wantsPage ? frontPage({ isSignedIn: caller.known, isWhole }) : SIGNPOST;
    },
    showStatus: parts.showStatus,
    switchOffline: ({ body }) => parts.switchOffline(body.offline),
    stop: () => {
      parts.stop();
      return { stopping: true };
    },

    listOrigins: () => ({ origins: origins.list() }),
    addOrigin: ({ c }) => ({ added: origins.add(c.req.param('origin') ?? ''), origins: origins.list() }),
    removeOrigin: ({ c }) => ({
      removed: origins.remove(c.req.param('origin') ?? ''),
      origins: origins.list(),
    }),

    showKey: () => secret(parts.showKey()),
    refreshKey: async () => secret(await parts.refreshKey()),
    rotateToken: () => {
      const token = parts.rotateToken();
      // Pages came in by the old one.
      sessions.clear();
      return secret({ token });
    },
    listTokens: () => secret({ tokens: tokens.list().map(viewOf) }),
    addToken: ({ body }) => secret({ name: body.name, token: tokens.add(body) }, 201),
    leaseToken: ({ body: { resume, ...options } }) => {
      const lease = resume === undefined ? tokens.lease(options) : tokens.resume(resume);
      const { name, token } = lease;
      if (resume === undefined) reports.begin(name);
      return linesOf(edge.longLived.open(JSON.stringify({ name, token }), () => lease.end()));
    },
    beginRun: ({ body }) => {
      const token = tokens.beginRun(body);
      reports.begin(body.name);
      return secret({ name: body.name, token }, 201);
    },
    showReport: ({ caller, query }) => {
      const own = caller.grant?.run;
      // A run's token asks about its own run, whatever that is called.
      if (own === undefined || query.run === undefined || query.run === own) return reports.show(query.run ?? own);
      throw ownerOnly(caller.grant?.fence);
    },
    revokeToken: ({ c }) => {
      const name = c.req.param('name') ?? '';
      tokens.revoke(name);
      return { revoked: name };
    },
    openSession: () => {
      const url = `${edge.origin()}/svcd/session?code=${sessions.openCode()}`;
      return secret({ url, expires_in_s: CODE_LIFE_S });
    },
    enterSession: ({ c, query }) => {
      // A HEAD, as link previews send, must not use it up.
      if (c.req.method === 'HEAD') return new Response(null, { status: 204, headers: NO_STORE });
      const session = sessions.exchange(query.code);
      if (session === undefined) throw usedUp();
      const cookie = `${edge.sessionCookie()}=${session}; HttpOnly; SameSite=Strict; Path=/`;
      const headers = { Location: '/', 'Set-Cookie': cookie, 'Referrer-Policy': 'no-referrer', ...NO_STORE };
      return new Response(null, { status: 303, headers });
    },
  } satisfies Partial<Handlers>;
}

const NO_STORE = { 'Cache-Control': 'no-store' };

/** JSON that is kept nowhere. */
function secret(value: object, status = 200): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { 'Content-Type': 'application/json', ...NO_STORE },
  });
}

function viewOf({ createdAt, lastUsedAt, ...rest }: TokenState): TokenView {
  const last = lastUsedAt === null ? null : new Date(lastUsedAt).toISOString();
  const created = new Date(createdAt).toISOString();
  return { ...rest, created_at: created, last_used_at: last };
}

function usedUp(): SvcdError {
  return new SvcdError('invalid_token', 'this code is wrong, or was used, or is older than a minute', {
    hint: 'Run "svcd open" for another.',
  });
}
