// The grid in the page: joins the bare elements of grid.ts to the list and to what draws.

import { useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Tile } from '../../api/tile.js';
import { drawCells, playCell } from '../player/stills.js';
import { buying, change, choose, chosen, focused, openList, ranges, settings, SIZES, watchList } from '../store.js';
import { lang, words } from '../words/words.js';
import { Grid } from './grid.js';

let grid: Grid | undefined;

/** Puts the focus on the grid's tab stop. */
export function focusGrid(): void {
  grid?.focus(grid.focusedIndex, { take: true });
}

export function GridView() {
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (scroller.current === null) return undefined;
    const made = new Grid(
      scroller.current,
      {
        total: () => ranges.total,
        at: (index) => ranges.at(index),
        isChosen: (preset) => chosen.peek().has(preset),
        buying: (preset) => buying.peek().get(preset),
      },
      {
        needs: (first, end) => ranges.want(first, end),
        drawn: drawCells,
        focused: (index, tile) => {
          focused.value = tile;
          playCell(made.cellAt(index));
        },
        acted: (event, index, tile) => act(event, index, tile),
      },
    );
    grid = made;
    const stop = watchList((event) => {
      if (event === 'begun') made.refresh({ toTop: true });
      else made.update(event.first, event.end);
    });
    made.refresh();
    return () => {
      stop();
      made.close();
      grid = undefined;
    };
  }, []);
  useSignalEffect(() => grid?.refresh({ cell: SIZES[settings.size.value] }));
  useSignalEffect(() => {
    // Names are written in the language that is chosen.
    void lang.value;
    void chosen.value;
    void buying.value;
    grid?.update();
  });
  return (
    <div
      ref={scroller}
      class="grid"
      aria-label={words.value.stickers}
      aria-multiselectable="true"
      onPointerOver={(event) => playCell(grid?.cellOf(event.target))}
      onPointerLeave={() => playCell(undefined)}
    />
  );
}

function act(event: KeyboardEvent | MouseEvent, _index: number, tile: Tile | undefined): void {
  if (tile === undefined) return;
  if (event instanceof KeyboardEvent) {
    if (event.key === 'x' || event.key === 'X') choose([tile], !chosen.value.has(tile.preset));
    const isPlain = !event.repeat && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (event.key === 'Enter' && isPlain && tile.price > 0) {
      event.preventDefault();
      openList('buy', [tile.preset]);
    }
    return;
  }
  if (event.shiftKey) choose([tile], true);
  else change({ preset: tile.preset }, 'push');
}
