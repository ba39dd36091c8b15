// Sessions of svcd's own pages in a browser. A code, shown once and valid for a minute, is exchanged for a cookie. Browsers send
// that to every port of this machine, so a page shows a secret too: it came in the fragment of the address, which no server sees,
// and lies in the storage of one tab. What is kept of both, for a restart, are digests.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../platform/clock.js';

/** What outlives a restart; a home that cannot be written keeps nothing. */
export interface KeptSessions {
  read(): unknown;
  write(sessions: unknown): void;
}

export interface PageSessions {
  /** A new code, valid once, and the secret of the page that comes in by it. */
  openCode(): { readonly code: string; readonly secret: string };
  /** Value of a new session's cookie, which uses the code up; undefined for a code that is not valid. */
  exchange(code: string): string | undefined;
  /** Whether a request comes from a script of our own pages, with cookie and secret. */
  has(headers: Headers): boolean;
  /** Ends all of them. */
  clear(): void;
  /** Keeps them for a svcd that starts within a day of their last use. */
  keep(): void;
}

/** How the names of cookies begin, before the port. */
export const SESSION_COOKIE = 'svcd_session_';
/** By which a page shows its secret. */
export const SECRET_HEADER = 'x-svcd-session';
/** Seconds that a code is valid. */
export const CODE_LIFE_S = 60;
// A person opens a page now and then; what opens more than this is no person.
const MOST = 32;
const DAY_MS = 24 * 60 * 60 * 1000;

interface Session {
  readonly cookie: Buffer;
  readonly secret: Buffer;
  /** On the wall clock: it has to be told over a restart. */
  usedAt: number;
}

/** Sessions on the clocks of svcd; `cookie` is the name of theirs. */
export function createPageSessions(clock: Clock, cookie: () => string, kept: KeptSessions): PageSessions {
  const monotonic = () => clock.monotonic();
  const codes: { code: Buffer; secret: Buffer; until: number }[] = [];
  const sessions = readSessions(kept.read(), clock.now());
  const keep = () =>
    kept.write(
      sessions.map((one) => ({
        cookie: one.cookie.toString('hex'),
        secret: one.secret.toString('hex'),
        used_at: one.usedAt,
      })),
    );
  return {
    openCode: () => {
      const [code, secret] = [newSecret(), newSecret()];
      codes.push({ code: digestOf(code), secret: digestOf(secret), until: monotonic() + CODE_LIFE_S * 1000 });
      if (codes.length > MOST) codes.shift();
      return { code, secret };
    },
    exchange: (code) => {
      const digest = digestOf(code);
      const at = codes.findIndex((one) => timingSafeEqual(one.code, digest));
      const [found] = at === -1 ? [] : codes.splice(at, 1);
      if (found === undefined || found.until < monotonic()) return undefined;
      const session = newSecret();
      sessions.push({ cookie: digestOf(session), secret: found.secret, usedAt: clock.now() });
      if (sessions.length > MOST) sessions.shift();
      // At once: a svcd that is killed is started again too.
      keep();
      return session;
    },
    has: (headers) => {
      const shown = headers.get(SECRET_HEADER);
      if (shown === null || sessions.length === 0 || headers.get('sec-fetch-site') !== 'same-origin') return false;
      const secret = digestOf(shown);
      // Of whichever session: another tab's sign-in has taken the place of this one's cookie.
      const shows = sessions.find((one) => timingSafeEqual(one.secret, secret));
      if (shows === undefined) return false;
      const isOurs = cookiesOf(headers.get('cookie') ?? '', cookie()).some((value) => {
        const digest = digestOf(value);
        return sessions.some((one) => timingSafeEqual(one.cookie, digest));
      });
      if (isOurs) shows.usedAt = clock.now();
      return isOurs;
    },
    clear: () => {
      codes.length = 0;
      sessions.length = 0;
      keep();
    },
    keep,
  };
}

/** Those that were used within a day before; a clock that was set back ends them. */
function readSessions(kept: unknown, now: number): Session[] {
  const isDigest = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
  return (Array.isArray(kept) ? (kept as unknown[]) : []).flatMap((one) => {
    const { cookie, secret, used_at: usedAt } = Object(one) as Record<string, unknown>;
    if (!isDigest(cookie) || !isDigest(secret) || typeof usedAt !== 'number') return [];
    if (usedAt > now || usedAt + DAY_MS < now) return [];
    return [{ cookie: Buffer.from(cookie, 'hex'), secret: Buffer.from(secret, 'hex'), usedAt }];
  });
}

/** Any may be ours: another port of this machine, or another path, can set more of the name before it. */
function cookiesOf(cookies: string, name: string): string[] {
  return cookies.split(';').flatMap((part) => {
    const [key, ...value] = part.split('=');
    return key?.trim() === name ? [value.join('=').trim()] : [];
  });
}

function newSecret(): string {
  return randomBytes(24).toString('base64url');
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
