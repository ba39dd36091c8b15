// Further tokens beside the home's own: each has a name, permissions and limits. Only digests are kept. They lie in
// owned.db, because a purchase and the rest of its token's budget must be one commit.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../platform/clock.js';
import { SvcdError } from '../model/errors.js';
import { within } from '../platform/sleep.js';
import { PERMISSIONS, TOKEN_PREFIX, type DeclaredOnly, type Grant, type Permission } from '../model/spender.js';
import type { Database } from '../platform/open-database.js';

/** Limits of one token in credits; null for none. */
export interface TokenLimits {
  readonly request: number | null;
  readonly day: number | null;
  readonly month: number | null;
  /** For as long as it lives. */
  readonly total: number | null;
}

/** Credits that somebody spent or reserved, on this day, in its month, and ever. */
export interface SpentCredits {
  readonly day: number;
  readonly month: number;
  readonly total: number;
}

export interface NewTokenOptions {
  readonly name: string;
  readonly only: readonly Permission[];
  readonly limits: TokenLimits;
}

export interface LeaseOptions extends Omit<NewTokenOptions, 'name'> {
  /** The template that it is fenced to. */
  readonly fence?: DeclaredOnly | undefined;
}

export interface TokenState extends NewTokenOptions {
  readonly template?: string;
  readonly spent: SpentCredits;
  /** Whether it belongs to a command that runs, and ends with it. */
  readonly temporary: boolean;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** To the nearest ten seconds; null when never. */
  readonly lastUsedAt: number | null;
}

/** A token for as long as a command runs. */
export interface Lease {
  readonly name: string;
  readonly token: string;
  /** Ends the token, unless the command has leased it again since. Safe to call twice. */
  end(): void;
}

export interface TokenStore {
  /** What a live token allows; undefined for any other bearer. */
  find(bearer: string): Grant | undefined;
  /**
   * Resolves when the command that holds this token has come back after a restart, or after five seconds. Undefined,
   * at once, for every token that no command is awaited for.
   */
  untilBack(bearer: () => string | undefined): Promise<void> | undefined;
  awaitsCommands(): boolean;
  /** A new token, told this once. Throws `invalid_request` for a name that is taken. */
  add(options: NewTokenOptions): string;
  /** A token that ends with the lease; a command may resume it after a restart. */
  lease(options: LeaseOptions): Lease;
  /** The same token again, with what is left of its budget. Throws `invalid_token` when it has ended. */
  resume(token: string): Lease;
  /**
   * A token for a run of this name, which ends after a day without use. An earlier run of this name ends. Throws
   * `invalid_request` when a further token has the name.
   */
  beginRun(options: NewTokenOptions): string;
  /** Ends a token at once, for purchases that wait for their turn too. Throws `not_found`. */
  revoke(name: string): void;
  /** Live tokens, oldest first. */
  list(): TokenState[];
  close(): void;
}

