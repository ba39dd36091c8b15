// What waits while code is cold: a long copy until all is warm, which would block other requests meanwhile; and the words that a
// person types into the page, of which the first are typed beforehand.

import type { TilesRequest } from '../../api/tile.js';
import type { ListTiles } from '../page/list-tiles.js';
import type { Finders } from './search.js';

/** Cold code reads a text of so many characters in a few milliseconds. */
const SHORT_COPY = 100;

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
