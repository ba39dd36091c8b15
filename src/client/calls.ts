// What every call has in common: its patience, who is asked, and when it is sent again.

import type { CallOptions, ConnectOptions } from './client-types.js';
import { exchange, jsonOf, type Answer, type Fetch, type Question, type Target } from './exchange.js';
import type { Locator } from './locate.js';
import type { LockedFiles } from './locked-files.js';
import { createPatience, type Patience } from './patience.js';
import { createRetry, type Kind } from './retry.js';
import { isSvcdError, LostConnection } from './svcd-error.js';

/** What a client is made of. */
export interface Parts {
  readonly options: ConnectOptions;
  readonly fetch: Fetch;
  readonly locator: Locator;
  /** The service itself, where it may be asked without svcd. */
  readonly service: Target | undefined;
  readonly locked: LockedFiles | undefined;
}

const DEADLINE_MS = 60_000;

/** Does the work within the call's patience. */
export async function within<T>(
  { options }: Parts,
  call: CallOptions,
  work: (patience: Patience) => Promise<T>,
  usualMs = DEADLINE_MS,
): Promise<T> {
  const patience = patienceOf(options, call, usualMs);
  try {
    return await work(patience);
  } finally {
    patience.end();
  }
}

export function patienceOf(options: ConnectOptions, call: CallOptions, usualMs: number): Patience {
  return createPatience(call.deadlineMs ?? options.deadlineMs ?? usualMs, [call.signal, options.signal]);
}

/** Sends until an answer comes or nothing more may be sent; `kindAt` says what sending it again may cost there. */
export async function sendAgain<T>(
  { locator }: Parts,
  patience: Patience,
  kindAt: (target: Target) => Kind,
  work: (target: Target) => Promise<T>,
): Promise<T> {
  const beforeNext = createRetry(patience);
  // Until somebody is found, nothing was sent.
  let kind: Kind = 'free';
  for (;;) {
    try {
      const target = await locator.locate(patience);
      // What may have been charged elsewhere is not sent to another kind of server.
      kind = kindAt(target);
      return await work(target);
    } catch (error) {
      // It may be elsewhere, or have another token.
      if (error instanceof LostConnection || isSvcdError(error, 'invalid_token', 'timeout')) locator.forget();
      await beforeNext(error, kind);
    }
  }
}

/** The JSON of an answer that costs nothing. */
export async function askFree<T>(parts: Parts, call: CallOptions, question: Question): Promise<T> {
  return within(parts, call, (patience) =>
    sendAgain(
      parts,
      patience,
      () => 'free',
      async (target) => jsonOf<T>(await exchange(parts.fetch, target, question, patience), target),
    ),
  );
}

/** What the headers of an answer say of an asset. */
export function creditOf({ headers }: Pick<Answer, 'headers'>) {
  const remaining = headers.get('x-service-credits-remaining');
  const attribution = headers.get('x-svcd-attribution');
  return {
    balance: remaining === null || Number.isNaN(Number(remaining)) ? undefined : Number(remaining),
    attribution: attribution === null ? undefined : decodeURIComponent(attribution),
    warnings: headers.get('x-svcd-warning')?.split(', ') ?? [],
  };
}
