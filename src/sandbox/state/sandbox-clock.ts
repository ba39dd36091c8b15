// The sandbox's own time: the given clock, moved forward as far as its owner asked, so that 14 days can pass at once.

import { SvcdError } from '../../model/errors.js';
import type { Clock } from '../../platform/clock.js';
import type { SandboxDatabase } from './sandbox-database.js';

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
