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
  /** From which place on things are only loosely related: they begin a row of their own, below a line. */
  readonly related?: number | undefined;
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
  readonly count: number;
  /** Where what is only loosely related begins; the count where nothing is. */
  readonly related: number;
  /** The rows above the line, which takes so many pixels. */
  readonly above: number;
  readonly line: number;
}

/** As high as a line of text and the space round it. */
export const LINE = 36;

/** Beyond this browsers lose places (at two device pixels a CSS pixel the box ends near 16.7 million). */
const MOST_PIXELS = 8_000_000;

export function layOut({ width, height, cell, caption, gap, count, related = count }: Measures): Layout {
  const columns = Math.max(1, Math.floor((width + gap) / (cell + gap)));
  const cellWidth = Math.max(1, Math.floor((width - gap * (columns - 1)) / columns));
  const rowHeight = cellWidth + caption + gap;
  const above = Math.ceil(related / columns);
  const rows = above + Math.ceil((count - related) / columns);
  const line = related < count ? LINE : 0;
  const full = rows * rowHeight + line;
  const scrolled = Math.min(full, MOST_PIXELS);
  const reach = scrolled - height;
  return {
    columns,
    rows,
    cellWidth,
    rowHeight,
    scrolled,
    full,
    count,
    related,
    above,
    line,
    scale: full > scrolled && reach > 0 ? (full - height) / reach : 1,
  };
}

/** Below the picture, in pixels where a text is of the usual size: two lines, and three where they would not fit beside. */
const CAPTION = 56;
const CAPTION_TIGHT = 74;
const TIGHT = 170;
const UNIT = 15;
const GAP = 12;
const LARGE = 200;
const LEAST = 110;

/** For cells of a chosen size, and a text of so many pixels. */
export function layOutCells({ cell, ...given }: Omit<Measures, 'caption' | 'gap'>, text: number) {
  // Two beside each other where it is narrow, unless large ones are wanted.
  const half = Math.floor((given.width - GAP) / 2);
  const measures = { ...given, cell: cell > LARGE ? cell : Math.min(cell, Math.max(LEAST, half)), gap: GAP };
  const unit = text / UNIT;
  const layout = layOut({ ...measures, caption: CAPTION * unit });
  const isTight = layout.cellWidth < TIGHT * unit;
  const caption = (isTight ? CAPTION_TIGHT : CAPTION) * unit;
  return { layout: isTight ? layOut({ ...measures, caption }) : layout, caption, isTight };
}

/** Whether the same things stand in the same rows, of the same size. */
export function hasSameRows(one: Layout, other: Layout): boolean {
  const { columns, rows, cellWidth, rowHeight } = other;
  const isOfSize = one.cellWidth === cellWidth && one.rowHeight === rowHeight;
  return (
    isOfSize &&
    one.columns === columns &&
    one.rows === rows &&
    (one.line + other.line === 0 || one.related === other.related)
  );
}

/** The row that a place of the list stands in. */
export function rowOf({ columns, related, above }: Layout, index: number): number {
  return index < related ? Math.floor(index / columns) : above + Math.floor((index - related) / columns);
}

/** The places of the list in a row: the first, and behind the last. */
export function placesIn({ columns, related, above, count }: Layout, row: number): Rows {
  const first = row < above ? row * columns : related + (row - above) * columns;
  return { first, end: Math.min(first + columns, row < above ? related : count) };
}

/** Where a row begins among the rows' pixels. */
function startOf({ rowHeight, above, line }: Layout, row: number): number {
  return row * rowHeight + (row < above ? 0 : line);
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
  const { rowHeight, above, line } = layout;
  const top = topOf(layout, scrollTop);
  const rowsTo = (y: number) => (y <= above * rowHeight ? y / rowHeight : Math.max(above, (y - line) / rowHeight));
  const first = Math.max(0, Math.floor(rowsTo(top)) - spare);
  const end = Math.min(layout.rows, Math.ceil(rowsTo(top + height)) + spare);
  return { first: Math.min(first, end), end };
}

/** The y of a row inside what is scrolled, so that it stands in view where it belongs. */
export function placeOf(layout: Layout, row: number, scrollTop: number): number {
  return startOf(layout, row) - topOf(layout, scrollTop) + scrollTop;
}

/** The place of the scroll bar that brings a row wholly into view; undefined where it is in view. */
export function scrollFor(layout: Layout, row: number, scrollTop: number, height: number): number | undefined {
  const top = topOf(layout, scrollTop);
  const end = startOf(layout, row) + layout.rowHeight;
  // With the line, where that is above it.
  const start = row === layout.above ? row * layout.rowHeight : startOf(layout, row);
  if (start >= top && end <= top + height) return undefined;
  const wanted = start < top ? start : end - height;
  return Math.max(0, wanted) / layout.scale;
}

/** The index that a key leads to; undefined for keys that are none of the grid's. */
export function moveBy(key: string, isFar: boolean, from: number, layout: Layout, page: number) {
  const last = layout.count - 1;
  const clamp = (index: number) => Math.min(last, Math.max(0, index));
  const row = rowOf(layout, from);
  const { first, end } = placesIn(layout, row);
  const inRow = (to: number) => {
    const places = placesIn(layout, to);
    return Math.min(places.first + from - first, places.end - 1);
  };
  switch (key) {
    case 'ArrowLeft':
      return clamp(from - 1);
    case 'ArrowRight':
      return clamp(from + 1);
    case 'ArrowUp':
      return inRow(Math.max(0, row - 1));
    case 'ArrowDown':
      return inRow(Math.min(layout.rows - 1, row + 1));
    case 'Home':
      return isFar ? 0 : first;
    case 'End':
      return isFar ? last : end - 1;
    case 'PageUp':
      return inRow(Math.max(0, row - page));
    case 'PageDown':
      return row + page < layout.rows ? inRow(row + page) : last;
    default:
      return undefined;
  }
}
