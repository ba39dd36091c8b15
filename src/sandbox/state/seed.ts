// Where everything random of the sandbox comes from: a number and how often it was drawn from, so that the same
// number gives the same Keys, ids and faults in the same order. The control token is not made here: it is a secret.

import { createHash, randomInt } from 'node:crypto';
import { SvcdError } from '../../model/errors.js';
import type { SandboxDatabase } from './sandbox-database.js';

/** Seeds are whole numbers below this. */
const SEEDS = 2 ** 47;

/** The seed of one sandbox, with its place in every sequence kept in the database. */
export class Seed {
  readonly value: number;
  readonly #db: SandboxDatabase;

  /** Takes up the seed of the file, or begins with `wanted`. Throws `invalid_argument` when the file has another. */
  constructor(db: SandboxDatabase, wanted?: number) {
    this.#db = db;
    this.value = beginWith(db, wanted);
  }

  /** The next 32 bytes of a purpose. */
  next(purpose: string): Buffer {
    const drawn = this.#db.get<{ count: number }>(
      'INSERT INTO drawn (purpose, count) VALUES (?, 1) ON CONFLICT DO UPDATE SET count = count + 1 RETURNING count',
      purpose,
    );
    return this.bytesAt(`${purpose} ${drawn?.count ?? 0}`);
  }

  /** The next id of a purpose, in the form of a UUID. */
  nextId(purpose: string): string {
    const hex = this.next(purpose).toString('hex');
    const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
    return [...parts, hex.slice(20, 32)].join('-');
  }

  /** A number from 0 to below 1 that depends on the place alone: asked again it is the same. */
  fractionAt(place: string): number {
    return this.bytesAt(place).readUIntBE(0, 6) / 2 ** 48;
  }

  /** The 32 bytes of a place, the same whenever they are asked for. */
  bytesAt(place: string): Buffer {
    return createHash('sha256').update(`svcd sandbox ${this.value} ${place}`).digest();
  }
}

function beginWith(db: SandboxDatabase, wanted: number | undefined): number {
  const kept = db.get<{ value: string }>(`SELECT value FROM setting WHERE name = 'seed'`)?.value;
  if (kept === undefined) {
    const value = wanted ?? randomInt(SEEDS);
    db.insert('setting', { name: 'seed', value: String(value) });
    return value;
  }
  if (wanted === undefined || wanted === Number(kept)) return Number(kept);
  throw new SvcdError('invalid_argument', `this sandbox began with seed ${kept}, not ${wanted}`, {
    hint: 'Begin a new one with --fresh, or give another folder with --home DIR.',
  });
}
