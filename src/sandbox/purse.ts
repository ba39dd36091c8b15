// Spending: what a Key may still spend, and taking it. Which call costs what is decided by the callers.

import type { Clock } from '../platform/clock.js';
import { SvcdError } from '../model/errors.js';
import type { Database, Statement } from '../platform/open-database.js';
import { dayStartOf, monthStartOf } from './money.js';
import type { Key } from './keyring.js';
import type { Ledger } from './ledger.js';
import type { Rewards } from './rewards.js';

type PaidCapability = 'stickers.file' | 'images.generate';

/** One paid call. */
export interface Charge {
  /** Milliseconds since the Unix epoch. */
  at: number;
  capability: PaidCapability;
  /** The preset, or the image's id: never what the user wrote. */
  subject: string;
  credits: number;
}

/** The credits of the account behind a Key, as far as the Key's limits let it. */
export class Purse {
  readonly #clock: Clock;
  readonly #ledger: Ledger;
  readonly #rewards: Rewards;
  readonly #charges: Statement<[], Charge>;

  constructor(db: Database, clock: Clock, ledger: Ledger, rewards: Rewards) {
    this.#clock = clock;
    this.#ledger = ledger;
    this.#rewards = rewards;
    this.#charges = db.prepare(
      `SELECT at, capability, subject, -credits AS credits FROM movement JOIN posting ON movement = movement.id
       WHERE reason = 'charge' AND book = 'spendable' ORDER BY movement.id`,
    );
  }

  /** Spendable credits of an account, with what was released by now; below 0 when a refund took more than there was. */
  balance(account: number): number {
    this.#rewards.settle();
    return this.#ledger.balance(account);
  }

  /** Rewards of an account that wait. */
  locked(account: number): number {
    this.#rewards.settle();
    return this.#ledger.balance(account, 'locked');
  }

  /** The smaller of the balance and what the Key may still spend this month; never below 0. */
  effective(key: Key): number {
    const rest = this.monthlyRest(key) ?? Infinity;
    return Math.max(0, Math.min(this.balance(key.account), rest));
  }

  /** What the Key may still spend this month; null without a monthly limit. */
  monthlyRest({ id, limits }: Key): number | null {
    if (limits.monthly === null) return null;
    return Math.max(0, limits.monthly - this.#ledger.spentSince(id, monthStartOf(this.#clock.now())));
  }

  /** Throws `key_limit_exceeded` or `insufficient_credits` when a call of this price cannot be paid. Reserves nothing. */
  require(key: Key, credits: number): void {
    this.#requireLimits(key, credits);
    const left = Math.max(0, this.balance(key.account));
    if (left >= credits) return;
    throw new SvcdError('insufficient_credits', `This call costs ${credits} credits, ${left} are left.`);
  }

  /**
   * Takes the credits in one transaction with what `alongside` writes. Throws as `require` does, and then none
   * of it happened.
   */
  charge(key: Key, what: Omit<Charge, 'at'>, alongside: () => void = () => {}): void {
    const { credits, capability, subject } = what;
    this.#ledger.together(() => {
      this.require(key, credits);
      alongside();
      this.#ledger.record({ reason: 'charge', key: key.id, capability, subject }, [
        ['spendable', key.account, -credits],
        ['house', key.account, credits],
      ]);
    });
  }

  /** Every charge so far, of every account, oldest first. */
  charges(): Charge[] {
    return this.#charges.all();
  }

  /** A free call costs no limit either, so a Key beyond its limits can still read how things stand. */
  #requireLimits({ id, limits }: Key, credits: number): void {
    const now = this.#clock.now();
    const { perRequest, daily, monthly } = limits;
    if (perRequest !== null && credits > perRequest) throw beyond('a request', perRequest, 0);
    for (const [span, limit, start] of [
      ['a day', daily, dayStartOf(now)],
      ['a month', monthly, monthStartOf(now)],
    ] as const) {
      if (limit === null) continue;
      const spent = this.#ledger.spentSince(id, start);
      if (spent + credits > limit) throw beyond(span, limit, spent);
    }
  }
}

function beyond(span: string, limit: number, spent: number): SvcdError {
  const used = spent === 0 ? '' : `; spent: ${spent}`;
  return new SvcdError('key_limit_exceeded', `This Key has a limit of ${limit} for ${span}${used}.`, {
    hint: 'The owner of the Key sets its limits.',
  });
}
