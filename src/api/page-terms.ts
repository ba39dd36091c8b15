// Words that the page and the daemon share as values. Nothing is imported here: the page carries this file.

/** Orders of a list: `best` is that of search; `seen` is the newest in the library first; `hue` goes round the color wheel. */
export const TILE_ORDERS = ['best', 'title', 'seen', 'hue', 'length'] as const;
export type TileOrder = (typeof TILE_ORDERS)[number];

/** Collections that are always there; `recent` is kept by svcd: what was exported last, the newest first. */
export const USUAL_COLLECTIONS = ['favourites', 'wanted', 'recent'] as const;

/** The collection of those whose free drawing the user did not want: they show none. It is there once something is in it. */
export const NO_SKETCH = 'no-sketch';

/** What an event of GET /svcd/events says: that this changed; the page asks again for what it shows. */
export const PAGE_EVENTS = ['summary', 'owned', 'purchase', 'library', 'collections', 'projects'] as const;
export type PageEvent = (typeof PAGE_EVENTS)[number];

/** The page asks for so many tiles at once: as many as the daemon ranks at once, twice as many take it five times as long. */
export const TILE_RANGE = 50;