interface Row {
  readonly id: number;
  /** A command's with its template. */
  readonly name: string;
  readonly kind: 'named' | 'run';
  readonly digest: Buffer;
  /** Permissions, and after them the words that a template declares, each of which has a dot. */
  readonly onlyFor: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

interface Live extends Grant {
  /** Without the template. */
  readonly name: string;
  readonly digest: Buffer;
  /** When it ends unless it is used; undefined for one that does not. */
  until: number | undefined;
  /** The lease that holds it, of a command's token. */
  holder?: Lease;
}

const WRITE_EVERY_MS = 10_000;
/** How long a request waits for the command that holds its token, after a restart. */
const BACK_WAIT_MS = 5000;
/** How long after a restart commands are waited for at all. */
const AWAIT_MS = 60_000;
const RUN_LIFE_MS = 24 * 60 * 60_000;
/** A command that has not been seen for so long will not come back. */
const LEASE_LIFE_MS = 7 * RUN_LIFE_MS;

/** What binds tokens, which is kept with all other limits. */
export interface TokenLedger {
  limitsOf(tokenId: number): TokenLimits;
  /** To be called in the transaction that makes the token. */
  limit(tokenId: number, limits: TokenLimits): void;
  spent(tokenId: number): SpentCredits;
}

/**
 * Opens the store. The tokens of commands outlive the daemon that leased them: they are worth nothing until their command
 * leases them again.
 */
export function openTokenStore(db: Database, clock: Clock, ledger: TokenLedger): TokenStore {
  const insert = db.prepare(
    `INSERT INTO token (name, kind, digest, only_for, created_at) VALUES (@name, @kind, @digest, @onlyFor, @now)`,
  );
  const rows = db.prepare<[], Row>(
    `SELECT id, name, kind, digest, only_for AS onlyFor, created_at AS createdAt, last_used_at AS lastUsedAt
     FROM token WHERE revoked_at IS NULL ORDER BY id`,
  );
  const end = db.prepare(`UPDATE token SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL`);
  // Purchases keep the name of their token; a run that bought nothing leaves no row.
  const forget = db.prepare(
    `DELETE FROM token WHERE kind = 'run' AND revoked_at IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM purchase WHERE token_id = token.id)`,
  );
  // A token without its limits would spend without any.
  const insertWith = db.transaction((row: object, limits: TokenLimits): number => {
    const id = Number(insert.run(row).lastInsertRowid);
    ledger.limit(id, limits);
    return id;
  });
  const touch = db.prepare(`UPDATE token SET last_used_at = ? WHERE id = ?`);
  const live = new Map<string, Live>();
  /** Tokens of commands that an earlier daemon leased, by their digest in hexadecimal. */
  const awaited = new Map<string, { readonly back: Promise<void>; readonly tell: () => void }>();
  const used = new Map<number, number>();

  for (const row of rows.all()) {
    const seenAt = Math.max(row.createdAt, row.lastUsedAt ?? 0);
    const lifeMs = row.kind === 'named' ? Infinity : isOfCommand(row) ? LEASE_LIFE_MS : RUN_LIFE_MS;
    if (seenAt + lifeMs < clock.now()) end.run(clock.now(), row.id);
    else if (isOfCommand(row)) awaited.set(row.digest.toString('hex'), createSignal());
    else live.set(row.name, liveOf(row));
  }
  forget.run();
  const stopWaiting = setTimeout(() => {
    for (const { tell } of awaited.values()) tell();
    awaited.clear();
  }, AWAIT_MS);
  stopWaiting.unref();

  function liveOf({ id, name, kind, digest, onlyFor }: Omit<Row, 'createdAt' | 'lastUsedAt'>): Live {
    const isRun = kind === 'run';
    const until = isRun && !isCommandName(name) ? clock.now() + RUN_LIFE_MS : undefined;
    const template = templateOf(name);
    return {
      id,
      name: shortName(name),
      digest,
      only: parseOnly(onlyFor),
      until,
      ...(isRun && { run: shortName(name) }),
      ...(template !== undefined && {
        fence: { template, declares: onlyFor.split(' ').filter((word) => word.includes('.')) },
      }),
    };
  }
  const make = (kind: Row['kind'], { name, only, limits, fence }: NewTokenOptions & Pick<LeaseOptions, 'fence'>) => {
    const token = TOKEN_PREFIX + randomBytes(24).toString('base64url');
    const onlyFor = [...only, ...(fence?.declares ?? [])].join(' ');
    const row = { name, kind, digest: digestOf(token), onlyFor, now: clock.now() };
    const made = liveOf({ ...row, id: insertWith(row, limits) });
    live.set(made.name, made);
    return { token, made };
  };
  const kill = (name: string): boolean => {
    const token = live.get(name) ?? rows.all().find((row) => shortName(row.name) === name);
    if (token === undefined) return false;
    // First in memory: a full disk must not keep a token alive.
    live.delete(name);
    awaited.get(token.digest.toString('hex'))?.tell();
    awaited.delete(token.digest.toString('hex'));
    end.run(clock.now(), token.id);
    forget.run();
    return true;
  };
  const leaseOf = (token: string, held: Live): Lease => {
    const { name } = held;
    const lease = { name, token, end: () => void (live.get(name)?.holder === lease && kill(name)) };
    held.holder = lease;
    return lease;
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
      if (found === undefined) return undefined;
      const now = clock.now();
      if (found.until !== undefined) {
        if (found.until < now) return void kill(found.name);
        found.until = now + RUN_LIFE_MS;
      }
      used.set(found.id, now);
      return found;
    },
    untilBack: (bearer) => {
      if (awaited.size === 0) return undefined;
      const shown = bearer();
      const waiting = shown === undefined ? undefined : awaited.get(digestOf(shown).toString('hex'));
      return waiting && within(BACK_WAIT_MS, waiting.back).then(() => undefined);
    },
    awaitsCommands: () => awaited.size > 0,
    add: (options) => {
      if (!live.has(options.name)) return make('named', options).token;
      throw taken(options.name);
    },
    lease: (options) => {
      const name = commandName(randomBytes(4).toString('hex'), options.fence?.template);
      const { token, made } = make('run', { ...options, name });
      return leaseOf(token, made);
    },
    resume: (token) => {
      const digest = digestOf(token);
      const row = rows.all().find((one) => isOfCommand(one) && timingSafeEqual(one.digest, digest));
      if (row === undefined) throw new SvcdError('invalid_token', 'the token of this command was ended');
      const held = live.get(shortName(row.name)) ?? liveOf(row);
      live.set(held.name, held);
      const lease = leaseOf(token, held);
      awaited.get(digest.toString('hex'))?.tell();
      awaited.delete(digest.toString('hex'));
      return lease;
    },
    beginRun: (options) => {
      const earlier = live.get(options.name);
      if (earlier !== undefined && earlier.run === undefined) throw taken(options.name);
      kill(options.name);
      return make('run', options).token;
    },
    revoke: (name) => {
      if (!kill(name)) throw new SvcdError('not_found', `there is no token ${JSON.stringify(name)}`);
    },
    list: () => {
      write();
      const known = rows
        .all()
        .filter((row) => live.has(shortName(row.name)) || awaited.has(row.digest.toString('hex')));
      return known.map((row) => ({
        name: shortName(row.name),
        ...templateIn(row.name),
        only: parseOnly(row.onlyFor),
        limits: ledger.limitsOf(row.id),
        spent: ledger.spent(row.id),
        temporary: isOfCommand(row),
        createdAt: row.createdAt,
        lastUsedAt: row.lastUsedAt,
      }));
    },
    close: () => {
      clearInterval(timer);
      clearTimeout(stopWaiting);
      for (const { tell } of awaited.values()) tell();
      awaited.clear();
      write();
    },
  };
}

