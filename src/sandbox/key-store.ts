// The Keys of every account: general ones, and those written into a template's package. Kept as digests and
// their last four characters; the Key itself is told once, when it is made.

import { SvcdError } from '../model/errors.js';
import { sha256Hex } from '../model/hash.js';
import type { SandboxState } from './state/sandbox-state.js';
import type { Seed } from './state/sandbox-state.js';

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

type Row = Omit<Key, 'masked' | 'limits' | 'permissions'> & KeyLimits & { last_four: string; permissions: string };

/** Begins like the Keys people know, and says that it opens nothing real. */
const PREFIX = 'sk-sandbox-';

/** A new active Key, with its secret, which cannot be asked for again. */
export function issue(
  state: SandboxState,
  { account, template, limits = {}, permissions }: NewKey,
): { key: Key; secret: string } {
  const { db, clock, seed } = state;
  const secret = secretOf(seed.next('key'));
  const id = db.insert('key', {
    digest: sha256Hex(secret),
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
  return { key: get(state, id), secret };
}

/** The Key of a secret, in any state; undefined when it was not issued here. */
export function findBySecret(state: SandboxState, secret: string): Key | undefined {
  const row = state.db.get<Row>('SELECT * FROM key WHERE digest = ?', sha256Hex(secret));
  return row === undefined ? undefined : keyOf(row);
}

/** Throws `not_found`. */
export function get(state: SandboxState, id: number): Key {
  const row = state.db.get<Row>('SELECT * FROM key WHERE id = ?', id);
  if (row !== undefined) return keyOf(row);
  throw new SvcdError('not_found', `there is no Key of number ${id}`, {
    hint: '"svcd sandbox keys" lists them.',
  });
}

/** Every Key of every account, the first made first. */
export function list(state: SandboxState): Key[] {
  return state.db.all<Row>('SELECT * FROM key ORDER BY id').map(keyOf);
}

/** Throws `not_found`, and `invalid_request` for a revoked Key: nothing leads back from there. */
export function setState(state: SandboxState, id: number, wanted: KeyState): void {
  if (get(state, id).state === 'revoked' && wanted !== 'revoked') {
    throw new SvcdError('invalid_request', `Key ${id} was revoked, which cannot be undone`, {
      hint: 'Make a new one with "svcd sandbox keys add".',
    });
  }
  state.db.run('UPDATE key SET state = ? WHERE id = ?', wanted, id);
}

/** Changes the limits that are named; null takes one away. Throws `not_found`. */
export function setLimits(state: SandboxState, id: number, change: Change<KeyLimits>): void {
  const { limits } = get(state, id);
  const values = (['per_request', 'daily', 'monthly'] as const).map((name) => {
    const wanted = change[name];
    return wanted === undefined ? limits[name] : wanted;
  });
  state.db.run('UPDATE key SET per_request = ?, daily = ?, monthly = ? WHERE id = ?', ...values, id);
}

/** Throws `not_found`. */
export function setPermissions(state: SandboxState, id: number, permissions: readonly Permission[]): void {
  get(state, id);
  state.db.run('UPDATE key SET permissions = ? WHERE id = ?', JSON.stringify(permissions), id);
}

/** The secret of the first Key that the seed made: the main account's own, which a restart must know again. */
export function firstSecret(seed: Seed): string {
  return secretOf(seed.bytesAt('key 1'));
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
