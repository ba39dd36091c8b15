// Spending: what a Key may still spend, and taking it. What a call costs is decided by the callers.

import { SvcdError } from '../../model/errors.js';
import type { Key } from '../key-store.js';
import type { SandboxState } from '../state/sandbox-state.js';
import type { Ledger } from './ledger.js';
import { dayStartOf, monthStartOf } from './rates.js';
import type { Rewards } from './rewards.js';

/** One paid call. */
export interface Charge {
  /** Milliseconds since the Unix epoch. */
  at: number;
  capability: 'stickers.file' | 'images.generate';
  /** The preset, or the image's id: never what the user wrote. */
  subject: string;
  credits: number;
}

/** The credits of the account behind a Key, as far as the Key's limits let it. */
export class CreditAccount {
  readonly #state: SandboxState;
  readonly #ledger: Ledger;
  readonly #rewards: Rewards;

  constructor(state: SandboxState, ledger: Ledger, rewards: Rewards) {
    this.#state = state;
    this.#ledger = ledger;
    this.#rewards = rewards;
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
    return Math.max(0, Math.min(this.balance(key.account), this.monthlyRest(key) ?? Infinity));
  }

  /** What the Key may still spend this month; null without a monthly limit. */
  monthlyRest({ id, limits }: Key): number | null {
    if (limits.monthly === null) return null;
    const start = monthStartOf(this.#state.clock.now());
    return Math.max(0, limits.monthly - this.#ledger.spentSince(id, start));
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
    this.#state.db.transaction(() => {
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
    return this.#state.db.all(
      `SELECT at, capability, subject, -credits AS credits FROM movement JOIN posting ON movement = movement.id
       WHERE reason = 'charge' AND book = 'spendable' ORDER BY movement.id`,
    );
  }

  /** Makes the balance of an account so many credits, for the owner of the sandbox. */
  adjust(account: number, wanted: number): void {
    this.#state.db.transaction(() => {
      const difference = wanted - this.#ledger.balance(account);
      this.#ledger.record({ reason: 'adjustment' }, [
        ['spendable', account, difference],
        ['house', account, -difference],
      ]);
    });
  }

  /** Only calls that cost count, so that a Key beyond its limits can still read how things stand. */
  #requireLimits({ id, limits }: Key, credits: number): void {
    const now = this.#state.clock.now();
    const { per_request: perRequest, daily, monthly } = limits;
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
