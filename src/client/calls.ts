// What every call has in common: its patience, who is asked, and when it is sent again.

import type { CallOptions, ConnectOptions } from './client-types.js';
import { exchange, jsonWith, type Fetch, type Question, type Target } from './exchange.js';
import type { Locator } from './locate.js';
import { createPatience, type Patience } from './patience.js';
import { createRetry, type Kind } from './retry.js';
import { isSvcdError, LostConnection } from './svcd-error.js';

/** What a client is made of. */
export interface Parts {
  readonly options: ConnectOptions;
  readonly fetch: Fetch;
  readonly locator: Locator;
  /** Does the work with the service itself, where that may be asked without svcd. */
  readonly askService?: (<T>(patience: Patience, work: (target: Target) => Promise<T>) => Promise<T>) | undefined;
}

/** Does the work within the call's patience. */
export async function within<T>(
  { options }: Parts,
  call: CallOptions | undefined,
  usualMs: number,
  work: (patience: Patience) => Promise<T>,
): Promise<T> {
  const deadlineMs = call?.deadlineMs ?? options.deadlineMs ?? usualMs;
  const patience = createPatience(deadlineMs, [call?.signal, options.signal]);
  try {
    return await work(patience);
  } finally {
    patience.end();
  }
}

/** Sends until an answer comes or nothing more may be sent; `kindAt` says what sending it again may cost there. */
export async function sendAgain<T>(
  locator: Locator,
  patience: Patience,
  kindAt: (target: Target) => Kind,
  work: (target: Target) => Promise<T>,
): Promise<T> {
  const beforeNext = createRetry(patience);
  for (;;) {
    // Until somebody is found, nothing was sent.
    let kind: Kind = 'free';
    try {
      const target = await locator.locate(patience);
      kind = kindAt(target);
      return await work(target);
    } catch (error) {
      // It may be elsewhere by now, or have another token.
      if (error instanceof LostConnection || isSvcdError(error, 'invalid_token', 'timeout')) locator.forget();
      await beforeNext(error, kind);
    }
  }
}

/** The JSON of an answer that costs nothing, with a list of this name in it, if one is named. */
export function askFree<T>(
  parts: Parts,
  call: CallOptions | undefined,
  question: Question,
  list: string | undefined,
): Promise<T> {
  return within(parts, call, 60_000, (patience) =>
    sendAgain(
      parts.locator,
      patience,
      () => 'free',
      async (target) => jsonWith(list, await exchange(parts.fetch, target, question, patience), target) as T,
    ),
  );
}
