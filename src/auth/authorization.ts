// What a request's headers allow: the home's own token, a further token, a page's session, a Key of the remote, or
// nothing.

import { timingSafeEqual } from 'node:crypto';
import { isLocalToken, type Grant, type Permission, type Spender } from '../model/spender.js';
import { SvcdError } from '../model/errors.js';
import { comesFromBrowser } from './comes-from-browser.js';
import type { HeaderReader } from './header-reader.js';

/**
 * Whose credits a request may spend, for something that needs this permission (undefined: any token will do).
 * Throws nothing; a wrong token makes a nobody with an error.
 */
export type FindSpender = (need?: Permission) => Spender;

export interface Bearers {
  /** Judges a bearer now: what is found holds for as long as nobody else has had a turn. */
  judge(headers: HeaderReader): FindSpender;
  /**
   * Throws `invalid_token` unless the request carries the home's token, a page's session or, if the permission is
   * named, a token that has it; `not_permitted` for a token that has not.
   */
  requireToken(headers: HeaderReader, need?: Permission): void;
  /** Throws unless the request carries the home's own token: tokens and Keys are for nobody else to handle. */
  requireOwner(headers: HeaderReader): void;
}

export interface BearerOptions {
  /** The home's own token; it may change while svcd runs. */
  readonly token: () => string;
  /** The user's own Key, as soon as it is known. */
  readonly userKey: () => string | undefined;
  readonly findGrant: (bearer: string) => Grant | undefined;
  /** Whether the request carries the session of a page of our own. */
  readonly hasSession: (headers: HeaderReader) => boolean;
  /** Whether callers without a bearer, other than browsers, may spend the user's credits. */
  readonly trustLoopback: boolean;
}

const NOBODY: Spender = { kind: 'nobody' };

/** Who a request comes from, before what it wants is looked at. */
type Caller =
  | { readonly kind: 'owner' | 'page' | 'trusted' | 'anybody' | 'stranger' | 'unreadable' }
  | { readonly kind: 'grant'; readonly grant: Grant }
  | { readonly kind: 'key'; readonly key: string };

/** Reads bearers. */
export function createBearers(options: BearerOptions): Bearers {
  const { userKey } = options;
  const callerOf = createCallerOf(options);
  const user = (tokenId?: number): Spender => {
    const key = userKey();
    if (key === undefined) return NOBODY;
    return tokenId === undefined ? { kind: 'key', key } : { kind: 'key', key, tokenId };
  };
  const ofGrant = ({ id, only }: Grant, need?: Permission): Spender => {
    if (need === undefined || only.includes(need)) return user(id);
    return { kind: 'nobody', error: notPermitted(need, only) };
  };
  const spenderOf = (caller: Caller, need?: Permission): Spender => {
    if (caller.kind === 'key') return { kind: 'key', key: caller.key };
    if (caller.kind === 'grant') return ofGrant(caller.grant, need);
    if (caller.kind === 'anybody') return NOBODY;
    if (caller.kind === 'stranger') return { kind: 'nobody', error: wrongToken() };
    if (caller.kind === 'unreadable') return { kind: 'nobody', error: unreadable() };
    return user();
  };
  return {
    judge: (headers) => {
      const caller = callerOf(headers);
      return (need) => spenderOf(caller, need);
    },
    requireToken: (headers, need) => {
      const caller = callerOf(headers);
      if (caller.kind === 'owner' || caller.kind === 'page') return;
      if (caller.kind !== 'grant') throw wrongToken();
      if (need === undefined) throw ownerOnly();
      if (!caller.grant.only.includes(need)) throw notPermitted(need, caller.grant.only);
    },
    requireOwner: (headers) => {
      const { kind } = callerOf(headers);
      if (kind === 'owner') return;
      throw kind === 'grant' || kind === 'page' ? ownerOnly() : wrongToken();
    },
  };
}

function createCallerOf({ token, findGrant, hasSession, trustLoopback }: BearerOptions) {
  return (headers: HeaderReader): Caller => {
    const authorization = headers.get('authorization');
    if (authorization === null) {
      if (hasSession(headers)) return { kind: 'page' };
      return { kind: trustLoopback && !comesFromBrowser(headers) ? 'trusted' : 'anybody' };
    }
    const bearer = BEARER.exec(authorization.trim())?.[1];
    // A mangled Key must not turn into nobody's request, still less into one that is trusted.
    if (bearer === undefined) return { kind: 'unreadable' };
    if (!isLocalToken(bearer)) return { kind: 'key', key: bearer };
    if (sameBytes(Buffer.from(bearer), Buffer.from(token()))) return { kind: 'owner' };
    const grant = findGrant(bearer);
    return grant === undefined ? { kind: 'stranger' } : { kind: 'grant', grant };
  };
}

// A Key may hold any visible ASCII; anything else could not be sent on in a header.
const BEARER = /^bearer +([\x21-\x7e]{1,4096})$/i;

/** All tokens have one length, so that a length that differs tells nothing. */
function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}

function wrongToken(): SvcdError {
  return new SvcdError(
    'invalid_token',
    'this needs a local token of this daemon, and the request carries none, or one that is wrong or revoked',
    { hint: 'Send "Authorization: Bearer …" with what "svcd token show" prints.' },
  );
}

function ownerOnly(): SvcdError {
  return new SvcdError('not_permitted', "this is for the home's own token alone", {
    hint: '"svcd token show" prints it.',
  });
}

function notPermitted(need: Permission, only: readonly Permission[]): SvcdError {
  return new SvcdError('not_permitted', `this token is for ${only.join(', ')} only, and this needs ${need}`, {
    hint: `Make one that may: "svcd token add NAME --only ${[...only, need].join(',')}".`,
  });
}

function unreadable(): SvcdError {
  return new SvcdError('invalid_key', 'the Authorization header is not "Bearer " and a Key or token');
}
