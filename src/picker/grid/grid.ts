// The grid: any number of tiles with as many elements as fit the window and two rows more on each side. Its rows are used
// again while it scrolls; the tile with the focus stays in the document wherever it is.

import type { Tile } from '../../api/tile.js';
import { afterPaint } from '../after-paint.js';
import {
  hasSameRows,
  layOutCells,
  moveBy,
  placeOf,
  placesIn,
  rowOf,
  rowsAt,
  scrollFor,
  type Layout,
} from './layout.js';
import { makeLine, placeLine } from './related-line.js';
import { type Cell, fillCell, makeRow, markOpen, emptyRow, type Row } from './tile.js';

export interface GridSource {
  readonly total: () => number;
  at(index: number): Tile | undefined;
  /** From which place on they are only loosely related, where some are, and how that is said. */
  related(): { readonly from: number; readonly said: string } | undefined;
  isChosen(preset: string): boolean;
  /** Whether its details stand beside the grid. */
  isOpen(this: void, preset: string): boolean;
  /** What this page is doing about it: buying, for a moment or for long. */
  buying(preset: string): 'new' | 'slow' | undefined;
}

export interface GridEvents {
  /** These places are in view or near it. */
  needs(first: number, end: number): void;
  /** These cells are in view, filled or filled again: to be drawn. */
  drawn(cells: readonly Cell[], sidePx: number): void;
  focused(index: number, tile: Tile | undefined): void;
  /** A key or a click on a tile that the grid itself has no use for. */
  acted(event: KeyboardEvent | MouseEvent, index: number, tile: Tile | undefined, from: number): void;
}

const SPARE_ROWS = 2;
/** Faster than so many pixels a millisecond nothing is drawn: it could not be seen, and whatever comes next would wait. */
const FAST = 4;
const REST_MS = 60;
/** A movement that long ago is another one. */
const SAME_MS = 400;

export class Grid {
  private readonly scroller: HTMLElement;
  private readonly floor = document.createElement('div');
  private readonly line = makeLine();
  private readonly source: GridSource;
  private readonly events: GridEvents;
  private rows: Row[] = [];
  private layout: Layout = layOutCells({ width: 1, height: 1, cell: 176, count: 0 }, 15).layout;
  private cellSize = 176;
  private pending = 0;
  /** Of what was seen when it was laid out. */
  private height = 0;
  /** Of the list in the window. */
  private top = 0;
  private last = { top: 0, at: 0 };
  /** While it scrolls too fast to be drawn. */
  private rest: ReturnType<typeof setTimeout> | undefined;
  private readonly observer: ResizeObserver;
  private tabStop: HTMLElement | undefined;
  /** What is to be filled after a paint is not. */
  private cancelRest: () => void = () => undefined;
  /** Where the focus was before a press moved it. */
  private pressedFrom: number | undefined;
  /** The place with the one tab stop. */
  focusedIndex = 0;

  constructor(scroller: HTMLElement, source: GridSource, events: GridEvents) {
    this.scroller = scroller;
    this.source = source;
    this.events = events;
    this.floor.className = 'floor';
    this.floor.append(this.line);
    scroller.append(this.floor);
    scroller.setAttribute('role', 'grid');
    scroller.addEventListener('scroll', () => this.later(), { passive: true });
    scroller.addEventListener('keydown', (event) => this.onKey(event));
    scroller.addEventListener('pointerdown', () => (this.pressedFrom = this.focusedIndex));
    scroller.addEventListener('click', (event) => this.onPointer(event));
    scroller.addEventListener('dblclick', (event) => this.onPointer(event));
    scroller.addEventListener('focusin', (event) => this.onFocus(event));
    this.observer = new ResizeObserver(() => this.refresh());
    this.observer.observe(scroller);
  }

  close(): void {
    this.observer.disconnect();
    cancelAnimationFrame(this.pending);
    this.cancelRest();
    clearTimeout(this.rest);
    this.floor.remove();
  }

