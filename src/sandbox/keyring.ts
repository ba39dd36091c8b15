// The Keys of every account: general ones, and those written into a template's package. Kept as digests and
// their last four characters; the Key itself is told once, when it is made.

import { createHash } from 'node:crypto';
import type { Clock } from '../platform/clock.js';
import { SvcdError } from '../model/errors.js';
import type { Database, Statement } from '../platform/open-database.js';
import type { Permission } from './control-requests.js';
import type { Seed } from './seed.js';

export type KeyState = 'active' | 'disabled' | 'revoked';

/** Credits; null for no limit. */
export interface KeyLimits {
  perRequest: number | null;
  daily: number | null;
  monthly: number | null;
}

export interface Key {
  id: number;
  account: number;
  kind: 'general' | 'template';
  /** `name@version` of the package it was written into; null for a general one. */
  template: string | null;
  lastFour: string;
  state: KeyState;
  limits: KeyLimits;
  permissions: readonly Permission[];
}

export interface NewKey {
  account: number;
  template?: string | undefined;
  limits?: Partial<KeyLimits>;
  permissions: readonly Permission[];
}

type Row = {
  id: number;
  account: number;
  kind: 'general' | 'template';
  template: string | null;
  last_four: string;
  state: KeyState;
  per_request: number | null;
  daily: number | null;
  monthly: number | null;
  permissions: string;
};

/** Begins like the Keys people know, and says that it opens nothing real. */
const PREFIX = 'sk-sandbox-';
const COLUMNS = 'id, account, kind, template, last_four, state, per_request, daily, monthly, permissions';

/** Issues and finds Keys. */
export class Keyring {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #seed: Seed;
  readonly #byDigest: Statement<[string], Row>;
  readonly #byId: Statement<[number], Row>;

  constructor(db: Database, clock: Clock, seed: Seed) {
    this.#db = db;
    this.#clock = clock;
    this.#seed = seed;
    this.#byDigest = db.prepare(`SELECT ${COLUMNS} FROM key WHERE digest = ?`);
    this.#byId = db.prepare(`SELECT ${COLUMNS} FROM key WHERE id = ?`);
  }

  /** A new active Key, with the secret that nobody can ask for again. */
  issue({ account, template, limits = {}, permissions }: NewKey): { key: Key; secret: string } {
    const secret = secretOf(this.#seed.next('key'));
    const { perRequest = null, daily = null, monthly = null } = limits;
    const kind = template === undefined ? 'general' : 'template';
    const { lastInsertRowid } = this.#db
      .prepare(
        `INSERT INTO key (digest, last_four, account, kind, template, state, per_request, daily, monthly, permissions, created_at)
         VALUES (?, ?, ?, ?, ?, 'active', ?, ?, ?, ?, ?)`,
      )
      .run(
        digestOf(secret),
        secret.slice(-4),
        account,
        kind,
        template ?? null,
        perRequest,
        daily,
        monthly,
        JSON.stringify(permissions),
        this.#clock.now(),
      );
    return { key: this.get(Number(lastInsertRowid)), secret };
  }

  /** The Key of a secret, whatever its state; undefined when it is not one of ours. */
  findBySecret(secret: string): Key | undefined {
    const row = this.#byDigest.get(digestOf(secret));
    return row === undefined ? undefined : keyOf(row);
  }

  /** Throws `not_found`. */
  get(id: number): Key {
    const row = this.#byId.get(id);
    if (row !== undefined) return keyOf(row);
    throw new SvcdError('not_found', `there is no Key of number ${id}`, {
      hint: '"svcd sandbox keys" lists them.',
    });
  }

  list(): Key[] {
    return this.#db.prepare<[], Row>(`SELECT ${COLUMNS} FROM key ORDER BY id`).all().map(keyOf);
  }

  /** Throws `not_found`, and `invalid_request` for a revoked Key: nothing leads back from there. */
  setState(id: number, state: KeyState): void {
    if (this.get(id).state === 'revoked' && state !== 'revoked') {
      throw new SvcdError('invalid_request', `Key ${id} was revoked, which cannot be undone`, {
        hint: 'Make a new one with "svcd sandbox keys add".',
      });
    }
    this.#db.prepare<[KeyState, number]>('UPDATE key SET state = ? WHERE id = ?').run(state, id);
  }

  /** Changes the limits that are named. Throws `not_found`. */
  setLimits(id: number, change: Partial<KeyLimits>): void {
    const { perRequest, daily, monthly } = { ...this.get(id).limits, ...change };
    this.#db
      .prepare('UPDATE key SET per_request = ?, daily = ?, monthly = ? WHERE id = ?')
      .run(perRequest, daily, monthly, id);
  }

  /** Throws `not_found`. */
  setPermissions(id: number, permissions: readonly Permission[]): void {
    this.get(id);
    this.#db.prepare('UPDATE key SET permissions = ? WHERE id = ?').run(JSON.stringify(permissions), id);
  }

  /** The secret of the first Key that the seed made: the main account's own, which a restart must know again. */
  static firstSecret(seed: Seed): string {
    return secretOf(seed.bytesAt('key 1'));
  }
}

function secretOf(bytes: Buffer): string {
  return PREFIX + bytes.subarray(0, 24).toString('base64url');
}

function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

function keyOf(row: Row): Key {
  const { id, account, kind, template, state, daily, monthly } = row;
  return {
    id,
    account,
    kind,
    template,
    lastFour: row.last_four,
    state,
    limits: { perRequest: row.per_request, daily, monthly },
    permissions: JSON.parse(row.permissions) as Permission[],
  };
}
