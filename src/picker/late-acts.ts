// What keys of the grid do by code that is loaded late.

import type { Tile } from '../api/tile.js';

export interface LateActs {
  /** A way out of the page; without a name the one that was chosen last. What has to be bought first is offered. */
  take(this: void, id: 'preset' | 'save' | 'folder' | 'menu' | undefined, tile: Tile): void;
  toggleIn(this: void, collection: string, tile: Tile): void;
  showRelated(this: void): void;
  /** To the same thing in another style. */
  step(this: void, tile: Tile, by: 1 | -1): void;
}

let load: (() => Promise<LateActs>) | undefined;

/** Told by the page when it begins. */
export function setLateActs(how: () => Promise<LateActs>): void {
  load = how;
}

/** Does it as soon as its code is there. */
export function lateAct(act: (acts: LateActs) => void): void {
  void load?.().then(act);
}
