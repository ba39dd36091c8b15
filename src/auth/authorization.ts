// What a request's headers allow: the home's own token, a further token, a page's session, a Key of the remote, or
// nothing. Judged once for each request.

import { timingSafeEqual } from 'node:crypto';
import { isLocalToken, keyIdOf, type Grant, type Permission, type Spender } from '../model/spender.js';
import { SvcdError } from '../model/errors.js';
import type { Who } from '../api/operation.js';
import { ownerOnly, toPermissionRefusal } from './declared-only.js';

/** The sender of one request. */
export interface Caller {
  /** Whether it showed a token of this daemon, or a page's session. */
  readonly known: boolean;
  /** The further token it shows, if it shows a live one. */
  readonly grant: Grant | undefined;
  /** Whether a page's session is what it shows. */
  readonly isPage: boolean;
  /**
   * Whose credits the request may spend, for something that needs this permission (undefined: any token will do).
   * Throws nothing; a wrong token gives the kind `none`, with an error.
   */
  spender(need?: Permission): Spender;
  /** Tells one caller from another without naming a Key or token: the requests of one belong together. */
  readonly mark: string;
  /**
   * Throws `invalid_token`, `not_permitted` or `not_declared` unless the caller may use an operation that is for `who`. Who may
   * spend is not decided here, because what is owned needs no spender.
   */
  require(who: Who): void;
}

/** Judges who sends a request, by its method and headers. */
export type Authorization = (request: Pick<Request, 'method' | 'headers'>) => Caller;

export interface AuthorizationOptions {
  /** The home's own token; it may change while svcd runs. */
  readonly token: () => string;
  /** The user's own Key, as soon as it is known. */
  readonly userKey: () => string | undefined;
  readonly findGrant: (bearer: string) => Grant | undefined;
  /** Whether the request carries the session of a page of our own. */
  readonly hasSession: (headers: Headers) => boolean;
  /** Whether callers without a bearer, other than browsers, may spend the user's credits. */
  readonly trustLoopback: boolean;
}

const KNOWN: ReadonlySet<Identity['kind']> = new Set(['owner', 'page', 'grant']);
/** What may cost credits. */
const BUYING: ReadonlySet<Permission> = new Set(['stickers', 'images', 'other']);
const NO_SPENDER: Spender = { kind: 'none' };

type Identity =
  | { readonly kind: 'owner' | 'trusted' | 'anybody' | 'stranger' | 'unreadable' }
  | { readonly kind: 'page'; readonly mayBuy: boolean }
  | { readonly kind: 'grant'; readonly grant: Grant }
  | { readonly kind: 'key'; readonly key: string };

/** Authorization by the tokens and sessions of one home. */
export function createAuthorization(options: AuthorizationOptions): Authorization {
  return (request) => {
    const identity = identify(request, options);
    return {
      known: KNOWN.has(identity.kind),
      grant: identity.kind === 'grant' ? identity.grant : undefined,
      isPage: identity.kind === 'page',
      mark: markOf(identity),
      spender: (need) => spenderOf(identity, options.userKey, need),
      require: (who) => requireIdentity(identity, who),
    };
  };
}

function identify(request: Pick<Request, 'method' | 'headers'>, options: AuthorizationOptions): Identity {
  const { headers } = request;
  const authorization = headers.get('authorization');
  if (authorization === null) {
    if (options.hasSession(headers) && (onlyLooks(request) || isOwnScript(request))) {
      return { kind: 'page', mayBuy: asksToBuy(request) };
    }
    return { kind: options.trustLoopback && !comesFromBrowser((name) => headers.get(name)) ? 'trusted' : 'anybody' };
  }
  const bearer = bearerOf(authorization);
  // A garbled Key must not become a request without one, still less a trusted one.
  if (bearer === undefined) return { kind: 'unreadable' };
  if (!isLocalToken(bearer)) return { kind: 'key', key: bearer };
  if (sameBytes(Buffer.from(bearer), Buffer.from(options.token()))) return { kind: 'owner' };
  const grant = options.findGrant(bearer);
  return grant === undefined ? { kind: 'stranger' } : { kind: 'grant', grant };
}

