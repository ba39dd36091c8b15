// Budgets: limits on the credits of whoever pays, per request, day and month, or for good. What is under way or unknown
// counts as spent, because it may be. Every database keeps them in one table, and judges by the one rule here.

import { SvcdError } from '../model/errors.js';
import { payerOfMachine } from '../auth/live-machines.js';
import type { Machine } from '../model/spender.js';
import type { SpentCredits, TokenLimits } from '../auth/token-store.js';

export const PERIODS = ['request', 'day', 'month'] as const;

export type Period = (typeof PERIODS)[number];

/** What all together pay has no end; what a token or a project pays may have one. */
export const LIMIT_PERIODS = [...PERIODS, 'total'] as const;

export type LimitPeriod = (typeof LIMIT_PERIODS)[number];

/** A row of the table of limits, with what its payer took of it in the present period: nothing of a limit per request. */
export interface Limit {
  /** `all`, `token:7`, `project:promo`, `user:ann` or `machine:3`. */
  readonly payer: string;
  readonly period: LimitPeriod;
  readonly credits: number;
  readonly spent: number;
  readonly reserved: number;
}

export interface BudgetState {
  readonly period: Period;
  /** Credits; null when there is no limit. */
  readonly limit: number | null;
  /** Credits spent or reserved in the present period; null for `request`. */
  readonly spent: number | null;
}

/** The budgets of a home or hub as people see and set them. */
export interface Budget {
  show(): Promise<BudgetState[]>;
  /** Sets a limit in credits; null removes it. */
  set(period: Period, limit: number | null): Promise<void>;
}

/** Of all together; `spent` is what they took. */
export function statesOf(limits: readonly Limit[], spent: SpentCredits): BudgetState[] {
  return PERIODS.map((period) => {
    const limit = limits.find((one) => one.payer === ALL_PAYERS && one.period === period)?.credits ?? null;
    return { period, limit, spent: period === 'request' ? null : spent[period] };
  });
}

/** What is about to be reserved, or was. */
export interface Charge {
  /** Credits. */
  readonly price: number;
  /** Whose limits bound it, as `payersOf` names them. */
  readonly payers: readonly string[];
  /** What the same request reserved before. */
  readonly taken?: number;
}

/** A token that has not ended. */
export interface LiveToken {
  readonly name: string;
  readonly limits: TokenLimits;
}

/**
 * Throws `budget` for the first limit that a charge goes over, in the order of its payers and from a request to for good;
 * `counted` is what the limits hold of the charge already, `nameOf` what a token is called.
 */
export function requireWithin(
  limits: readonly Limit[],
  { price, payers, taken = 0 }: Charge,
  counted: number,
  nameOf: (payer: string) => string | undefined,
): void {
  const inOrder = payers.flatMap((payer) =>
    LIMIT_PERIODS.flatMap((period) => limits.filter((one) => one.payer === payer && one.period === period)),
  );
  for (const limit of inOrder) {
    const already = limit.period === 'request' ? taken : limit.spent + limit.reserved - counted;
    if (already + price > limit.credits) throw exceeded(payers, limit, already, price, nameOf(limit.payer));
  }
}

/** Says which limit of which payer another price would go over, and where that is raised. */
function exceeded(
  payers: readonly string[],
  { payer, period, credits }: Limit,
  already: number,
  price: number,
  token: string | undefined,
): SvcdError {
  const used = already === 0 && period === 'request' ? '' : ` (${already} spent or reserved)`;
  const ofHub = payers.some((one) => /^(project|user|machine):/.test(one));
  const name = token === undefined ? payer.replace(':', ' ') : `the token ${JSON.stringify(token)}`;
  const whose = payer !== ALL_PAYERS ? ` of ${name}` : ofHub ? ' of all projects together' : '';
  const per = period === 'total' ? '' : ` per ${period}`;
  return new SvcdError('budget', `the budget${whose}${per} is ${inCredits(credits)}${used}, and this costs ${price}`, {
    hint:
      token !== undefined
        ? OF_TOKENS
        : ofHub
          ? `On the hub: "svcd hub budget set ${payer} --${period} N".`
          : hintForHome(period),
  });
}

const OF_TOKENS = '"svcd token list" shows the limits of every token; they were set when it was made.';

function hintForHome(period: LimitPeriod): string {
  return period === 'request'
    ? `Raise it with "svcd budget set --${period} N".`
    : `Raise it with "svcd budget set --${period} N", or wait for the next ${period}.`;
}

function inCredits(amount: number): string {
  return amount === 1 ? '1 credit' : `${amount} credits`;
}

export function tokenRevoked(): SvcdError {
  return new SvcdError('invalid_token', 'the token was revoked');
}

/** Credits a day. */
export const FIRST_DAY_LIMIT = 100;

/** What it means, for a person. */
export const FIRST_BUDGET_WORDS =
  `svcd spends at most ${FIRST_DAY_LIMIT} credits a day with this home's first Key; ` +
  '"svcd budget set --day N" changes that, "svcd budget set --day none" removes it';

export interface FirstBudget {
  /**
   * Sets the limit per day if this is the first real Key of the home, and the user has neither set budgets nor bought
   * with it. Once for each home: a limit that was removed stays removed. True when it is set now.
   */
  give(keyId: string): boolean;
  /** Whether none was given yet, nor refused: the first real Key will bring one. */
  isDue(): boolean;
  /** The user has decided about budgets: none will be given. */
  end(): void;
}

/** Whose budgets a purchase takes from: written down with it, so that its end is booked where its price was reserved. */
interface Payer {
  readonly tokenId?: number | undefined;
  readonly machine?: Machine | undefined;
  readonly project?: string | undefined;
}

/**
 * The payers of an order: all together, then the token, or the project, the user and the machine of a hub. With a Key of its
 * own a machine is bound by nothing but whether it may still buy.
 */
export function payersOf({ tokenId, machine, project }: Payer): string[] {
  if (machine?.hasOwnKey === true) return [payerOfMachine(machine.id)];
  return [
    ALL_PAYERS,
    ...(tokenId === undefined ? [] : [payerOfToken(tokenId)]),
    ...(machine === undefined ? [] : payersOfMachine(machine)),
    ...(project === undefined ? [] : [`project:${project}`]),
  ];
}

/** The payers of what a machine of a hub asks for, besides all together. */
export function payersOfMachine({ id, project, user }: Machine): string[] {
  return [`project:${project}`, ...(user === undefined ? [] : [`user:${user}`]), payerOfMachine(id)];
}

/** Who pays for whatever this home or hub buys. */
export const ALL_PAYERS = 'all';

/** The payer that a further token is. */
export function payerOfToken(tokenId: number): string {
  return `token:${tokenId}`;
}

/** The number of the token that a payer is; undefined for any other payer. */
export function tokenOfPayer(payer: string): number | undefined {
  const number = /^token:(\d+)$/.exec(payer)?.[1];
  return number === undefined ? undefined : Number(number);
}
