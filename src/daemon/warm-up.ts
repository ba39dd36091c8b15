// Reads, when a daemon has been up for a moment, what the first questions would wait for: a step at a time, so that
// whoever asks meanwhile waits for one step at most.

import type { Log } from '../log.js';

// Later than the first answer, which should not wait for it.
const WARM_UP_AFTER_MS = 2000;

/** Begins in a while; gives what stops it. */
export function warmUpLater(steps: () => Iterable<void>, log: Log): () => void {
  let isStopped = false;
  const timer = setTimeout(() => {
    const walk = steps()[Symbol.iterator]();
    const goOn = (): void => {
      if (isStopped) return;
      try {
        if (walk.next().done !== true) setImmediate(goOn);
      } catch (error) {
        // Whoever asks next meets the same, and is told.
        log.warn('not warmed up', { why: (error as Error).message });
      }
    };
    goOn();
  }, WARM_UP_AFTER_MS);
  timer.unref();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
