// Reads, soon after a daemon has begun to listen, what the first questions would wait for, and has the code run that they
// would find cold: a step at a time, so that whoever asks meanwhile waits for one step at most. A long copy, which would
// hold up everybody else while the code is cold, waits for the last of them.

import type { Finders } from '../actions/ask-when-it-helps.js';
import type { Log } from '../log.js';

// Later than the first answer, which should not wait for it.
const WARM_UP_AFTER_MS = 50;
/** So many characters are read in a few milliseconds by code that never ran. */
const SHORT_COPY = 100;

export interface WarmUp {
  /** Begins in a moment. */
  beginLater(): void;
  /** When it is over, one way or another, which is hurried on; undefined when it is. */
  untilDone(): Promise<void> | undefined;
  /** No further step is taken. */
  stop(): void;
}

/** Takes these steps once. One that fails ends it: whoever asks next meets the same, and is told. */
export function createWarmUp(steps: () => Iterable<void>, log: Log): WarmUp {
  let state: 'waiting' | 'under way' | 'over' = 'waiting';
  let timer: NodeJS.Timeout | undefined;
  let end = (): void => undefined;
  const done = new Promise<void>((resolve) => (end = resolve));
  const finish = (): void => {
    state = 'over';
    clearTimeout(timer);
    end();
  };
  const begin = (): void => {
    if (state !== 'waiting') return;
    state = 'under way';
    const walk = steps()[Symbol.iterator]();
    const goOn = (): void => {
      if (state === 'over') return;
      try {
        if (walk.next().done === true) finish();
        else setImmediate(goOn);
      } catch (error) {
        log.warn('not warmed up', { why: (error as Error).message });
        finish();
      }
    };
    setImmediate(goOn);
  };
  return {
    beginLater: () => void (timer = setTimeout(begin, WARM_UP_AFTER_MS).unref()),
    untilDone: () => {
      if (state === 'over') return undefined;
      begin();
      return done;
    },
    stop: finish,
  };
}

/** The same finders, of which match lets a long copy wait until all is warm. */
export function lettingLongCopiesWait(finders: Finders, untilWarm: () => Promise<void> | undefined): Finders {
  return {
    search: (query, spender) => finders.search(query, spender),
    match: (request, spender) => {
      const warm = (request.text?.length ?? 0) > SHORT_COPY ? untilWarm() : undefined;
      return warm === undefined
        ? finders.match(request, spender)
        : warm.then(() => finders.match(request, spender));
    },
  };
}