function spenderOf(
  identity: Identity,
  userKey: AuthorizationOptions['userKey'],
  need: Permission | undefined,
): Spender {
  const { kind } = identity;
  if (kind === 'key') return { kind, key: identity.key };
  if (kind === 'anybody') return NO_SPENDER;
  if (kind === 'stranger') return { kind: 'none', error: wrongToken() };
  if (kind === 'unreadable') return { kind: 'none', error: unreadable() };
  // For what may cost, it is as if there were no session.
  if (kind === 'page' && !identity.mayBuy && need !== undefined && BUYING.has(need)) return NO_SPENDER;
  const grant = kind === 'grant' ? identity.grant : undefined;
  if (grant !== undefined && need !== undefined && !grant.only.includes(need)) {
    return { kind: 'none', error: toPermissionRefusal(grant, need) };
  }
  const key = userKey();
  if (key === undefined) return NO_SPENDER;
  return grant === undefined ? { kind: 'key', key } : { kind: 'key', key, tokenId: grant.id };
}

/** Callers without a token are told apart by what they are only. */
function markOf(identity: Identity): string {
  if (identity.kind === 'grant') return `token ${identity.grant.id}`;
  return identity.kind === 'key' ? `key ${keyIdOf(identity.key)}` : identity.kind;
}

function requireIdentity(identity: Identity, who: Who): void {
  const { kind } = identity;
  if (who === 'anybody' || who === 'spender' || kind === 'owner') return;
  if (kind === 'page' && who !== 'owner') return;
  if (kind !== 'grant') throw kind === 'page' ? ownerOnly() : wrongToken();
  if (who === 'run' && identity.grant.run !== undefined) return;
  if (who !== 'purchases') throw ownerOnly(identity.grant.fence);
  if (!identity.grant.only.includes(who)) throw toPermissionRefusal(identity.grant, who);
}

/** What an Authorization header carries; undefined when it cannot be read. */
export function bearerOf(authorization: string): string | undefined {
  return BEARER.exec(authorization.trim())?.[1];
}

// A Key may hold any visible ASCII; anything else could not be sent on in a header.
const BEARER = /^bearer +([\x21-\x7e]{1,4096})$/i;

/**
 * Whether a page's request may buy: never by GET or HEAD, which browsers send by themselves and again (a picture, a prefetch,
 * a typed address), and only from our own origin, which browsers name with every other method.
 */
function asksToBuy(request: Pick<Request, 'method' | 'headers'>): boolean {
  const { headers } = request;
  if (onlyLooks(request)) return false;
  return headers.get('origin') === `http://${headers.get('host')}`;
}

function onlyLooks({ method }: Pick<Request, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}

/**
 * Whether a script of our own page sends it: whatever changes something needs that, so that no form, link, picture or beacon is
 * one. A browser that does not say so may look only.
 */
function isOwnScript({ headers }: Pick<Request, 'headers'>): boolean {
  const origin = headers.get('origin');
  if (origin !== null && origin !== `http://${headers.get('host')}`) return false;
  return headers.get('sec-fetch-site') === 'same-origin' && headers.get('sec-fetch-mode') === 'cors';
}

/** All tokens have one length, so that a length that differs tells nothing. */
/** Compares secrets in a time that tells nothing of them. */
export function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}

function wrongToken(): SvcdError {
  return new SvcdError(
    'invalid_token',
    'this needs a local token of this daemon, and the request carries none, or one that is wrong or revoked',
    { hint: 'Send "Authorization: Bearer …" with what "svcd token show" prints.' },
  );
}

function unreadable(): SvcdError {
  return new SvcdError('invalid_key', 'the Authorization header is not "Bearer " and a Key or token');
}

/** Headers that browsers add and no page can take away: Fetch Metadata, Origin, Referer, cookies. */
const BROWSER_HEADERS =
  'sec-fetch-site sec-fetch-dest sec-fetch-user origin referer cookie sec-ch-ua access-control-request-method'.split(
    ' ',
  );

/**
 * Whether a web browser sends a request. It guards what is granted without a credential (`--trust-loopback`), and the hub's
 * listener: a page can make a browser send nearly anything and must not spend by it, even from a browser too old to say where it comes from.
 */
export function comesFromBrowser(header: (name: string) => string | null): boolean {
  if (BROWSER_HEADERS.some((name) => header(name) !== null)) return true;
  // The fetch of Node.js sends Mode too, and alone.
  const mode = header('sec-fetch-mode');
  if (mode !== null && mode !== 'cors') return true;
  return /^\s*mozilla\//i.test(header('user-agent') ?? '');
}
