// Spending: what a Key may still spend, and taking it. What a call costs is decided by the callers.

import { SvcdError } from '../../model/errors.js';
import type { Key } from '../key-store.js';
import type { SandboxState } from '../state/sandbox-state.js';
import * as ledger from './ledger.js';
import { dayStartOf, monthStartOf } from './rates.js';
import * as rewards from './rewards.js';

/** One paid call. */
export interface Charge {
  /** Milliseconds since the Unix epoch. */
  at: number;
  capability: 'stickers.file' | 'images.generate';
  /** The preset, or the image's id: never what the user wrote. */
  subject: string;
  credits: number;
}

/** Spendable credits of an account, with what was released by now; below 0 when a refund took more than there was. */
export function balance(state: SandboxState, account: number): number {
  rewards.settle(state);
  return ledger.balance(state, account);
}

/** Rewards of an account that wait. */
export function locked(state: SandboxState, account: number): number {
  rewards.settle(state);
  return ledger.balance(state, account, 'locked');
}

/** The smaller of the balance and what the Key may still spend this month; never below 0. */
export function effective(state: SandboxState, key: Key): number {
  return Math.max(0, Math.min(balance(state, key.account), monthlyRest(state, key) ?? Infinity));
}

/** What the Key may still spend this month; null without a monthly limit. */
export function monthlyRest(state: SandboxState, { id, limits }: Key): number | null {
  if (limits.monthly === null) return null;
  const start = monthStartOf(state.clock.now());
  return Math.max(0, limits.monthly - ledger.spentSince(state, id, start));
}

/** Throws `key_limit_exceeded` or `insufficient_credits` when a call of this price cannot be paid. Reserves nothing. */
export function requireCredits(state: SandboxState, key: Key, credits: number): void {
  requireLimits(state, key, credits);
  const left = Math.max(0, balance(state, key.account));
  if (left >= credits) return;
  throw new SvcdError('insufficient_credits', `This call costs ${credits} credits, ${left} are left.`);
}

/**
 * Takes the credits in one transaction with what `alongside` writes. Throws as `requireCredits` does, and then none
 * of it happened.
 */
export function charge(
  state: SandboxState,
  key: Key,
  what: Omit<Charge, 'at'>,
  alongside: () => void = () => {},
): void {
  const { credits, capability, subject } = what;
  state.db.transaction(() => {
    requireCredits(state, key, credits);
    alongside();
    ledger.record(state, { reason: 'charge', key: key.id, capability, subject }, [
      ['spendable', key.account, -credits],
      ['house', key.account, credits],
    ]);
  });
}

/** Every charge so far, of every account, oldest first. */
export function charges(state: SandboxState): Charge[] {
  return state.db.all(
    `SELECT at, capability, subject, -credits AS credits FROM movement JOIN posting ON movement = movement.id
     WHERE reason = 'charge' AND book = 'spendable' ORDER BY movement.id`,
  );
}

/** Makes the balance of an account so many credits, for the owner of the sandbox. */
export function adjust(state: SandboxState, account: number, wanted: number): void {
  state.db.transaction(() => {
    const difference = wanted - ledger.balance(state, account);
    ledger.record(state, { reason: 'adjustment' }, [
      ['spendable', account, difference],
      ['house', account, -difference],
    ]);
  });
}

/** Only calls that cost count, so that a Key beyond its limits can still read how things stand. */
function requireLimits(state: SandboxState, { id, limits }: Key, credits: number): void {
  const now = state.clock.now();
  const { per_request: perRequest, daily, monthly } = limits;
  if (perRequest !== null && credits > perRequest) throw beyond('a request', perRequest, 0);
  for (const [span, limit, start] of [
    ['a day', daily, dayStartOf(now)],
    ['a month', monthly, monthStartOf(now)],
  ] as const) {
    if (limit === null) continue;
    const spent = ledger.spentSince(state, id, start);
    if (spent + credits > limit) throw beyond(span, limit, spent);
  }
}

function beyond(span: string, limit: number, spent: number): SvcdError {
  const used = spent === 0 ? '' : `; spent: ${spent}`;
  return new SvcdError('key_limit_exceeded', `This Key has a limit of ${limit} for ${span}${used}.`, {
    hint: 'The owner of the Key sets its limits.',
  });
}
