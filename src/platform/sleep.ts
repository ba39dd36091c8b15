// Waiting, passed in wherever something waits, so that a test need not.

export interface SleepOptions {
  /** Ends the waiting early. */
  readonly signal?: AbortSignal;
  /** False for what must not keep the process alive. */
  readonly ref?: boolean;
}

/** Resolves after `ms`, or as soon as the signal aborts; never rejects. */
export type Sleep = (ms: number, options?: SleepOptions) => Promise<void>;

/** Sleeps by the system's timer. */
export const sleep: Sleep = (ms, { signal, ref = true } = {}) =>
  new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (!ref) timer.unref();
    signal?.addEventListener('abort', end);
  });
