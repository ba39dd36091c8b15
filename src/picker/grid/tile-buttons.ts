// What the keys and clicks of the grid do, and the choice of several stickers by them. Each row of keys.ts for the grid has its
// act here, or it does not compile.

import type { Tile } from '../../api/tile.js';
import { messageOf } from '../api.js';
import { type DoesIn, doesKey } from '../keys.js';
import { toggleAmongAll } from '../player/governor.js';
import { toggleCell } from '../player/stills.js';
import { buying, change, choose, chosen, openList, ranges, say, sayToStay, settings, view } from '../store.js';
import { number, words } from '../words/words.js';
import { TILES_ASKED } from './ranges.js';
import type { Cell } from './tile.js';

export interface Place {
  readonly index: number;
  /** Where the focus was before. */
  readonly from: number;
  readonly tile: Tile;
  readonly cell: Cell | undefined;
}

/** What is done by code that is loaded late (tile-commands.ts). */
export interface TileCommands {
  /** A way out of the page; without a name the one that was chosen last. What has to be bought first is offered. */
  take(this: void, id: 'preset' | 'save' | 'folder' | 'menu' | undefined, tile: Tile): void;
  toggleIn(this: void, collection: string, tile: Tile): void;
  showRelated(this: void): void;
  /** To the same thing in another style. */
  step(this: void, tile: Tile, by: 1 | -1): void;
}

let loadCommands: (() => Promise<TileCommands>) | undefined;

/** Told by the page when it begins. */
export function setTileCommands(how: () => Promise<TileCommands>): void {
  loadCommands = how;
}

/** Does it as soon as its code is there. */
function commandTile(command: (commands: TileCommands) => void): void {
  void loadCommands?.().then(command);
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
    if (!repeat) commandTile((late) => late.take(undefined, tile));
  },
  play: ({ cell }) => {
    if (cell !== undefined && settings.motion.value === 'view') toggleAmongAll(cell);
    else toggleCell(cell);
  },
  details: ({ tile }) => openDetails(tile),
  choose: ({ index, tile }) => toggle(index, tile),
  extend: ({ index, from }) => void extendTo(index, from),
  chooseAll: () => void chooseAll(),
  favourite: ({ tile }) => commandTile((late) => late.toggleIn('favourites', tile)),
  want: ({ tile }) => commandTile((late) => late.toggleIn('wanted', tile)),
  copyPreset: ({ tile }) => commandTile((late) => late.take('preset', tile)),
  save: ({ tile }) => commandTile((late) => late.take('save', tile)),
  folder: ({ tile }) => commandTile((late) => late.take('folder', tile)),
  exports: ({ tile }) => commandTile((late) => late.take('menu', tile)),
  related: ({ tile }) => {
    // They may show another style of it.
    if (view.value.preset === '') openDetails(tile);
    commandTile((late) => late.showRelated());
  },
  nextVariant: ({ tile }) => commandTile((late) => late.step(tile, 1)),
  previousVariant: ({ tile }) => commandTile((late) => late.step(tile, -1)),
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
  if (tile.price === 0) commandTile((late) => late.take(undefined, tile));
  // A second dialog about it would offer to buy it again.
  else if (buying.peek().has(tile.preset)) say(words.value.purchase.under_way);
  else openList('buy', [tile.preset]);
}

function openDetails({ preset }: Tile): void {
  if (view.value.preset !== preset) change({ preset }, view.value.preset === '' ? 'push' : 'replace');
}

/** Where the range began, and what was chosen before it. */
let from: { readonly index: number; readonly before: ReadonlyMap<string, Tile> } | undefined;
/** Only the newest range counts: an older answer may come later. */
let newest = 0;

/** Chooses one, or no longer; a range goes from here. */
function toggle(index: number, tile: Tile): void {
  newest += 1;
  choose([tile], !chosen.value.has(tile.preset));
  from = { index, before: chosen.value };
}

function endRange(): void {
  from = undefined;
}

/** Chooses from where the range began to this place, and nothing of the range as it was before. */
async function extendTo(index: number, start: number): Promise<void> {
  from ??= { index: start, before: chosen.value };
  const { index: anchor, before } = from;
  await chooseRange(Math.min(anchor, index), Math.max(anchor, index) + 1, before);
}

/** Chooses the whole list. */
async function chooseAll(): Promise<void> {
  from = undefined;
  await chooseRange(0, ranges.total, chosen.value);
}

async function chooseRange(first: number, end: number, before: ReadonlyMap<string, Tile>): Promise<void> {
  const mine = (newest += 1);
  const text = words.value;
  if (end - first > TILES_ASKED) say(text.choosing);
  try {
    const tiles = await ranges.between(first, end);
    if (mine !== newest || tiles === undefined) return;
    const next = new Map(before);
    for (const tile of tiles) next.set(tile.preset, tile);
    chosen.value = next;
    if (end - first > TILES_ASKED) say(text.chosenMany(number(next.size)));
  } catch (error) {
    sayToStay(text.failed(messageOf(error)));
  }
}
