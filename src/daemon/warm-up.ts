// Soon after a daemon has begun to listen, reads the tables and runs the code that the first requests need: in steps, so
// that a request meanwhile waits for one step at most. A long text, which would block other requests while the code is
// cold, waits for the steps about texts.

import type { ListTiles } from '../operations/page/list-tiles.js';
import type { Finders } from '../operations/search/search.js';
import type { TilesRequest } from '../api/tile.js';
import type { Log } from '../platform/log.js';

// Later than the first answer, which should not wait for it.
const WARM_UP_AFTER_MS = 50;
/** Cold code reads a text of so many characters in a few milliseconds. */
const SHORT_COPY = 100;

export interface WarmUp {
  /** Begins in a moment. */
  beginLater(): void;
  /** Begins at once; resolves when the steps about texts are over. Undefined when they are over already. */
  untilCopies(): Promise<void> | undefined;
  /** No further step is taken. */
  stop(): void;
}

type Steps = () => Iterable<void>;

/** Takes these steps once. A step that fails ends it: the next request meets the same error and reports it. */
export function createWarmUp(copies: Steps, rest: Steps, log: Log): WarmUp {
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
    beginLater: () => void (timer = setTimeout(begin, WARM_UP_AFTER_MS).unref()),
    untilCopies: () => {
      if (isReady) return undefined;
      begin();
      return ready;
    },
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

/** The same finders, of which match lets a long copy wait until all is warm. */
export function lettingLongCopiesWait(finders: Finders, untilWarm: () => Promise<void> | undefined): Finders {
  return {
    ...finders,
    match: (request, spender) => {
      const warm = (request.text?.length ?? 0) > SHORT_COPY ? untilWarm() : undefined;
      return warm === undefined ? finders.match(request, spender) : warm.then(() => finders.match(request, spender));
    },
  };
}

/** What people type, of each kind that needs code of its own. */
const TYPED = [
  'xingxing',
  '圣诞节快乐',
  '气球派对',
  'christmas tree',
  '红包',
  'aixin',
  '咖啡',
  'flower',
  '一只猫咪',
  'jiayou',
];
/** The page has shown its first tiles by then, and nobody has typed yet. */
const TYPE_AFTER_MS = 400;
/** So that what is really asked for comes in between. */
const TYPE_EVERY_MS = 20;

/**
 * The same list. Its first call, which opens the page, has words typed soon after, letter by letter, so that the first that a
 * person types do not meet cold code, which takes three times as long. Of a daemon whose page nobody opens it costs nothing.
 */
export function typeAhead(listTiles: ListTiles): ListTiles {
  let isBegun = false;
  const begin = (request: TilesRequest): void => {
    isBegun = true;
    const queries = TYPED.flatMap((word) => Array.from(word, (_, at) => word.slice(0, at + 1))).values();
    const goOn = async (): Promise<void> => {
      const { value: q, done } = queries.next();
      if (done === true) return;
      try {
        await listTiles({ ...request, q, offset: 0, collection: undefined }, false);
      } catch {
        // The daemon closes; or the next request meets the same error, and reports it.
        return;
      }
      setTimeout(() => void goOn(), TYPE_EVERY_MS).unref();
    };
    setTimeout(() => void goOn(), TYPE_AFTER_MS).unref();
  };
  return (request, withCollections) => {
    if (!isBegun) begin(request);
    return listTiles(request, withCollections);
  };
}
