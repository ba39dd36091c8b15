// svcd's own paths about secrets: the Key in use, the tokens, and the way a browser page gets in. For the home's
// own token alone, except the exchange of a code, which is a secret itself.

import type { Context, Hono } from 'hono';
import type { KeepTokens } from '../actions/keep-tokens.js';
import { SvcdError } from '../model/errors.js';
import { parseLease, parseNewToken } from '../api/token-requests.js';
import type { LongLivedResponses } from './long-lived-responses.js';
import { CODE_LIFE_S, type PageSessions } from '../auth/page-sessions.js';
import { parametersOf, readJson } from './read-request.js';
import { refuseMethod } from './refuse-method.js';

export interface TokenActions {
  /** What may be told of the Key in use. */
  readonly showKey: () => object;
  /** Looks for the Key again, everywhere. */
  readonly refreshKey: () => Promise<object>;
  /** Makes a new token of the home's; the old one is worth nothing from then on. */
  readonly rotateToken: () => string;
  readonly keepTokens: KeepTokens;
}

export interface TokenRouteOptions {
  readonly requireOwner: (c: Context) => void;
  readonly sessions: PageSessions;
  readonly held: LongLivedResponses;
  readonly sessionCookie: () => string;
  readonly origin: () => string;
}

/** Path and method of every route about secrets; the README's table is compared with it. */
export const TOKEN_ROUTES = [
  ['GET', '/svcd/key'],
  ['POST', '/svcd/key/refresh'],
  ['POST', '/svcd/token/rotate'],
  ['GET', '/svcd/tokens'],
  ['POST', '/svcd/tokens'],
  ['POST', '/svcd/tokens/lease'],
  ['DELETE', '/svcd/tokens/{name}'],
  ['POST', '/svcd/session-code'],
  ['GET', '/svcd/session'],
] as const;

const NO_STORE = { 'Cache-Control': 'no-store' };

/** Adds the routes about secrets. */
export function addTokenRoutes(app: Hono, actions: TokenActions, options: TokenRouteOptions): void {
  const { requireOwner, sessions } = options;
  const { keepTokens } = actions;

  app.get('/svcd/key', (c) => {
    requireOwner(c);
    return c.json(actions.showKey(), 200, NO_STORE);
  });
  app.all('/svcd/key', () => refuseMethod('GET, HEAD'));

  app.post('/svcd/key/refresh', async (c) => {
    requireOwner(c);
    return c.json(await actions.refreshKey(), 200, NO_STORE);
  });
  app.all('/svcd/key/refresh', () => refuseMethod('POST'));

  app.post('/svcd/token/rotate', (c) => {
    requireOwner(c);
    const token = actions.rotateToken();
    // Pages came in by the old one.
    sessions.clear();
    return c.json({ token }, 200, NO_STORE);
  });
  app.all('/svcd/token/rotate', () => refuseMethod('POST'));

  app.get('/svcd/tokens', (c) => {
    requireOwner(c);
    return c.json({ tokens: keepTokens.list() }, 200, NO_STORE);
  });
  app.post('/svcd/tokens', async (c) => {
    requireOwner(c);
    return c.json(keepTokens.add(parseNewToken(await readJson(c))), 201, NO_STORE);
  });
  app.all('/svcd/tokens', () => refuseMethod('GET, HEAD, POST'));

  app.post('/svcd/tokens/lease', async (c) => {
    requireOwner(c);
    const lease = keepTokens.lease(parseLease(await readJson(c)));
    const line = JSON.stringify({ token: lease.token });
    return new Response(
      options.held.open(line, () => lease.end()),
      {
        headers: { 'Content-Type': 'application/x-ndjson', ...NO_STORE },
      },
    );
  });
  app.all('/svcd/tokens/lease', () => refuseMethod('POST'));

  app.delete('/svcd/tokens/:name', (c) => {
    requireOwner(c);
    const name = c.req.param('name');
    keepTokens.revoke(name);
    return c.json({ revoked: name });
  });
  app.all('/svcd/tokens/:name', () => refuseMethod('DELETE'));

  app.post('/svcd/session-code', (c) => {
    requireOwner(c);
    const url = `${options.origin()}/svcd/session?code=${sessions.openCode()}`;
    return c.json({ url, expires_in_s: CODE_LIFE_S }, 200, NO_STORE);
  });
  app.all('/svcd/session-code', () => refuseMethod('POST'));

  app.get('/svcd/session', (c) => {
    // A HEAD, as link previews send, must not use it up.
    if (c.req.method === 'HEAD') return c.body(null, 204, NO_STORE);
    const session = sessions.exchange(parametersOf(c).get('code') ?? '');
    if (session === undefined) throw usedUp();
    const cookie = `${options.sessionCookie()}=${session}; HttpOnly; SameSite=Strict; Path=/`;
    const headers = { Location: '/', 'Set-Cookie': cookie, 'Referrer-Policy': 'no-referrer', ...NO_STORE };
    return c.body(null, 303, headers);
  });
  app.all('/svcd/session', () => refuseMethod('GET, HEAD'));
}

function usedUp(): SvcdError {
  return new SvcdError('invalid_token', 'this code is wrong, or was used, or is older than a minute', {
    hint: 'Run "svcd open" for another.',
  });
}
