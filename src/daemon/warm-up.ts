// Soon after a daemon has begun to listen, reads the tables and runs the code that the first requests need: in steps, so
// that a request meanwhile waits for one step at most.

import type { Log } from '../platform/log.js';

// Later than the first answer, which should not wait for it.
const WARM_UP_AFTER_MS = 50;

export type WarmUp = ReturnType<typeof createWarmUp>;

type Steps = () => Iterable<void>;

/** Takes these steps once. A step that fails ends it: the next request meets the same error and reports it. */
export function createWarmUp(copies: Steps, rest: Steps, log: Log) {
  let isBegun = false;
  let isStopped = false;
  let isReady = false;
  let timer: NodeJS.Timeout | undefined;
  let tell = (): void => undefined;
  const ready = new Promise<void>((resolve) => (tell = resolve));
  const letCopiesIn = (): void => {
    isReady = true;
    tell();
  };
  const stop = (): void => {
    isStopped = true;
    clearTimeout(timer);
    letCopiesIn();
  };
  const begin = (): void => {
    if (isBegun || isStopped) return;
    isBegun = true;
    const walk = inOrder(copies, letCopiesIn, rest)[Symbol.iterator]();
    const goOn = (): void => {
      if (isStopped) return;
      try {
        if (walk.next().done !== true) setImmediate(goOn);
      } catch (error) {
        log.warn('not warmed up', { why: (error as Error).message });
        stop();
      }
    };
    setImmediate(goOn);
  };
  return {
    /** Begins in a moment. */
    beginLater: (): void => void (timer = setTimeout(begin, WARM_UP_AFTER_MS).unref()),
    /** Begins at once; resolves when the steps about texts are over. Undefined when they are over already. */
    untilCopies: (): Promise<void> | undefined => {
      if (isReady) return undefined;
      begin();
      return ready;
    },
    /** No further step is taken. */
    stop,
  };
}

function* inOrder(copies: Steps, between: () => void, rest: Steps): Iterable<void> {
  yield* copies();
  between();
  // Who waited comes first.
  yield;
  yield* rest();
}
