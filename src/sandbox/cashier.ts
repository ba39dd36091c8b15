// Payments: top-ups, template purchases and their refunds, and what each moves in the ledger.

import type { Clock } from '../platform/clock.js';
import { SvcdError } from '../model/errors.js';
import type { Database, Statement } from '../platform/open-database.js';
import { topUpCreditsOf } from './money.js';
import type { Accounts } from './accounts.js';
import type { Ledger } from './ledger.js';
import type { Reward, Rewards } from './rewards.js';
import type { Seed } from './seed.js';

export interface Payment {
  id: string;
  account: number;
  kind: 'top_up' | 'template';
  /** `name@version`, of a template purchase. */
  template: string | null;
  amountFen: number;
  /** Credits it bought at once; its rewards are apart. */
  credits: number;
  at: number;
  anomaly: boolean;
  /** Whether the payment provider's verification succeeded. */
  verified: boolean;
  refundedAt: number | null;
}

type Row = Omit<Payment, 'amountFen' | 'anomaly' | 'verified' | 'refundedAt'> & {
  amount_fen: number;
  anomaly: 0 | 1;
  verified: 0 | 1;
  refunded_at: number | null;
};

const COLUMNS = 'id, account, kind, template, amount_fen, credits, at, anomaly, verified, refunded_at';

/** Takes money and gives it back. */
export class Cashier {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #seed: Seed;
  readonly #accounts: Accounts;
  readonly #ledger: Ledger;
  readonly #rewards: Rewards;
  readonly #byId: Statement<[string], Row>;

  constructor(
    db: Database,
    clock: Clock,
    seed: Seed,
    parts: { accounts: Accounts; ledger: Ledger; rewards: Rewards },
  ) {
    this.#db = db;
    this.#clock = clock;
    this.#seed = seed;
    this.#accounts = parts.accounts;
    this.#ledger = parts.ledger;
    this.#rewards = parts.rewards;
    this.#byId = db.prepare(`SELECT ${COLUMNS} FROM payment WHERE id = ?`);
  }

  /** Credits for money, at once, and rewards, locked. */
  topUp(account: number, amountFen: number): Payment {
    return this.#pay({
      account,
      kind: 'top_up',
      template: null,
      amountFen,
      credits: topUpCreditsOf(amountFen),
    });
  }

  /** A template for money: no credits, but the rewards of a payment. */
  buyTemplate(account: number, template: string, amountFen: number): Payment {
    return this.#pay({ account, kind: 'template', template, amountFen, credits: 0 });
  }

  /**
   * Gives the whole amount back: the credits it bought and its rewards are taken back, spent or not, so that the
   * balance can fall below none; then nothing can be spent until it is made up for. Throws `not_found`, and
   * `invalid_request` the second time.
   */
  refund(id: string): Payment {
    return this.#ledger.together(() => {
      const { account, credits, refundedAt } = this.get(id);
      if (refundedAt !== null) throw new SvcdError('invalid_request', `payment ${id} was refunded already`);
      // Whatever was due before the refund was released before it.
      this.#rewards.settle();
      this.#db.prepare('UPDATE payment SET refunded_at = ? WHERE id = ?').run(this.#clock.now(), id);
      this.#ledger.record({ reason: 'refund', payment: id }, [
        ['spendable', account, -credits],
        ['house', account, credits],
      ]);
      this.#rewards.reverse(id);
      return this.get(id);
    });
  }

  /** What the provider's verification and the watch for anomalies found; a release waits for both. Throws `not_found`. */
  judge(id: string, { anomaly, verified }: { anomaly?: boolean; verified?: boolean }): Payment {
    const before = this.get(id);
    this.#rewards.settle();
    this.#db
      .prepare('UPDATE payment SET anomaly = ?, verified = ? WHERE id = ?')
      .run((anomaly ?? before.anomaly) ? 1 : 0, (verified ?? before.verified) ? 1 : 0, id);
    return this.get(id);
  }

  /** Throws `not_found`. */
  get(id: string): Payment {
    const row = this.#byId.get(id);
    if (row !== undefined) return paymentOf(row);
    throw new SvcdError('not_found', `there is no payment ${JSON.stringify(id)}`);
  }

  /** Every payment, oldest first. */
  list(): Payment[] {
    return this.#db.prepare<[], Row>(`SELECT ${COLUMNS} FROM payment ORDER BY number`).all().map(paymentOf);
  }

  rewardsOf(id: string): Reward[] {
    return this.#rewards.ofPayment(id);
  }

  #pay(what: Pick<Payment, 'account' | 'kind' | 'template' | 'amountFen' | 'credits'>): Payment {
    return this.#ledger.together(() => {
      const { account, kind, template, amountFen, credits } = what;
      const id = this.#seed.nextId('payment');
      this.#db
        .prepare(
          `INSERT INTO payment (id, number, account, kind, template, amount_fen, credits, at)
           VALUES (?, (SELECT count(*) + 1 FROM payment), ?, ?, ?, ?, ?, ?)`,
        )
        .run(id, account, kind, template, amountFen, credits, this.#clock.now());
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

function paymentOf({
  amount_fen: amountFen,
  anomaly,
  verified,
  refunded_at: refundedAt,
  ...rest
}: Row): Payment {
  return { ...rest, amountFen, anomaly: anomaly === 1, verified: verified === 1, refundedAt };
}
