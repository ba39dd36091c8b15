// What every store of the sandbox stands on: its file, its time and its chance. Its time is the given clock, moved forward
// as far as its owner asked, so that 14 days can pass at once. Everything random comes from a number and how often it was
// drawn from, so that the same number gives the same Keys, ids and faults in the same order. The control token is not made
// here: it is a secret.

import { createHash, randomInt } from 'node:crypto';
import { SvcdError } from '../../model/errors.js';
import type { Clock } from '../../platform/clock.js';
import type { SandboxDatabase } from './sandbox-database.js';

export interface SandboxState {
  readonly db: SandboxDatabase;
  readonly clock: SandboxClock;
  readonly seed: Seed;
}

/** An instant as it is told. */
export function iso(at: number): string {
  return new Date(at).toISOString();
}

/** A year is past every limit of the service; ten of them are past every test. */
const AHEAD_MAX_MS = 10 * 366 * 24 * 3600 * 1000;

/** A clock that can be moved forward, and stays so over a restart. */
export class SandboxClock implements Clock {
  readonly #base: Clock;
  readonly #db: SandboxDatabase;
  #aheadMs: number;

  constructor(db: SandboxDatabase, base: Clock) {
    this.#base = base;
    this.#db = db;
    const kept = db.get<{ value: string }>(`SELECT value FROM setting WHERE name = 'ahead_ms'`);
    this.#aheadMs = Number(kept?.value ?? 0);
  }

  now(): number {
    return this.#base.now() + this.#aheadMs;
  }

  /** A move passes for these too: after an hour no request counts against the rate. */
  monotonic(): number {
    return this.#base.monotonic() + this.#aheadMs;
  }

  /** Milliseconds it was moved in all. */
  get aheadMs(): number {
    return this.#aheadMs;
  }

  /** Moves it forward. Throws `invalid_request` for a move back: what was released then cannot be locked again. */
  advance(byMs: number): void {
    if (byMs < 0) {
      throw new SvcdError('invalid_request', 'the clock only moves forward', {
        hint: '"svcd sandbox reset" begins anew at the present.',
      });
    }
    if (this.#aheadMs + byMs > AHEAD_MAX_MS) {
      throw new SvcdError('invalid_request', 'the clock moves at most ten years ahead');
    }
    this.#set(this.#aheadMs + byMs);
  }

  /** Back to the present, for a sandbox that begins anew. */
  restart(): void {
    this.#set(0);
  }

  #set(aheadMs: number): void {
    this.#aheadMs = aheadMs;
    this.#db.run(
      `INSERT INTO setting (name, value) VALUES ('ahead_ms', ?) ON CONFLICT DO UPDATE SET value = excluded.value`,
      String(aheadMs),
    );
  }
}

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
