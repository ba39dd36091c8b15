// Who says yes: a person, by a form that the host shows, or beforehand by --budget. What a model says is never a person's yes.

import { randomBytes } from 'node:crypto';
import type { Plan } from '../api/plan.js';
import { type Clock, systemClock } from '../platform/clock.js';
import { type Asker, refusalIn } from '../video/apply/asker.js';
import { cut, Question, type Call, type World } from './tool.js';

/** A form that was shown. */
export interface Shown {
  readonly tool: string;
  /** Digest of the arguments that it was about. */
  readonly args: string;
  readonly cost: number;
}

const LIFE_MS = 120_000;
const SHOWN_MAX = 100;

/** Forms that wait for their answer: each has a name that cannot be guessed, of this process, good once and for two minutes. */
export function createConsents(clock: Pick<Clock, 'monotonic'> = systemClock) {
  const shown = new Map<string, Shown & { readonly until: number }>();
  return {
    open: (form: Shown): string => {
      const name = randomBytes(24).toString('base64url');
      shown.set(name, { ...form, until: clock.monotonic() + LIFE_MS });
      for (const old of shown.keys()) if (shown.size > SHOWN_MAX) shown.delete(old);
      return name;
    },
    /** Throws for one that was forged, used, or is too old. */
    take: (name: string): Shown => {
      const form = shown.get(name);
      shown.delete(name);
      if (form === undefined || clock.monotonic() > form.until) throw new Error('no form of that name waits');
      return form;
    },
  };
}

type Left = NonNullable<Plan['left']>;
const LIMITS = ['request', 'day', 'month', 'token', 'account'] as const satisfies readonly (keyof Left)[];

export interface Proposal {
  readonly cost: number;
  /** What `max_credits` says. */
  readonly most: number;
  /** Of what costs something. */
  readonly things: readonly string[];
  readonly left: Plan['left'];
  /** What could be paid, where not all can. */
  readonly wouldFit?: readonly string[];
}

/**
 * Lets a purchase go on. Throws `budget` with the figures, `needs_consent` where nobody agreed and nobody can be asked, and
 * the question that is to be asked.
 */
export function requireYes(proposal: Proposal, { budget, words, origin }: World, { yes, canAsk }: Call): void {
  const { cost, most, things, left, wouldFit = [] } = proposal;
  const price = `it costs ${cost} ${cost === 1 ? 'credit' : 'credits'} now`;
  const nothing = 'nothing was bought';
  if (cost > most) throw refusalIn([`${price}, and max_credits is ${most}; ${nothing}`, 'Ask the user.'], 'budget');
  if (cost === 0) return;
  const short = findShort(left, cost, budget);
  if (short !== undefined) {
    const fits = wouldFit.length > 0 ? `These would fit: ${wouldFit.join(', ')}.` : 'Ask the user.';
    throw refusalIn([`${price}, and ${left?.[short]} are left of the limit "${short}"; ${nothing}`, fits], 'budget');
  }
  if (yes !== undefined && cost <= yes.cost) return;
  if (canAsk) {
    const names = things.map((one) => cut(one, 60));
    const after = (now: number | null = null) => (now === null ? null : ([now, now - cost] as const));
    const lefts = [after(left?.account), after(budget === undefined ? null : left?.token)];
    throw new Question(words.buy(cost, names, lefts), cost);
  }
  if (budget !== undefined) return;
  const enough = Math.max(5, cost);
  const hint =
    origin === undefined
      ? `A person says yes beforehand, by what starts this server: svcd mcp --budget ${enough}`
      : `A person says yes beforehand, by a token with a budget for this host: svcd token add assistant --day ${enough}`;
  throw refusalIn([`${price}, and no person agreed to spend any; ${nothing}`, hint], 'needs_consent');
}

/** A limit that a price is over; that of the token is none where no person gave one beforehand and each is asked. */
export function findShort(left: Plan['left'], cost: number, budget: number | undefined) {
  const bounds = LIMITS.filter((name) => name !== 'token' || budget !== undefined);
  return bounds.find((name) => (left?.[name] ?? cost) < cost);
}

/** What is left of each limit now, as far as is known; what is uncertain counts as spent. */
export async function askLeft(asker: Asker): Promise<Plan['left']> {
  const { left } = await asker.ask<Plan>('POST', '/svcd/plan', { slots: [{ id: 'any', keywords: ['any'] }] });
  return left;
}

/** What a tool that spent says of it. */
export async function leftAfter({ asker, budget }: World) {
  const left = await askLeft(asker).catch(() => null);
  return { budget_left: budget === undefined ? null : left?.token, balance: left?.account };
}