function isOfCommand({ kind, name }: Pick<Row, 'kind' | 'name'>): boolean {
  return kind === 'run' && isCommandName(name);
}

function templateIn(kept: string): Pick<TokenState, 'template'> {
  const template = templateOf(kept);
  return template === undefined ? {} : { template };
}

function createSignal() {
  let tell = (): void => undefined;
  const back = new Promise<void>((resolve) => (tell = resolve));
  return { back, tell: () => tell() };
}

function taken(name: string): SvcdError {
  return new SvcdError('invalid_request', `a token ${JSON.stringify(name)} exists already`, {
    hint: `Use another name, or revoke it with "svcd token revoke ${name}".`,
  });
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

// Names of the tokens of commands as they are kept: `run-1a2b3c4d`, and for a template `run-1a2b3c4d birthday-card@1.1.0`, so that
// purchases keep it. The first word is the run, which people and reports know it by.

/** Of the names that svcd gives; nobody else can. */
const COMMAND_PREFIX = 'run-';

/** The kept name of a token for a command, with a part that no other has. */
function commandName(unique: string, template: string | undefined): string {
  return template === undefined ? COMMAND_PREFIX + unique : `${COMMAND_PREFIX}${unique} ${template}`;
}

/** Whether a run of this name is a command's. */
function isCommandName(kept: string): boolean {
  return kept.startsWith(COMMAND_PREFIX);
}

/** The name without the template. */
function shortName(kept: string): string {
  return kept.split(' ', 1)[0] ?? '';
}

/** `name@version` of the template that a token was for; undefined for every other token. */
export function templateOf(kept: string): string | undefined {
  const space = kept.indexOf(' ');
  return space === -1 ? undefined : kept.slice(space + 1);
}
