// The arithmetic of the grid: which rows of a list of any length stand where. Pure, so that a slow twin can check it.

export interface Measures {
  /** Of the scroller's inside, in CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** The least width of a cell, and what stands below its square picture. */
  readonly cell: number;
  readonly caption: number;
  readonly gap: number;
  readonly count: number;
}

export interface Layout {
  readonly columns: number;
  readonly rows: number;
  readonly cellWidth: number;
  /** From the top of a row to the top of the next. */
  readonly rowHeight: number;
  /** Of what is scrolled; browsers cannot go beyond some millions of pixels, so it may be less than the rows need. */
  readonly scrolled: number;
  /** Rows' pixels for a pixel of the scroll bar; 1 unless they are too many. */
  readonly scale: number;
  /** Of all rows. */
  readonly full: number;
}

/** Beyond this browsers lose places (at two device pixels a CSS pixel the box ends near 16.7 million). */
const MOST_PIXELS = 8_000_000;

export function layOut({ width, height, cell, caption, gap, count }: Measures): Layout {
  const columns = Math.max(1, Math.floor((width + gap) / (cell + gap)));
  const cellWidth = Math.max(1, Math.floor((width - gap * (columns - 1)) / columns));
  const rowHeight = cellWidth + caption + gap;
  const rows = Math.ceil(count / columns);
  const full = rows * rowHeight;
  const scrolled = Math.min(full, MOST_PIXELS);
  const reach = scrolled - height;
  return {
    columns,
    rows,
    cellWidth,
    rowHeight,
    scrolled,
    full,
    scale: full > scrolled && reach > 0 ? (full - height) / reach : 1,
  };
}

/** Whether the same things stand in the same rows, of the same size. */
export function hasSameRows(one: Layout, other: Layout): boolean {
  const { columns, rows, cellWidth, rowHeight } = other;
  return one.columns === columns && one.rows === rows && one.cellWidth === cellWidth && one.rowHeight === rowHeight;
}

/** Where the view begins among the rows' pixels, for a place of the scroll bar. */
export function topOf({ scale }: Layout, scrollTop: number): number {
  return scrollTop * scale;
}

export interface Rows {
  readonly first: number;
  /** Behind the last. */
  readonly end: number;
}

/** The rows to draw: those in view, and `spare` more on both sides. */
export function rowsAt(layout: Layout, scrollTop: number, height: number, spare: number): Rows {
  const top = topOf(layout, scrollTop);
  const first = Math.max(0, Math.floor(top / layout.rowHeight) - spare);
  const end = Math.min(layout.rows, Math.ceil((top + height) / layout.rowHeight) + spare);
  return { first: Math.min(first, end), end };
}

/** The y of a row inside what is scrolled, so that it stands in view where it belongs. */
export function placeOf(layout: Layout, row: number, scrollTop: number): number {
  return row * layout.rowHeight - topOf(layout, scrollTop) + scrollTop;
}

/** The place of the scroll bar that brings a row wholly into view; undefined where it is in view. */
export function scrollFor(layout: Layout, row: number, scrollTop: number, height: number): number | undefined {
  const top = topOf(layout, scrollTop);
  const start = row * layout.rowHeight;
  const end = start + layout.rowHeight;
  if (start >= top && end <= top + height) return undefined;
  const wanted = start < top ? start : end - height;
  return Math.max(0, wanted) / layout.scale;
}

/** The index that a key leads to; undefined for keys that are none of the grid's. */
export function moveBy(key: string, isFar: boolean, from: number, { columns }: Layout, count: number, page: number) {
  const last = count - 1;
  const clamp = (index: number) => Math.min(last, Math.max(0, index));
  const rowStart = from - (from % columns);
  switch (key) {
    case 'ArrowLeft':
      return clamp(from - 1);
    case 'ArrowRight':
      return clamp(from + 1);
    case 'ArrowUp':
      return from < columns ? from : from - columns;
    case 'ArrowDown':
      return from + columns <= last ? from + columns : rowStart + columns > last ? from : last;
    case 'Home':
      return isFar ? 0 : rowStart;
    case 'End':
      return isFar ? last : clamp(rowStart + columns - 1);
    case 'PageUp':
      return from - page * columns >= 0 ? from - page * columns : from % columns;
    case 'PageDown':
      return from + page * columns <= last ? from + page * columns : last;
    default:
      return undefined;
  }
}
