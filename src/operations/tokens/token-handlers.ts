// Handlers of svcd's own paths about who may use it: the Key in use, tokens, and the way a browser page gets in.

import type { IncomingMessage } from 'node:http';
import type { TokenView } from '../../api/answers.js';
import { parseRunOrigin } from '../../auth/run-origins.js';
import { PAGE_CODE_LIFE_S, type PageCodes } from '../../auth/page-codes.js';
import { CODE_LIFE_S, type PageSessions } from '../../auth/page-sessions.js';
import type { TokenState } from '../../auth/token-store.js';
import { linesOf } from '../../http/json-lines.js';
import type { LongLivedResponses } from '../../http/long-lived-responses.js';
import type { Handlers } from '../../http/router.js';
import { PAGE_HEADERS, plainPage } from '../../http/security-headers.js';
import { SvcdError } from '../../model/errors.js';
import { isOfThisUser } from '../../auth/peer-user.js';
import type { Rooms } from '../rooms.js';

export interface TokenEdge {
  readonly sessions: PageSessions;
  readonly pageCodes: PageCodes;
  readonly sessionCookie: () => string;
  readonly longLived: LongLivedResponses;
}

export function createTokenHandlers(rooms: Rooms, { sessions, pageCodes, sessionCookie, longLived }: TokenEdge) {
  const { keys, tokens, reports, harvester, origins, log } = rooms;
  return {
    showKey: () => secret(keys.report()),
    refreshKey: async () => {
      const report = await keys.refresh(true);
      log.info('the Key was looked for again', { source: report.source });
      rooms.userKey();
      harvester.noteKey();
      return secret(report);
    },
    rotateToken: () => {
      const token = rooms.rotateToken();
      log.info('the local token was changed');
      // Pages came in by the old one.
      sessions.clear();
      return secret({ token });
    },
    listTokens: () => secret({ tokens: tokens.list().map(viewOf) }),
    addToken: ({ body }) => {
      const token = tokens.add(body);
      log.info('a token was added', { name: body.name });
      return secret({ name: body.name, token }, 201);
    },
    leaseToken: ({ body: { resume, origins: typed, ...options } }) => {
      const pages = typed.map(parseRunOrigin);
      const lease = resume === undefined ? tokens.lease(options) : tokens.resume(resume);
      const { name, token } = lease;
      if (resume === undefined) reports.begin(name);
      const letGo = origins.runs.hold(pages, token);
      return linesOf(
        longLived.open(JSON.stringify({ name, token }), () => {
          letGo();
          lease.end();
        }),
      );
    },
    beginRun: ({ body }) => {
      const token = tokens.beginRun(body);
      reports.begin(body.name);
      return secret({ name: body.name, token }, 201);
    },
    revokeToken: ({ c }) => {
      const name = c.req.param('name') ?? '';
      tokens.revoke(name);
      // Who takes back a token does not trust who has one.
      sessions.clear();
      log.info('a token was revoked', { name });
      return { revoked: name };
    },
    openSession: () => {
      const { code, secret: ofTab } = sessions.openCode();
      // Browsers keep the fragment where they are sent on to, and send it to nobody.
      const url = `${rooms.origin()}/svcd/session?code=${code}#session=${ofTab}`;
      return secret({ url, expires_in_s: CODE_LIFE_S });
    },
    openPageCode: () => secret({ code: pageCodes.open(), expires_in_s: PAGE_CODE_LIFE_S }),
    enterSession: async ({ c, query }) => {
      // A HEAD, as link previews send, must not use it up.
      if (c.req.method === 'HEAD') return new Response(null, { status: 204, headers: NO_STORE });
      const { incoming } = (c.env ?? {}) as { incoming?: IncomingMessage };
      // Whoever sees the list of processes sees the link while a browser starts.
      if (incoming !== undefined && !(await isOfThisUser(incoming.socket))) throw ofAnotherUser();
      const session = sessions.exchange(query.code);
      if (session === undefined && c.req.header('accept')?.includes('text/html') === true) {
        return new Response(USED_PAGE, { status: 410, headers: { ...PAGE_HEADERS, ...NO_STORE } });
      }
      if (session === undefined) throw usedUp();
      const cookie = `${sessionCookie()}=${session}; HttpOnly; SameSite=Strict; Path=/`;
      const headers = { Location: '/', 'Set-Cookie': cookie, 'Referrer-Policy': 'no-referrer', ...NO_STORE };
      return new Response(null, { status: 303, headers });
    },
  } satisfies Partial<Handlers>;
}

const USED_PAGE = plainPage(
  'This link was used already, or is older than a minute. <a href="/">Look around</a>, or run <code>svcd open</code> in a terminal for a new one.',
  '此链接已使用过，或已超过一分钟。可以<a href="/">随便看看</a>，或在终端中运行 <code>svcd open</code> 获取新链接。',
);

function ofAnotherUser(): SvcdError {
  return new SvcdError('not_permitted', 'this link is for the user who runs this svcd, and another one opened it', {
    hint: 'Run "svcd open" as that user, with a browser of that user.',
  });
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
