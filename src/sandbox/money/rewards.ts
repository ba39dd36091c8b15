// Payment rewards (document, sections 1 and 3): locked when something was paid, released when every condition
// holds, reversed by a refund. A reward is released when its moment has come, also when nothing reads it then:
// every reading of a balance settles first.

import type { SandboxState } from '../state/sandbox-state.js';
import type { Ledger } from './ledger.js';
import { REWARD_DELAY_MS, rewardCreditsOf } from './rates.js';

export interface Reward {
  id: number;
  payment: string;
  account: number;
  role: 'buyer' | 'inviter';
  credits: number;
  state: 'locked' | 'released' | 'reversed';
}

/** The rewards of every payment. */
export class Rewards {
  readonly #state: SandboxState;
  readonly #ledger: Ledger;

  constructor(state: SandboxState, ledger: Ledger) {
    this.#state = state;
    this.#ledger = ledger;
  }

  /** Rewards an account for a payment, locked for now. A payment too small for a credit brings none. */
  lock(payment: string, amountFen: number, account: number, role: Reward['role']): void {
    const credits = rewardCreditsOf(amountFen);
    if (credits === 0) return;
    const at = this.#state.clock.now();
    const reward = { payment, account, role, credits, state: 'locked', locked_at: at, changed_at: at };
    this.#state.db.insert('reward', reward);
    this.#ledger.record({ reason: 'reward_locked', payment }, [
      ['locked', account, credits],
      ['house', account, -credits],
    ]);
  }

  /** Releases every reward whose conditions hold by now. */
  settle(): void {
    const { db, clock } = this.#state;
    // Whose email must be verified is not shown; our choice: that of the account that gets the reward.
    const due = db.all<Reward>(
      `SELECT reward.* FROM reward
       JOIN payment ON payment.id = reward.payment JOIN account ON account.id = reward.account
       WHERE reward.state = 'locked' AND locked_at <= ?
         AND refunded_at IS NULL AND NOT anomaly AND verified AND email_verified ORDER BY reward.id`,
      clock.now() - REWARD_DELAY_MS,
    );
    if (due.length > 0) db.transaction(() => due.forEach((reward) => this.#release(reward)));
  }

  /** Takes the rewards of a refunded payment back, spent or not. */
  reverse(payment: string): void {
    for (const { id, account, credits, state } of this.ofPayment(payment)) {
      if (state === 'reversed') continue;
      this.#change(id, 'reversed');
      this.#ledger.record({ reason: 'reward_reversed', payment }, [
        [state === 'locked' ? 'locked' : 'spendable', account, -credits],
        ['house', account, credits],
      ]);
    }
  }

  ofPayment(payment: string): Reward[] {
    return this.#state.db.all('SELECT * FROM reward WHERE payment = ? ORDER BY id', payment);
  }

  #release({ id, payment, account, credits }: Reward): void {
    this.#change(id, 'released');
    this.#ledger.record({ reason: 'reward_released', payment }, [
      ['locked', account, -credits],
      ['spendable', account, credits],
    ]);
  }

  #change(id: number, state: Reward['state']): void {
    const { db, clock } = this.#state;
    db.run('UPDATE reward SET state = ?, changed_at = ? WHERE id = ?', state, clock.now(), id);
  }
}
