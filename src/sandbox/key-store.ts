// The Keys of every account: general ones, and those written into a template's package. Kept as digests and
// their last four characters; the Key itself is told once, when it is made.

import { createHash } from 'node:crypto';
import { SvcdError } from '../model/errors.js';
import type { SandboxState } from './state/sandbox-state.js';
import type { Seed } from './state/seed.js';

/** Permissions the document names, for music. */
export const PERMISSIONS = ['music.search', 'assets.read', 'assets.write'] as const;
export type Permission = (typeof PERMISSIONS)[number];

export type KeyState = 'active' | 'disabled' | 'revoked';

/** Credits; null for no limit. The names are those on the wire. */
export interface KeyLimits {
  per_request: number | null;
  daily: number | null;
  monthly: number | null;
}

export interface Key {
  id: number;
  account: number;
  kind: 'general' | 'template';
  /** `name@version` of the package it was written into; null for a general one. */
  template: string | null;
  /** As it may be shown: its last four characters only. */
  masked: string;
  state: KeyState;
  limits: KeyLimits;
  permissions: readonly Permission[];
}

type Change<T> = { [K in keyof T]?: T[K] | undefined };

export interface NewKey {
  account: number;
  template?: string | undefined;
  limits?: Change<KeyLimits> | undefined;
  permissions: readonly Permission[];
}

type Row = Omit<Key, 'masked' | 'limits' | 'permissions'> &
  KeyLimits & { last_four: string; permissions: string };

/** Begins like the Keys people know, and says that it opens nothing real. */
const PREFIX = 'sk-sandbox-';

/** Issues and finds Keys. */
export class KeyStore {
  readonly #state: SandboxState;

  constructor(state: SandboxState) {
    this.#state = state;
  }

  /** A new active Key, with its secret, which cannot be asked for again. */
  issue({ account, template, limits = {}, permissions }: NewKey): { key: Key; secret: string } {
    const { db, clock, seed } = this.#state;
    const secret = secretOf(seed.next('key'));
    const id = db.insert('key', {
      digest: digestOf(secret),
      last_four: secret.slice(-4),
      account,
      kind: template === undefined ? 'general' : 'template',
      template: template ?? null,
      state: 'active',
      per_request: limits.per_request ?? null,
      daily: limits.daily ?? null,
      monthly: limits.monthly ?? null,
      permissions: JSON.stringify(permissions),
      created_at: clock.now(),
    });
    return { key: this.get(id), secret };
  }

  /** The Key of a secret, in any state; undefined when it was not issued here. */
  findBySecret(secret: string): Key | undefined {
    const row = this.#state.db.get<Row>('SELECT * FROM key WHERE digest = ?', digestOf(secret));
    return row === undefined ? undefined : keyOf(row);
  }

  /** Throws `not_found`. */
  get(id: number): Key {
    const row = this.#state.db.get<Row>('SELECT * FROM key WHERE id = ?', id);
    if (row !== undefined) return keyOf(row);
    throw new SvcdError('not_found', `there is no Key of number ${id}`, {
      hint: '"svcd sandbox keys" lists them.',
    });
  }

  list(): Key[] {
    return this.#state.db.all<Row>('SELECT * FROM key ORDER BY id').map(keyOf);
  }

  /** Throws `not_found`, and `invalid_request` for a revoked Key: nothing leads back from there. */
  setState(id: number, state: KeyState): void {
    if (this.get(id).state === 'revoked' && state !== 'revoked') {
      throw new SvcdError('invalid_request', `Key ${id} was revoked, which cannot be undone`, {
        hint: 'Make a new one with "svcd sandbox keys add".',
      });
    }
    this.#state.db.run('UPDATE key SET state = ? WHERE id = ?', state, id);
  }

  /** Changes the limits that are named; null takes one away. Throws `not_found`. */
  setLimits(id: number, change: Change<KeyLimits>): void {
    const { limits } = this.get(id);
    const values = (['per_request', 'daily', 'monthly'] as const).map((name) => {
      const wanted = change[name];
      return wanted === undefined ? limits[name] : wanted;
    });
    this.#state.db.run('UPDATE key SET per_request = ?, daily = ?, monthly = ? WHERE id = ?', ...values, id);
  }

  /** Throws `not_found`. */
  setPermissions(id: number, permissions: readonly Permission[]): void {
    this.get(id);
    this.#state.db.run('UPDATE key SET permissions = ? WHERE id = ?', JSON.stringify(permissions), id);
  }

  /** The secret of the first Key that the seed made: the main account's own, which a restart must know again. */
  static firstSecret(seed: Seed): string {
    return secretOf(seed.bytesAt('key 1'));
  }
}

/** Throws `permission_missing` unless the Key has all of them. */
export function requirePermissions({ permissions }: Key, needed: readonly Permission[]): void {
  const missing = needed.filter((permission) => !permissions.includes(permission));
  if (missing.length === 0) return;
  throw new SvcdError('permission_missing', `This Key does not have ${missing.join(' and ')}.`, {
    hint: 'The owner of the Key can give it.',
  });
}

function secretOf(bytes: Buffer): string {
  return PREFIX + bytes.subarray(0, 24).toString('base64url');
}

function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

function keyOf({ id, account, kind, template, state, ...row }: Row): Key {
  return {
    id,
    account,
    kind,
    template,
    masked: `${PREFIX}…${row.last_four}`,
    state,
    limits: { per_request: row.per_request, daily: row.daily, monthly: row.monthly },
    permissions: JSON.parse(row.permissions) as Permission[],
  };
}
