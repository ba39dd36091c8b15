// What the keys and clicks of the grid do. Each row of keys.ts for the grid has its act here, or it does not compile.

import type { Tile } from '../../api/tile.js';
import { type DoesIn, doesKey } from '../keys.js';
import { lateAct } from '../late-acts.js';
import { toggleAmongAll } from '../player/governor.js';
import { toggleCell } from '../player/stills.js';
import { buying, change, openList, say, settings, view } from '../store.js';
import { words } from '../words/words.js';
import { chooseAll, endRange, extendTo, toggle } from './choice.js';
import type { Cell } from './tile.js';

export interface Place {
  readonly index: number;
  /** Where the focus was before. */
  readonly from: number;
  readonly tile: Tile;
  readonly cell: Cell | undefined;
}

type Act = (place: Place, event: KeyboardEvent) => void;
/** The grid itself moves the focus. */
const moved: Act = () => endRange();

const ACTS: Readonly<Record<DoesIn<'grid'>, Act>> = {
  move: moved,
  rowEnds: moved,
  ends: moved,
  page: moved,
  take: ({ tile }, { repeat }) => {
    if (!repeat) lateAct((acts) => acts.take(undefined, tile));
  },
  play: ({ cell }) => {
    if (cell !== undefined && settings.motion.value === 'view') toggleAmongAll(cell);
    else toggleCell(cell);
  },
  details: ({ tile }) => openDetails(tile),
  choose: ({ index, tile }) => toggle(index, tile),
  extend: ({ index, from }) => void extendTo(index, from),
  chooseAll: () => void chooseAll(),
  favourite: ({ tile }) => lateAct((acts) => acts.toggleIn('favourites', tile)),
  want: ({ tile }) => lateAct((acts) => acts.toggleIn('wanted', tile)),
  copyPreset: ({ tile }) => lateAct((acts) => acts.take('preset', tile)),
  save: ({ tile }) => lateAct((acts) => acts.take('save', tile)),
  folder: ({ tile }) => lateAct((acts) => acts.take('folder', tile)),
  exports: ({ tile }) => lateAct((acts) => acts.take('menu', tile)),
  related: ({ tile }) => {
    // They may show another style of it.
    if (view.value.preset === '') openDetails(tile);
    lateAct((acts) => acts.showRelated());
  },
  nextVariant: ({ tile }) => lateAct((acts) => acts.step(tile, 1)),
  previousVariant: ({ tile }) => lateAct((acts) => acts.step(tile, -1)),
};

/** A key in the grid; answers whether it was one of the table. */
export function onGridKey(event: KeyboardEvent, place: Place): void {
  const does = doesKey(event, 'grid', settings.letters.value);
  if (does === undefined) return;
  event.preventDefault();
  ACTS[does](place, event);
}

export function onGridClick(event: MouseEvent, { index, from, tile }: Place): void {
  if (event.type === 'dblclick') return take(tile);
  if (event.shiftKey) return void extendTo(index, from);
  if (event.ctrlKey || event.metaKey) return toggle(index, tile);
  endRange();
  openDetails(tile);
}

/** What is owned is exported as it was last; the rest is offered to be bought. */
export function take(tile: Tile): void {
  if (tile.price === 0) lateAct((acts) => acts.take(undefined, tile));
  // A second dialog about it would offer to buy it again.
  else if (buying.peek().has(tile.preset)) say(words.value.purchase.under_way);
  else openList('buy', [tile.preset]);
}

function openDetails({ preset }: Tile): void {
  if (view.value.preset !== preset) change({ preset }, view.value.preset === '' ? 'push' : 'replace');
}
