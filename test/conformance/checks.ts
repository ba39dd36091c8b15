// How a section states its checks: by the number of the sentence, with what it spends and what it needs.

import type { Control } from './control.js';
import type { Service } from './service.js';

export type Controlled = Service & { readonly control: Control };

export interface Check {
  /** Credits it spends of the Key's account, at most. */
  readonly spends: number;
  /** Needs a control of the service's state. */
  readonly controlled: boolean;
  /** The optional part of the sandbox it speaks of. */
  readonly extra?: 'music' | 'tasks';
  readonly run: (service: Controlled) => Promise<void>;
}

export type Checks = Readonly<Record<string, Check>>;

/** A check that anybody with a Key can make, and that costs nothing. */
export function free(run: (service: Service) => Promise<void>): Check {
  return { spends: 0, controlled: false, run };
}

/** A check that anybody with a Key and these credits can make. */
export function paid(credits: number, run: (service: Service) => Promise<void>): Check {
  return { spends: credits, controlled: false, run };
}

/** A check that moves the state behind the service. */
export function controlled(run: (service: Controlled) => Promise<void>): Check {
  return { spends: 0, controlled: true, run };
}

/** A check of what the document describes only, which a service may leave out. */
export function described(extra: 'music' | 'tasks', run: (service: Controlled) => Promise<void>): Check {
  return { spends: 0, controlled: true, extra, run };
}

/** The check of another sentence that says the same. */
export function sameAs(checks: Checks, number: string): Check {
  const check = checks[number];
  if (check === undefined) throw new Error(`There is no check ${number}.`);
  return check;
}
