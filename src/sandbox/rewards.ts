// Payment rewards (asset API, sections 1 and 3): locked when something was paid, released when every condition
// holds, reversed by a refund. Released means that the moment has come, not that somebody looked: whoever reads
// a balance settles first.

import type { Clock } from '../platform/clock.js';
import type { Database, Statement } from '../platform/open-database.js';
import { REWARD_DELAY_MS, rewardCreditsOf } from './money.js';
import type { Ledger } from './ledger.js';

export interface Reward {
  id: number;
  payment: string;
  account: number;
  role: 'buyer' | 'inviter';
  credits: number;
  state: 'locked' | 'released' | 'reversed';
}

const COLUMNS = 'reward.id, reward.payment, reward.account, role, reward.credits, reward.state';

/** The rewards of every payment. */
export class Rewards {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #ledger: Ledger;
  readonly #due: Statement<[number], Reward>;
  readonly #ofPayment: Statement<[string], Reward>;
  readonly #change: Statement<[string, number, number]>;

  constructor(db: Database, clock: Clock, ledger: Ledger) {
    this.#db = db;
    this.#clock = clock;
    this.#ledger = ledger;
    this.#ofPayment = db.prepare(`SELECT ${COLUMNS} FROM reward WHERE payment = ? ORDER BY id`);
    this.#change = db.prepare('UPDATE reward SET state = ?, changed_at = ? WHERE id = ?');
    // Whose email must be verified is not shown; our choice: that of whoever gets the reward.
    this.#due = db.prepare(
      `SELECT ${COLUMNS} FROM reward
       JOIN payment ON payment.id = reward.payment JOIN account ON account.id = reward.account
       WHERE reward.state = 'locked' AND locked_at <= ?
         AND refunded_at IS NULL AND NOT anomaly AND verified AND email_verified ORDER BY reward.id`,
    );
  }

  /** Rewards an account for a payment, locked for now. A payment too small for a credit brings none. */
  lock(payment: string, amountFen: number, account: number, role: Reward['role']): void {
    const credits = rewardCreditsOf(amountFen);
    if (credits === 0) return;
    const at = this.#clock.now();
    this.#db
      .prepare(
        `INSERT INTO reward (payment, account, role, credits, state, locked_at, changed_at)
         VALUES (?, ?, ?, ?, 'locked', ?, ?)`,
      )
      .run(payment, account, role, credits, at, at);
    this.#ledger.record({ reason: 'reward_locked', payment }, [
      ['locked', account, credits],
      ['house', account, -credits],
    ]);
  }

  /** Releases every reward whose conditions hold by now. */
  settle(): void {
    const due = this.#due.all(this.#clock.now() - REWARD_DELAY_MS);
    if (due.length === 0) return;
    this.#ledger.together(() => {
      for (const reward of due) this.#release(reward);
    });
  }

  /** Takes the rewards of a refunded payment back, spent or not. */
  reverse(payment: string): void {
    for (const { id, account, credits, state } of this.#ofPayment.all(payment)) {
      if (state === 'reversed') continue;
      this.#change.run('reversed', this.#clock.now(), id);
      this.#ledger.record({ reason: 'reward_reversed', payment }, [
        [state === 'locked' ? 'locked' : 'spendable', account, -credits],
        ['house', account, credits],
      ]);
    }
  }

  ofPayment(payment: string): Reward[] {
    return this.#ofPayment.all(payment);
  }

  #release({ id, payment, account, credits }: Reward): void {
    this.#change.run('released', this.#clock.now(), id);
    this.#ledger.record({ reason: 'reward_released', payment }, [
      ['locked', account, -credits],
      ['spendable', account, credits],
    ]);
  }
}
