// How long one call waits: its deadline, the caller's signal, and the pauses between attempts.

import { invalidArgument, SvcdError } from './svcd-error.js';

export interface Patience {
  /** Ends everything that is waited for; its reason is a SvcdError. */
  readonly signal: AbortSignal;
  leftMs(): number;
  /** What the work gives, unless the patience ends first. */
  race<T>(work: Promise<T>): Promise<T>;
  sleep(ms: number): Promise<void>;
  /** Closes what is still open. */
  end(): void;
}

export function createPatience(deadlineMs: number, signals: readonly (AbortSignal | undefined)[]): Patience {
  if (!(deadlineMs > 0)) throw invalidArgument(`deadlineMs must be more than 0, got ${deadlineMs}`);
  const begunAt = performance.now();
  const controller = new AbortController();
  const { signal } = controller;
  const late = () => controller.abort(new SvcdError('timeout', `svcd did not answer within ${deadlineMs / 1000} s`));
  // A timer takes 31 bits; nobody waits for 24 days.
  const timer = deadlineMs < 2 ** 31 ? setTimeout(late, deadlineMs) : undefined;
  const given = signals.filter((one) => one !== undefined);
  const interrupt = () => {
    const cause: unknown = given.find(({ aborted }) => aborted)?.reason;
    controller.abort(new SvcdError('interrupted', 'the caller waits no longer', { cause }));
  };
  for (const one of given) one.addEventListener('abort', interrupt);
  if (given.some(({ aborted }) => aborted)) interrupt();

  const race = <T>(work: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const stop = () => reject(signal.reason as Error);
      if (signal.aborted) stop();
      signal.addEventListener('abort', stop);
      work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    });

  return {
    signal,
    leftMs: () => deadlineMs - (performance.now() - begunAt),
    race,
    sleep: async (ms) => {
      let pause: ReturnType<typeof setTimeout> | undefined;
      try {
        await race(new Promise<void>((resolve) => (pause = setTimeout(resolve, ms))));
      } finally {
        clearTimeout(pause);
      }
    },
    end: () => {
      clearTimeout(timer);
      for (const one of given) one.removeEventListener('abort', interrupt);
      controller.abort();
    },
  };
}
