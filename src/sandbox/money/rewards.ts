// Payment rewards (document, sections 1 and 3): locked when something was paid, released when every condition
// holds, reversed by a refund. A reward is released when its moment has come, also when nothing reads it then:
// every reading of a balance settles first.

import type { SandboxState } from '../state/sandbox-state.js';
import * as ledger from './ledger.js';
import { REWARD_DELAY_MS, rewardCreditsOf } from './rates.js';

export interface Reward {
  id: number;
  payment: string;
  account: number;
  role: 'buyer' | 'inviter';
  credits: number;
  state: 'locked' | 'released' | 'reversed';
}

/** Rewards an account for a payment, locked for now. A payment too small for a credit brings none. */
export function lock(
  state: SandboxState,
  payment: string,
  amountFen: number,
  account: number,
  role: Reward['role'],
): void {
  const credits = rewardCreditsOf(amountFen);
  if (credits === 0) return;
  const at = state.clock.now();
  const reward = { payment, account, role, credits, state: 'locked', locked_at: at, changed_at: at };
  state.db.insert('reward', reward);
  ledger.record(state, { reason: 'reward_locked', payment }, [
    ['locked', account, credits],
    ['house', account, -credits],
  ]);
}

/** Releases every reward whose conditions hold by now. */
export function settle(state: SandboxState): void {
  const { db, clock } = state;
  // Whose email must be verified is not shown; our choice: that of the account that gets the reward.
  const due = db.all<Reward>(
    `SELECT reward.* FROM reward
     JOIN payment ON payment.id = reward.payment JOIN account ON account.id = reward.account
     WHERE reward.state = 'locked' AND locked_at <= ?
       AND refunded_at IS NULL AND NOT anomaly AND verified AND email_verified ORDER BY reward.id`,
    clock.now() - REWARD_DELAY_MS,
  );
  if (due.length > 0) db.transaction(() => due.forEach((reward) => release(state, reward)));
}

/** Takes the rewards of a refunded payment back, spent or not. */
export function reverse(state: SandboxState, payment: string): void {
  for (const { id, account, credits, state: stage } of ofPayment(state, payment)) {
    if (stage === 'reversed') continue;
    change(state, id, 'reversed');
    ledger.record(state, { reason: 'reward_reversed', payment }, [
      [stage === 'locked' ? 'locked' : 'spendable', account, -credits],
      ['house', account, credits],
    ]);
  }
}

/** The rewards of a payment, the buyer's first. */
export function ofPayment(state: SandboxState, payment: string): Reward[] {
  return state.db.all('SELECT * FROM reward WHERE payment = ? ORDER BY id', payment);
}

function release(state: SandboxState, { id, payment, account, credits }: Reward): void {
  change(state, id, 'released');
  ledger.record(state, { reason: 'reward_released', payment }, [
    ['locked', account, -credits],
    ['spendable', account, credits],
  ]);
}

function change({ db, clock }: SandboxState, id: number, stage: Reward['state']): void {
  db.run('UPDATE reward SET state = ?, changed_at = ? WHERE id = ?', stage, clock.now(), id);
}
