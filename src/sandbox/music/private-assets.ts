// What accounts have selected: their private assets, kept over a restart.

import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.js';
import type { Database, Statement } from '../../store/open-database.js';

export interface PrivateAsset {
  id: string;
  track: string;
  at: number;
}

/** The private assets of every account. */
export class PrivateAssets {
  readonly #clock: Clock;
  readonly #add: Statement<[string, number, string, number]>;
  readonly #of: Statement<[number], PrivateAsset>;

  /** Makes its table in a sandbox that has none: only one that runs with music needs it. */
  constructor(db: Database, clock: Clock) {
    this.#clock = clock;
    db.exec(`CREATE TABLE IF NOT EXISTS private_asset (
      id      TEXT PRIMARY KEY,
      account INTEGER NOT NULL,
      track   TEXT NOT NULL,
      at      INTEGER NOT NULL,
      UNIQUE (account, track)
    ) STRICT`);
    this.#add = db.prepare(
      'INSERT INTO private_asset (id, account, track, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    );
    this.#of = db.prepare('SELECT id, track, at FROM private_asset WHERE account = ? ORDER BY at, id');
  }

  /** The asset of a track; selecting one twice changes nothing. */
  select(account: number, track: string): PrivateAsset {
    this.#add.run(randomUUID(), account, track, this.#clock.now());
    const asset = this.list(account).find((one) => one.track === track);
    if (asset === undefined) throw new Error(`The asset of ${track} was not kept.`);
    return asset;
  }

  /** An account's assets, the first selected first. */
  list(account: number): PrivateAsset[] {
    return this.#of.all(account);
  }
}
