// Payments: top-ups, template purchases and their refunds, and what each moves in the ledger.

import { SvcdError } from '../../model/errors.js';
import * as accounts from '../accounts.js';
import type { SandboxState } from '../state/sandbox-state.js';
import * as ledger from './ledger.js';
import { topUpCreditsOf } from './rates.js';
import * as rewards from './rewards.js';

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

/** Credits for money, at once, and rewards, locked. */
export function topUp(state: SandboxState, account: number, amountFen: number): Payment {
  return pay(state, { account, kind: 'top_up' }, amountFen, topUpCreditsOf(amountFen));
}

/** A template for money: no credits, but the rewards of a payment. */
export function buyTemplate(state: SandboxState, account: number, template: string, amountFen: number): Payment {
  return pay(state, { account, kind: 'template', template }, amountFen, 0);
}

/**
 * Gives the whole amount back: the credits it bought and its rewards are taken back, spent or not, so that the
 * balance can fall below 0; then nothing can be spent until it is made up for. Throws `not_found`, and
 * `invalid_request` the second time.
 */
export function refund(state: SandboxState, id: string): Payment {
  const { db, clock } = state;
  return db.transaction(() => {
    const { account, credits, refunded_at: refundedAt } = get(state, id);
    if (refundedAt !== null) throw new SvcdError('invalid_request', `payment ${id} was refunded already`);
    // What was due before the refund was released before it.
    rewards.settle(state);
    db.run('UPDATE payment SET refunded_at = ? WHERE id = ?', clock.now(), id);
    ledger.record(state, { reason: 'refund', payment: id }, [
      ['spendable', account, -credits],
      ['house', account, credits],
    ]);
    rewards.reverse(state, id);
    return get(state, id);
  });
}

/** What the provider's verification and the watch for anomalies found; a release waits for both. Throws `not_found`. */
export function judge(
  state: SandboxState,
  id: string,
  found: { anomaly?: boolean | undefined; verified?: boolean | undefined },
): Payment {
  const { anomaly, verified } = get(state, id);
  rewards.settle(state);
  state.db.run(
    'UPDATE payment SET anomaly = ?, verified = ? WHERE id = ?',
    Number(found.anomaly ?? anomaly),
    Number(found.verified ?? verified),
    id,
  );
  return get(state, id);
}

/** Throws `not_found`. */
function get(state: SandboxState, id: string): Payment {
  const payment = state.db.get<Payment>('SELECT * FROM payment WHERE id = ?', id);
  if (payment !== undefined) return payment;
  throw new SvcdError('not_found', `there is no payment ${JSON.stringify(id)}`);
}

/** Every payment, oldest first. */
export function list(state: SandboxState): Payment[] {
  return state.db.all('SELECT * FROM payment ORDER BY number');
}

function pay(
  state: SandboxState,
  what: { account: number; kind: Payment['kind']; template?: string },
  amountFen: number,
  credits: number,
): Payment {
  const { db, clock, seed } = state;
  const { account } = what;
  return db.transaction(() => {
    const id = seed.nextId('payment');
    const number = 1 + (db.get<{ n: number }>('SELECT count(*) AS n FROM payment')?.n ?? 0);
    db.insert('payment', { id, number, ...what, amount_fen: amountFen, credits, at: clock.now() });
    ledger.record(state, { reason: 'top_up', payment: id }, [
      ['spendable', account, credits],
      ['house', account, -credits],
    ]);
    rewards.lock(state, id, amountFen, account, 'buyer');
    const { inviter } = accounts.getById(state, account);
    if (inviter !== null) rewards.lock(state, id, amountFen, inviter, 'inviter');
    return get(state, id);
  });
}