  /** The list or its measures changed: everything is laid out anew. The place stays, by index. */
  refresh(options: { readonly cell?: number; readonly toTop?: boolean } = {}): void {
    const { clientWidth, clientHeight } = this.scroller;
    if (clientWidth === 0) return;
    const style = getComputedStyle(this.scroller);
    const inner = clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
    const { scrollTop: scrolled } = this.scroller;
    const anchor = this.firstVisible();
    const wasSeen = this.placeToSee(this.height) === undefined;
    const seenAt = this.focusedTop() + this.top;
    const { columns } = this.layout;
    this.height = clientHeight;
    this.cellSize = options.cell ?? this.cellSize;
    const count = this.source.total();
    const text = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const measures = {
      width: inner,
      height: clientHeight,
      cell: this.cellSize,
      count,
      related: this.source.related()?.from,
    };
    const { layout, caption, isTight } = layOutCells(measures, text);
    // What stands above the list takes more lines where it is narrower.
    const top = this.scroller.getBoundingClientRect().top;
    const before = this.layout;
    this.layout = layout;
    this.scroller.toggleAttribute('data-tight', isTight);
    this.scroller.style.setProperty('--caption', `${caption}px`);
    this.floor.style.height = `${this.layout.scrolled}px`;
    this.scroller.style.setProperty('--side', `${this.layout.cellWidth}px`);
    this.scroller.setAttribute('aria-rowcount', `${this.layout.rows}`);
    this.scroller.setAttribute('aria-colcount', `${this.layout.columns}`);
    this.focusedIndex = options.toTop === true ? 0 : Math.max(0, Math.min(this.focusedIndex, count - 1));
    // Where only more or less of the same rows is seen, they stay as they are.
    const isSame = options.toTop === undefined && options.cell === undefined && hasSameRows(before, this.layout);
    if (options.toTop !== true) {
      const now = this.focusedTop() + (columns === this.layout.columns ? this.top : top);
      if (wasSeen && !isSame) this.scroller.scrollTop += (now - seenAt) / this.layout.scale;
      else if (!isSame) this.show(anchor);
      // What has the tab stop stays where it was seen; of larger cells it may not be seen whole there.
      const toSee = wasSeen ? this.placeToSee() : undefined;
      if (toSee !== undefined) this.scroller.scrollTop = toSee;
    } else if (scrolled > 0) this.scroller.scrollTop = 0;
    this.top = top;
    // Rows of the right length are kept: what has the focus, and what is drawn, stays.
    const kept = this.rows.filter(
      ({ cells, row }) => cells.length === this.layout.columns && row < this.layout.rows && options.cell === undefined,
    );
    const hadFocus = this.scroller.contains(document.activeElement) && document.activeElement !== this.scroller;
    this.setAside(this.rows.filter((one) => !kept.includes(one)));
    const filled = isSame ? [] : kept;
    // Of another list what is seen comes first; the rest is filled once that is painted.
    const isAtTop = options.toTop === true && scrolled === 0;
    const seen = isAtTop ? rowsAt(this.layout, 0, clientHeight, 0).end : Infinity;
    for (const one of filled) {
      if (one.row < seen) this.place(one, one.row);
      else emptyRow(one);
    }
    const scrollTop = options.toTop === true ? 0 : this.scroller.scrollTop;
    this.draw(scrollTop, { filled: filled.flatMap(({ cells }) => cells), spare: isAtTop ? 0 : SPARE_ROWS });
    this.cancelRest();
    if (isAtTop) this.cancelRest = afterPaint(() => this.draw());
    if (hadFocus && !this.scroller.contains(document.activeElement)) {
      this.cellAt(this.focusedIndex)?.element.focus({ preventScroll: true });
    }
  }

  /** Fills again what is shown of these places. */
  update(first = 0, end = Infinity): void {
    // It is known only when the end of the list is.
    if ((this.source.related()?.from ?? this.layout.count) !== this.layout.related) this.refresh();
    const cells: Cell[] = [];
    for (const { cells: inRow } of this.rows) {
      for (const cell of inRow) {
        if (cell.index < first || cell.index >= end) continue;
        this.fill(cell, cell.index);
        cells.push(cell);
      }
    }
    this.tellDrawn(cells);
    // What could not be had before may be there now.
    this.later();
  }

