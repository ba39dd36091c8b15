// How long one call waits: its deadline, the caller's signal, and the pauses between attempts.

import { invalidArgument, SvcdError } from './svcd-error.js';

export interface Patience {
  /** Ends everything that is waited for; its reason is a SvcdError. */
  readonly signal: AbortSignal;
  leftMs(): number;
  /** From now on it lasts this long. */
  renew(ms: number): void;
  /** What the work gives, unless the patience ends first. */
  orEnd<T>(work: Promise<T>): Promise<T>;
  sleep(ms: number): Promise<void>;
  /** Closes what is still open. */
  end(): void;
}

/** Throws `invalid_argument`. */
export function checkDeadline(deadlineMs = 1): void {
  if (!(deadlineMs > 0)) throw invalidArgument('deadlineMs', 'more than 0', deadlineMs);
}

export function createPatience(deadlineMs: number, signals: readonly (AbortSignal | undefined)[]): Patience {
  checkDeadline(deadlineMs);
  let endsAt: number;
  const controller = new AbortController();
  const { signal } = controller;
  const ended = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
  // It may end while nothing is orEndd.
  ended.catch(() => undefined);
  const orEnd = <T>(work: Promise<T>): Promise<T> => Promise.race([work, ended]);
  let pause: ReturnType<typeof setTimeout> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const renew = (ms: number) => {
    clearTimeout(timer);
    endsAt = performance.now() + ms;
    const late = () => controller.abort(new SvcdError('timeout', `svcd did not answer within ${ms / 1000} s`));
    // A timer takes 31 bits; nobody waits for 24 days.
    if (ms < 2 ** 31) timer = setTimeout(late, ms);
  };
  renew(deadlineMs);
  const given = signals.filter((one) => !!one);
  const interrupt = () => {
    const cause: unknown = given.find(({ aborted }) => aborted)?.reason;
    controller.abort(new SvcdError('interrupted', 'the caller waits no longer', { cause }));
  };
  for (const one of given) {
    one.addEventListener('abort', interrupt);
    if (one.aborted) interrupt();
  }

  return {
    signal,
    leftMs: () => endsAt - performance.now(),
    renew,
    orEnd,
    sleep: (ms) => orEnd(new Promise((resolve) => (pause = setTimeout(resolve, ms)))),
    end: () => {
      clearTimeout(timer);
      clearTimeout(pause);
      for (const one of given) one.removeEventListener('abort', interrupt);
      controller.abort();
    },
  };
}
