// What keys of the grid do by code that is loaded late. They are about the tile with the focus; about all that is chosen,
// where it is one of these; about the style that the details show instead of it, where somebody went to another one.

import type { Tile } from '../api/tile.js';
import { toggleIn } from './collections.js';
import { run, runUsual } from './export/ways.js';
import type { TileCommands } from './grid/tile-buttons.js';
import { showRelated, step, styleShown } from './panels/details-body.js';
import { chosen, openList } from './store.js';

function concernedWith(tile: Tile): readonly Tile[] {
  const style = styleShown(tile);
  if (style !== undefined) return [style];
  return chosen.value.has(tile.preset) ? [...chosen.value.values()] : [tile];
}

const presetsOf = (tiles: readonly Tile[]): string[] => tiles.map(({ preset }) => preset);

const take: TileCommands['take'] = (id, tile) => {
  const tiles = concernedWith(tile);
  if (id === 'menu') return openList('take', presetsOf(tiles));
  if (id === 'preset') return void run(id, tiles);
  const costing = tiles.filter(({ price }) => price > 0);
  if (costing.length > 0) return openList('buy', presetsOf(costing));
  void (id === undefined ? runUsual(tiles) : run(id === 'save' && tiles.length > 1 ? 'zip' : id, tiles));
};

export const tileCommands: TileCommands = {
  take,
  toggleIn: (name, tile) => void toggleIn(name, concernedWith(tile)),
  showRelated,
  step: (tile, by) => void step(tile, by),
};
