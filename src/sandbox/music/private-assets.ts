// What accounts have selected: their private assets, kept over a restart.

import type { Clock } from '../../platform/clock.js';
import type { Database, Statement } from '../../platform/open-database.js';
import type { Seed } from '../seed.js';

export interface PrivateAsset {
  id: string;
  track: string;
  at: number;
}

/** The private assets of every account. */
export class PrivateAssets {
  readonly #clock: Clock;
  readonly #seed: Seed;
  readonly #add: Statement<[string, number, string, number]>;
  readonly #of: Statement<[number], PrivateAsset>;

  /** Makes its table in a sandbox that has none: only one that runs with music needs it. */
  constructor(db: Database, clock: Clock, seed: Seed) {
    this.#clock = clock;
    this.#seed = seed;
    db.exec(`CREATE TABLE IF NOT EXISTS private_asset (
      id      TEXT PRIMARY KEY,
      account INTEGER NOT NULL,
      track   TEXT NOT NULL,
      at      INTEGER NOT NULL,
      UNIQUE (account, track)
    ) STRICT`);
    this.#add = db.prepare('INSERT INTO private_asset (id, account, track, at) VALUES (?, ?, ?, ?)');
    this.#of = db.prepare('SELECT id, track, at FROM private_asset WHERE account = ? ORDER BY at, rowid');
  }

  /** The asset of a track; selecting one twice changes nothing. */
  select(account: number, track: string): PrivateAsset {
    const known = this.list(account).find((one) => one.track === track);
    if (known !== undefined) return known;
    const asset = { id: this.#seed.nextId('asset'), track, at: this.#clock.now() };
    this.#add.run(asset.id, account, track, asset.at);
    return asset;
  }

  /** An account's assets, the first selected first. */
  list(account: number): PrivateAsset[] {
    return this.#of.all(account);
  }
}