  /** Moves the one tab stop, and the focus with it if it should. */
  focus(index: number, options: { readonly take: boolean }): void {
    const count = this.source.total();
    if (count === 0) return;
    this.focusedIndex = Math.max(0, Math.min(index, count - 1));
    const to = this.placeToSee();
    if (to !== undefined) this.scroller.scrollTop = to;
    this.draw();
    if (options.take) this.takeFocus();
    this.events.focused(this.focusedIndex, this.source.at(this.focusedIndex));
  }

  private takeFocus(): void {
    const element = this.cellAt(this.focusedIndex)?.element;
    element?.focus({ preventScroll: true });
    // Where the page is larger than the window, as at 400 %, the list itself may be out of sight.
    element?.scrollIntoView({ block: 'nearest' });
  }

  cellAt(index: number): Cell | undefined {
    return this.rows.flatMap(({ cells }) => cells).find((cell) => cell.index === index);
  }

  /** The cell that an element is in. */
  cellOf(target: EventTarget | null): Cell | undefined {
    const element = target instanceof Element ? target.closest('.tile') : null;
    return this.rows.flatMap(({ cells }) => cells).find((one) => one.element === element);
  }

  /** The cells that are in view now. */
  visibleCells(): readonly Cell[] {
    return this.rows.flatMap(({ cells }) => cells).filter(({ tile }) => tile !== undefined);
  }

  /** Where to scroll to see what has the tab stop; undefined where it is seen. */
  private placeToSee(height = this.scroller.clientHeight): number | undefined {
    const { layout, scroller, focusedIndex } = this;
    return scrollFor(layout, rowOf(layout, focusedIndex), scroller.scrollTop, height);
  }

  /** How far below the top of what is seen the row with the tab stop is. */
  private focusedTop(): number {
    const { layout, scroller, focusedIndex } = this;
    return placeOf(layout, rowOf(layout, focusedIndex), scroller.scrollTop) - scroller.scrollTop;
  }

  private firstVisible(): number {
    return placesIn(this.layout, rowsAt(this.layout, this.scroller.scrollTop, 1, 0).first).first;
  }

  private show(index: number): void {
    this.scroller.scrollTop = placeOf(this.layout, rowOf(this.layout, index), 0) / this.layout.scale;
  }

