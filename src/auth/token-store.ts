// Further tokens beside the home's own: each has a name, permissions and limits. Only digests are kept. They lie in
// owned.db, because a purchase and the rest of its token's budget must be one commit.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../platform/clock.js';
import { SvcdError } from '../model/errors.js';
import { PERMISSIONS, TOKEN_PREFIX, type Grant, type Permission } from '../model/spender.js';
import type { Database } from '../platform/open-database.js';
import type { TokenLimitLedger, TokenLimits, TokenSpending } from './token-limits.js';

export interface NewTokenOptions {
  readonly name: string;
  readonly only: readonly Permission[];
  readonly limits: TokenLimits;
}

export interface TokenState extends NewTokenOptions {
  readonly spent: TokenSpending;
  /** Whether it belongs to a command that runs, and ends with it. */
  readonly temporary: boolean;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** To the nearest ten seconds; null when never. */
  readonly lastUsedAt: number | null;
}

export interface Lease {
  readonly token: string;
  /** Ends the token. Safe to call twice. */
  end(): void;
}

export interface TokenStore {
  /** What a live token allows; undefined for any other bearer. */
  find(bearer: string): Grant | undefined;
  /** A new token, told this once. Throws `invalid_request` for a name that is taken. */
  add(options: NewTokenOptions): string;
  /** A token that ends with the lease or with this process. */
  lease(options: Omit<NewTokenOptions, 'name'>): Lease;
  /** Ends a token at once, for purchases that wait for their turn too. Throws `not_found`. */
  revoke(name: string): void;
  /** Live tokens, oldest first. */
  list(): TokenState[];
  close(): void;
}

interface Row {
  readonly id: number;
  readonly name: string;
  readonly kind: 'named' | 'run';
  readonly digest: Buffer;
  readonly onlyFor: string;
  readonly request: number | null;
  readonly day: number | null;
  readonly month: number | null;
  readonly total: number | null;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

interface Live extends Grant {
  readonly digest: Buffer;
}

const WRITE_EVERY_MS = 10_000;

/** Opens the store; `today` is the day that budgets count on. Ends the tokens of commands whose daemon has died. */
export function openTokenStore(
  db: Database,
  clock: Clock,
  limitLedger: TokenLimitLedger,
  today: () => string,
): TokenStore {
  const insert = db.prepare(
    `INSERT INTO token (name, kind, digest, only_for, per_request, per_day, per_month, in_total, created_at)
     VALUES (@name, @kind, @digest, @onlyFor, @request, @day, @month, @total, @now)`,
  );
  const rows = db.prepare<[], Row>(
    `SELECT id, name, kind, digest, only_for AS onlyFor, per_request AS request, per_day AS day,
       per_month AS month, in_total AS total, created_at AS createdAt, last_used_at AS lastUsedAt
     FROM token WHERE revoked_at IS NULL ORDER BY id`,
  );
  const end = db.prepare(`UPDATE token SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL`);
  // Purchases keep the name of their token; a run that bought nothing leaves no row.
  const forget = db.prepare(
    `DELETE FROM token WHERE kind = 'run' AND revoked_at IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM purchase WHERE token_id = token.id)`,
  );
  const touch = db.prepare(`UPDATE token SET last_used_at = ? WHERE id = ?`);
  const live = new Map<string, Live>();
  const used = new Map<number, number>();

  db.prepare(`UPDATE token SET revoked_at = ? WHERE kind = 'run' AND revoked_at IS NULL`).run(clock.now());
  forget.run();
  for (const { id, name, digest, onlyFor } of rows.all()) live.set(name, { id, digest, only: parseOnly(onlyFor) });

  const make = (kind: Row['kind'], { name, only, limits }: NewTokenOptions): string => {
    const token = TOKEN_PREFIX + randomBytes(24).toString('base64url');
    const digest = digestOf(token);
    const row = { name, kind, digest, onlyFor: only.join(' '), ...limits, now: clock.now() };
    const id = Number(insert.run(row).lastInsertRowid);
    live.set(name, { id, digest, only });
    return token;
  };
  const kill = (name: string): boolean => {
    const token = live.get(name);
    if (token === undefined) return false;
    // First in memory: a full disk must not keep a token alive.
    live.delete(name);
    end.run(clock.now(), token.id);
    forget.run();
    return true;
  };
  const write = () => {
    try {
      for (const [id, at] of used) touch.run(at, id);
      used.clear();
    } catch {
      // The time of last use is not worth a failure; it stays in memory for the next write.
    }
  };
  const timer = setInterval(write, WRITE_EVERY_MS);
  timer.unref();

  return {
    find: (bearer) => {
      if (live.size === 0) return undefined;
      const found = findEqual(digestOf(bearer), live.values());
      if (found !== undefined) used.set(found.id, clock.now());
      return found;
    },
    add: (options) => {
      if (!live.has(options.name)) return make('named', options);
      throw new SvcdError('invalid_request', `there is a token ${JSON.stringify(options.name)} already`, {
        hint: `Give another name, or end it with "svcd token revoke ${options.name}".`,
      });
    },
    lease: (options) => {
      const name = `run-${randomBytes(4).toString('hex')}`;
      return { token: make('run', { ...options, name }), end: () => void kill(name) };
    },
    revoke: (name) => {
      if (!kill(name)) throw new SvcdError('not_found', `there is no token ${JSON.stringify(name)}`);
    },
    list: () => {
      write();
      return rows.all().map((row) => ({
        name: row.name,
        only: parseOnly(row.onlyFor),
        limits: { request: row.request, day: row.day, month: row.month, total: row.total },
        spent: limitLedger.spent(row.id, today()),
        temporary: row.kind === 'run',
        createdAt: row.createdAt,
        lastUsedAt: row.lastUsedAt,
      }));
    },
    close: () => {
      clearInterval(timer);
      write();
    },
  };
}

/** A token has 192 random bits, so a plain digest cannot be turned back into one. */
function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Compares with every token, so that the time reveals nothing. */
function findEqual(digest: Buffer, tokens: Iterable<Live>): Live | undefined {
  let found: Live | undefined;
  for (const token of tokens) if (timingSafeEqual(digest, token.digest)) found = token;
  return found;
}

function parseOnly(text: string): Permission[] {
  const words = text.split(' ');
  return PERMISSIONS.filter((one) => words.includes(one));
}
