// What a request's Authorization header allows: the local token, a Key of the remote, or nothing.

import { timingSafeEqual } from 'node:crypto';
import { isLocalToken, type Spender } from '../spender.js';
import { SvcdError } from '../errors.js';

export interface Bearers {
  /** Whose credits a request may spend. Throws nothing; a wrong token makes a nobody with an error. */
  spenderOf(authorization: string | undefined): Spender;
  /** Throws `invalid_token` unless the header carries the local token. */
  requireToken(authorization: string | undefined): void;
}

export interface BearerOptions {
  readonly token: string;
  /** The user's own Key, as soon as it is known. */
  readonly userKey: () => string | undefined;
  /** Whether callers without a bearer may spend the user's credits. */
  readonly trustLoopback: boolean;
}

const NOBODY: Spender = { kind: 'nobody' };

/** Reads bearers against one local token. */
export function createBearers({ token, userKey, trustLoopback }: BearerOptions): Bearers {
  const tokenBytes = Buffer.from(token);
  const isToken = (bearer: string) => sameBytes(Buffer.from(bearer), tokenBytes);
  const user = (): Spender => {
    const key = userKey();
    return key === undefined ? NOBODY : { kind: 'key', key };
  };
  return {
    spenderOf: (authorization) => {
      const bearer = parseBearer(authorization);
      if (bearer === undefined && authorization !== undefined) return { kind: 'nobody', error: unreadable() };
      if (bearer === undefined) return trustLoopback ? user() : NOBODY;
      if (!isLocalToken(bearer)) return { kind: 'key', key: bearer };
      return isToken(bearer) ? user() : { kind: 'nobody', error: wrongToken() };
    },
    requireToken: (authorization) => {
      const bearer = parseBearer(authorization);
      if (bearer === undefined || !isToken(bearer)) throw wrongToken();
    },
  };
}

// A Key may hold any visible ASCII; anything else could not be sent on in a header.
const BEARER = /^bearer +([\x21-\x7e]{1,4096})$/i;

function parseBearer(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : BEARER.exec(authorization.trim())?.[1];
}

function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}

function wrongToken(): SvcdError {
  return new SvcdError(
    'invalid_token',
    "this needs the daemon's local token, and the request carries none or another",
    {
      hint: 'The token is in runtime.json in the home folder; "svcd start" prints it.',
    },
  );
}

/** A mangled Key must not turn into nobody's request, still less into one that is trusted. */
function unreadable(): SvcdError {
  return new SvcdError('invalid_key', 'the Authorization header is not "Bearer " and a Key or token');
}
