// Waiting: passed in, so that a test need not wait; and waiting no longer than some time.

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

/** The result, or undefined when it takes longer than `ms`; the work itself goes on. */
export async function within<T>(ms: number, work: Promise<T>, wait: Sleep = sleep): Promise<T | undefined> {
  const over = new AbortController();
  try {
    return await Promise.race([work, wait(ms, { signal: over.signal }).then(() => undefined)]);
  } finally {
    over.abort();
  }
}