  private later(): void {
    if (this.pending !== 0) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = 0;
      this.draw();
    });
  }

  /** Draws the rows at a place, and what is in `filled`. Nothing here asks where anything is, which would lay out all of it. */
  private draw(
    scrollTop = this.scroller.scrollTop,
    { filled = [], spare = SPARE_ROWS }: { readonly filled?: readonly Cell[]; readonly spare?: number } = {},
  ): void {
    const { layout, height } = this;
    const { first, end } = rowsAt(layout, scrollTop, height, spare);
    this.followSpeed(scrollTop);
    const pinned = rowOf(layout, this.focusedIndex);
    const wanted = new Set<number>();
    for (let row = first; row < end; row += 1) wanted.add(row);
    if (pinned < layout.rows) wanted.add(pinned);
    const free = this.rows.filter(({ row }) => !wanted.delete(row));
    const fresh: Cell[] = [];
    for (const row of wanted) {
      const used = free.pop() ?? this.addRow();
      this.place(used, row);
      fresh.push(...used.cells);
    }
    if (spare > 0) this.setAside(free);
    for (const { element, row } of this.rows) {
      if (row >= 0) element.style.transform = `translateY(${placeOf(layout, row, scrollTop)}px)`;
    }
    const below = this.rows.find(({ row }) => row === layout.above)?.element;
    placeLine(this.line, this.source.related()?.said, layout, scrollTop, below);
    this.markTabStop();
    this.events.needs(placesIn(layout, first).first, end > first ? placesIn(layout, end - 1).end : 0);
    this.tellDrawn([...new Set([...fresh, ...filled])], scrollTop);
  }

  private setAside(rows: readonly Row[]): void {
    if (rows.length === 0) return;
    for (const row of rows) {
      row.element.remove();
      emptyRow(row);
    }
    this.rows = this.rows.filter((one) => !rows.includes(one));
  }

  /** Fast movement puts drawing off until it rests. */
  private followSpeed(top: number): void {
    const at = performance.now();
    const took = at - this.last.at;
    const moved = Math.abs(top - this.last.top);
    this.last = { top, at };
    if (took > SAME_MS || moved < FAST * took) return;
    clearTimeout(this.rest);
    this.rest = setTimeout(
      () => {
        this.rest = undefined;
        this.tellDrawn(this.visibleCells());
        // Where frames take long, the next one is not over sooner.
      },
      Math.max(REST_MS, 2 * took),
    );
  }

  private addRow(): Row {
    const row: Row = { ...makeRow(this.layout.columns), row: -1 };
    this.floor.append(row.element);
    this.rows.push(row);
    return row;
  }

  private place(into: Row, row: number): void {
    into.row = row;
    into.element.setAttribute('aria-rowindex', `${row + 1}`);
    const { first, end } = placesIn(this.layout, row);
    for (const [column, cell] of into.cells.entries()) this.fill(cell, first + column < end ? first + column : -1);
  }

  private fill(cell: Cell, index: number): void {
    const isThere = index >= 0 && index < this.source.total();
    cell.element.hidden = !isThere;
    const tile = isThere ? this.source.at(index) : undefined;
    const isChosen = tile !== undefined && this.source.isChosen(tile.preset);
    fillCell(cell, isThere ? index : -1, tile, isChosen, tile && this.source.buying(tile.preset));
    markOpen(cell, this.source.isOpen);
    if (isThere && index >= this.layout.related) cell.element.setAttribute('aria-describedby', this.line.id);
    else cell.element.removeAttribute('aria-describedby');
  }

  /** The tile whose details are open may be another one. */
  updateOpen(): void {
    for (const cell of this.rows.flatMap(({ cells }) => cells)) markOpen(cell, this.source.isOpen);
  }

  private markTabStop(): void {
    const next = this.cellAt(this.focusedIndex)?.element;
    if (next === this.tabStop) return;
    if (this.tabStop !== undefined) this.tabStop.tabIndex = -1;
    if (next !== undefined) next.tabIndex = 0;
    this.tabStop = next;
  }

  private tellDrawn(cells: readonly Cell[], scrollTop = this.scroller.scrollTop): void {
    if (this.rest !== undefined) return;
    const { first, end } = rowsAt(this.layout, scrollTop, this.height, 0);
    const [from, to] = [placesIn(this.layout, first).first, placesIn(this.layout, end - 1).end];
    const isSpare = ({ index }: Cell) => index < from || index >= to;
    const filled = cells
      .filter(({ tile }) => tile !== undefined)
      // What is in view comes first.
      .toSorted((a, b) => Number(isSpare(a)) - Number(isSpare(b)) || a.index - b.index);
    if (filled.length > 0) this.events.drawn(filled, this.layout.cellWidth);
  }

  private indexIn(target: EventTarget | null): number | undefined {
    const cell = this.cellOf(target);
    return cell === undefined || cell.index < 0 ? undefined : cell.index;
  }

  private onKey(event: KeyboardEvent): void {
    const index = this.indexIn(event.target);
    if (index === undefined || event.isComposing || event.keyCode === 229 || event.altKey) return;
    const page = Math.max(1, Math.floor(this.scroller.clientHeight / this.layout.rowHeight));
    const isFar = event.ctrlKey || event.metaKey;
    const to = moveBy(event.key, isFar, index, this.layout, page);
    if (to !== undefined) {
      event.preventDefault();
      this.focus(to, { take: true });
    }
    this.events.acted(event, to ?? index, this.source.at(to ?? index), index);
  }

  private onPointer(event: MouseEvent): void {
    const index = this.indexIn(event.target);
    if (index === undefined) return;
    const from = this.pressedFrom ?? this.focusedIndex;
    this.pressedFrom = undefined;
    this.focus(index, { take: true });
    this.events.acted(event, index, this.source.at(index), from);
  }

  private onFocus(event: FocusEvent): void {
    const index = this.indexIn(event.target);
    if (index === undefined) return;
    this.focusedIndex = index;
    this.markTabStop();
    this.events.focused(index, this.source.at(index));
  }
}
