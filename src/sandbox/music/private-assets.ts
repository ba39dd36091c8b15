// What accounts have selected: their private assets, kept over a restart.

import type { SandboxState } from '../state/sandbox-state.js';

export interface PrivateAsset {
  id: string;
  track: string;
  at: number;
}

/** Made in a sandbox that has none: only one that runs with music needs it. */
export const ASSET_TABLE = `
  CREATE TABLE IF NOT EXISTS private_asset (
    id      TEXT PRIMARY KEY,
    account INTEGER NOT NULL,
    track   TEXT NOT NULL,
    at      INTEGER NOT NULL,
    UNIQUE (account, track)
  ) STRICT;
`;

/** The asset of a track; selecting one twice changes nothing. */
export function select(state: SandboxState, account: number, track: string): PrivateAsset {
  const known = list(state, account).find((one) => one.track === track);
  if (known !== undefined) return known;
  const { db, clock, seed } = state;
  const asset = { id: seed.nextId('asset'), track, at: clock.now() };
  db.insert('private_asset', { account, ...asset });
  return asset;
}

/** An account's assets, the first selected first. */
export function list(state: SandboxState, account: number): PrivateAsset[] {
  const sql = 'SELECT id, track, at FROM private_asset WHERE account = ? ORDER BY at, rowid';
  return state.db.all(sql, account);
}
