// The grid in the page: joins the bare elements of grid.ts to the list, to what draws and to what keys do.

import { computed, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { pictureOf } from '../api.js';
import { govern } from '../player/governor.js';
import { drawCells, playCell } from '../player/stills.js';
import {
  buying,
  change,
  chosen,
  facts,
  focused,
  gridPlace,
  isSlow,
  ranges,
  restorePlace,
  settings,
  SIZES,
  view,
  watchList,
} from '../store.js';
import { lang, sayRelated, words } from '../words/words.js';
import { onGridClick, onGridKey } from './tile-buttons.js';
import { Grid } from './grid.js';

/** Still gray cells, before the first list has come. */
const WAITING = 60;
const WIDE = '(width >= 720px)';

let grid: Grid | undefined;
const opened = computed(() => view.value.preset);

/** Puts the focus on the grid's tab stop. */
export function focusGrid(): void {
  grid?.focus(grid.focusedIndex, { take: true });
}

/** Where what had the focus is about to go: it goes on in the grid, or at the search box. */
export function catchFocus(): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    if (ranges.total > 0) focusGrid();
    else document.getElementById('search')?.focus();
  });
}

export function GridView() {
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (scroller.current === null) return undefined;
    const isWaiting = () => facts.peek() === undefined && isSlow.peek();
    const made = new Grid(
      scroller.current,
      {
        total: () => (isWaiting() ? WAITING : ranges.total),
        at: (index) => ranges.at(index),
        related: () => {
          const from = ranges.relatedFrom;
          return from === undefined ? from : { from, said: sayRelated(from, ranges.total) };
        },
        isChosen: (preset) => chosen.peek().has(preset),
        isOpen: (preset) => preset === opened.peek(),
        buying: (preset) => buying.peek().get(preset),
      },
      {
        needs: (first, end) => {
          if (!isWaiting()) ranges.want(first, end);
        },
        drawn: (cells, side) => {
          drawCells(cells, side);
          govern(made.visibleCells());
        },
        focused: (index, tile) => {
          focused.value = tile;
          playCell(made.cellAt(index));
        },
        acted: (event, index, tile, from) => {
          if (tile === undefined) return;
          // The details follow a key, where they stand beside the grid; not a focus that comes to another list by itself.
          if (index !== from && view.peek().preset !== '' && matchMedia(WIDE).matches) change({ preset: tile.preset });
          const place = { index, from, tile, cell: made.cellAt(index) };
          if (event instanceof KeyboardEvent) onGridKey(event, place);
          else onGridClick(event, place);
        },
      },
    );
    grid = made;
    gridPlace.read = () => made.focusedIndex;
    gridPlace.go = (index) => made.focus(index, { take: true });
    const stop = watchList((event) => {
      if (event !== 'begun') return made.update(event.first, event.end);
      made.refresh({ toTop: true });
      restorePlace();
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
    if (isSlow.value && facts.peek() === undefined) grid?.refresh();
  });
  useSignalEffect(() => {
    // Names are written in the language that is chosen; stand-ins are drawn in the ink of the theme.
    void lang.value;
    void chosen.value;
    void buying.value;
    void settings.asReal.value;
    void settings.theme.value;
    grid?.update();
  });
  useSignalEffect(() => {
    void opened.value;
    grid?.updateOpen();
  });
  useSignalEffect(() => {
    void settings.motion.value;
    // What plays by itself must not play among all as well.
    playCell(undefined);
    if (grid !== undefined) govern(grid.visibleCells());
  });
  return (
    <div
      ref={scroller}
      class="grid"
      aria-label={words.value.stickers}
      aria-multiselectable="true"
      onPointerOver={(event) => playCell(grid?.cellOf(event.target))}
      onPointerLeave={() => playCell(undefined)}
      onDragStart={dragOut}
    />
  );
}

/** The file of what is owned, for a window of files; its preset for everything else. */
function dragOut(event: DragEvent): void {
  const tile = grid?.cellOf(event.target)?.tile;
  if (tile === undefined || tile.price > 0 || event.dataTransfer === null) return event.preventDefault();
  const address = location.origin + pictureOf(tile.preset);
  // What a file may not be named is taken out by the browser.
  event.dataTransfer.setData('DownloadURL', `application/json:${tile.title.replaceAll(':', ' ')}.json:${address}`);
  event.dataTransfer.setData('text/uri-list', address);
  event.dataTransfer.setData('text/plain', tile.preset);
  event.dataTransfer.effectAllowed = 'copy';
}
