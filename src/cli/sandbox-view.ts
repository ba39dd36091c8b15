// What the sandbox's control surface answers with, and how a person sees it.

import { counted, grouped, plain } from './output.js';

export interface AccountView {
  readonly name: string;
  readonly credits: number;
  readonly pending_credits: number;
  readonly email_verified: boolean;
  readonly invited_by: string | null;
  readonly keys: number;
  /** Told once, when the account is made. */
  readonly key?: string;
}

export interface KeyView {
  readonly id: number;
  /** The Key itself, told once, when it is made. */
  readonly key?: string;
  readonly masked: string;
  readonly account: string;
  readonly kind: string;
  readonly template: string | null;
  readonly state: string;
  readonly limits: Readonly<Record<'per_request' | 'daily' | 'monthly', number | null>>;
  readonly permissions: readonly string[];
}

export interface PaymentView {
  readonly id: string;
  readonly account: string;
  readonly kind: string;
  readonly template: string | null;
  readonly amount: string;
  readonly credits: number;
  readonly at: string;
  readonly anomaly: boolean;
  readonly verified: boolean;
  readonly refunded: boolean;
  readonly balance: number;
  readonly rewards: readonly {
    readonly account: string;
    readonly role: string;
    readonly credits: number;
    readonly state: string;
  }[];
}

export interface ClockView {
  readonly now: string;
  readonly ahead_ms: number;
}

export interface FaultView {
  readonly id: number;
  readonly kind: string;
  readonly path: string;
  readonly seen: number;
  readonly fired: number;
  readonly [part: string]: unknown;
}

/** A payment in one line, and each of its rewards in one. */
export function describePayment(payment: PaymentView): string[] {
  const { account, amount, credits, kind, template, balance } = payment;
  const what = kind === 'top_up' ? `for ${counted(credits, 'credit')}` : `for ${template ?? 'a template'}`;
  const ended = payment.refunded ? ', refunded' : '';
  return [
    plain(`${account} paid CNY ${amount} ${what}${ended}; ${counted(balance, 'credit')} to spend.`),
    ...payment.rewards.map(describeReward),
    `Payment ${payment.id}`,
  ];
}

/** The limits of a Key, as far as it has any. */
export function describeLimits({ limits }: KeyView): string {
  const told = [
    [limits.per_request, 'a request'],
    [limits.daily, 'a day'],
    [limits.monthly, 'a month'],
  ] as const;
  const set = told.filter(([credits]) => credits !== null);
  return set.length === 0
    ? 'no limits'
    : set.map(([credits, span]) => `${grouped(credits ?? 0)} ${span}`).join(', ');
}

function describeReward({ account, role, credits, state }: PaymentView['rewards'][number]): string {
  return plain(`  Reward of ${counted(credits, 'credit')} for ${account} (${role}): ${state}`);
}
