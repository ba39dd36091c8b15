// Payments: top-ups, template purchases and their refunds, and what each moves in the ledger.

import { SvcdError } from '../../model/errors.js';
import type { Accounts } from '../accounts.js';
import type { SandboxState } from '../state/sandbox-state.js';
import type { Ledger } from './ledger.js';
import { topUpCreditsOf } from './rates.js';
import type { Reward, Rewards } from './rewards.js';

export interface Payment {
  id: string;
  account: number;
  kind: 'top_up' | 'template';
  /** `name@version`, of a template purchase. */
  template: string | null;
  amount_fen: number;
  /** Credits it bought at once; its rewards are apart. */
  credits: number;
  at: number;
  anomaly: 0 | 1;
  /** Whether the payment provider's verification succeeded. */
  verified: 0 | 1;
  refunded_at: number | null;
}

/** Takes money and gives it back. */
export class Payments {
  readonly #state: SandboxState;
  readonly #accounts: Accounts;
  readonly #ledger: Ledger;
  readonly #rewards: Rewards;

  constructor(state: SandboxState, parts: { accounts: Accounts; ledger: Ledger; rewards: Rewards }) {
    this.#state = state;
    this.#accounts = parts.accounts;
    this.#ledger = parts.ledger;
    this.#rewards = parts.rewards;
  }

  /** Credits for money, at once, and rewards, locked. */
  topUp(account: number, amountFen: number): Payment {
    return this.#pay({ account, kind: 'top_up' }, amountFen, topUpCreditsOf(amountFen));
  }

  /** A template for money: no credits, but the rewards of a payment. */
  buyTemplate(account: number, template: string, amountFen: number): Payment {
    return this.#pay({ account, kind: 'template', template }, amountFen, 0);
  }

  /**
   * Gives the whole amount back: the credits it bought and its rewards are taken back, spent or not, so that the
   * balance can fall below 0; then nothing can be spent until it is made up for. Throws `not_found`, and
   * `invalid_request` the second time.
   */
  refund(id: string): Payment {
    const { db, clock } = this.#state;
    return db.transaction(() => {
      const { account, credits, refunded_at: refundedAt } = this.get(id);
      if (refundedAt !== null) throw new SvcdError('invalid_request', `payment ${id} was refunded already`);
      // What was due before the refund was released before it.
      this.#rewards.settle();
      db.run('UPDATE payment SET refunded_at = ? WHERE id = ?', clock.now(), id);
      this.#ledger.record({ reason: 'refund', payment: id }, [
        ['spendable', account, -credits],
        ['house', account, credits],
      ]);
      this.#rewards.reverse(id);
      return this.get(id);
    });
  }

  /** What the provider's verification and the watch for anomalies found; a release waits for both. Throws `not_found`. */
  judge(id: string, found: { anomaly?: boolean | undefined; verified?: boolean | undefined }): Payment {
    const { anomaly, verified } = this.get(id);
    this.#rewards.settle();
    this.#state.db.run(
      'UPDATE payment SET anomaly = ?, verified = ? WHERE id = ?',
      Number(found.anomaly ?? anomaly),
      Number(found.verified ?? verified),
      id,
    );
    return this.get(id);
  }

  /** Throws `not_found`. */
  get(id: string): Payment {
    const payment = this.#state.db.get<Payment>('SELECT * FROM payment WHERE id = ?', id);
    if (payment !== undefined) return payment;
    throw new SvcdError('not_found', `there is no payment ${JSON.stringify(id)}`);
  }

  /** Every payment, oldest first. */
  list(): Payment[] {
    return this.#state.db.all('SELECT * FROM payment ORDER BY number');
  }

  rewardsOf(id: string): Reward[] {
    return this.#rewards.ofPayment(id);
  }

  #pay(
    what: { account: number; kind: Payment['kind']; template?: string },
    amountFen: number,
    credits: number,
  ): Payment {
    const { db, clock, seed } = this.#state;
    const { account } = what;
    return db.transaction(() => {
      const id = seed.nextId('payment');
      const number = 1 + (db.get<{ n: number }>('SELECT count(*) AS n FROM payment')?.n ?? 0);
      db.insert('payment', { id, number, ...what, amount_fen: amountFen, credits, at: clock.now() });
      this.#ledger.record({ reason: 'top_up', payment: id }, [
        ['spendable', account, credits],
        ['house', account, -credits],
      ]);
      this.#rewards.lock(id, amountFen, account, 'buyer');
      const { inviter } = this.#accounts.getById(account);
      if (inviter !== null) this.#rewards.lock(id, amountFen, inviter, 'inviter');
      return this.get(id);
    });
  }
}
