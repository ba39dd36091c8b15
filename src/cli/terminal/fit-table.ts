// A table on a terminal that is too narrow for it: a line never wraps in the middle of a cell. What says the least gives way
// first; where that is not enough, the cells of a row stand on several lines.

/**
 * How a column gives way: cut to so many columns at least, to its first word, out onto lines below its row, or left out.
 * A name alone is a column that is cut as far as it says something.
 */
export type Saving = string | readonly [column: string, to: number | 'word' | 'below' | 'nothing'];

export interface Table {
  /** Names of the columns; none for a table without a head. */
  readonly head?: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** In the order in which they are tried. */
  readonly savings?: readonly Saving[];
  /** Lines that stand below a row. */
  readonly below?: (row: number) => readonly string[];
}

export interface Room {
  /** Columns of the terminal; Infinity for a program, for which nothing is cut. */
  readonly width: number;
  /** How the head is drawn. */
  readonly faint: (text: string) => string;
}

const GAP = '  ';
const INDENT = '  ';
/** Less says nothing any more. */
const NARROWEST = 7;
/** Less room than this is none for a sentence. */
const SENTENCE = 24;

/** The lines of a table. Columns without content are left out. */
export function fitTable({ head, rows, savings = [], below }: Table, { width, faint }: Room): string[] {
  const whole = head === undefined ? rows : [head, ...rows];
  let cells = whole;
  const first = cells.length - rows.length;
  const moved = new Map<number, string>();
  for (const saving of savings) {
    const excess = widthOf(cells) - width;
    if (excess <= 0) break;
    const [name, to] = typeof saving === 'string' ? ([saving, NARROWEST] as const) : saving;
    const column = head?.indexOf(name) ?? -1;
    if (column === -1) continue;
    if (to === 'below') {
      for (const [i, row] of whole.entries()) {
        if (i >= first) moved.set(i, [moved.get(i) ?? '', row[column] ?? ''].filter((text) => text !== '').join(', '));
      }
    }
    const kept = (widthsOf(cells)[column] ?? 0) - excess;
    cells = cells.map((row) => row.map((cell, i) => (i === column ? narrow(cell, to, kept) : cell)));
  }
  const paint = (line: number) => (line < first ? faint : (text: string) => text);
  const told = (line: number) => (line < first ? [] : (below?.(line - first) ?? []));
  if (widthOf(cells) > width) {
    // Where a row takes several lines anyhow, nothing is missing.
    const put = head === undefined ? hang : stack;
    return whole.flatMap((row, i) => [...put(row, width, whole).map(paint(i)), ...told(i)]);
  }
  const widths = widthsOf(cells);
  return cells.flatMap((row, i) => {
    const line = formatRow(
      row.map((cell) => (cell === '' ? '' : paint(i)(cell))),
      widths,
    );
    return [line, ...wrapIndented(moved.get(i) ?? '', width).map(faint), ...told(i)];
  });
}

function narrow(cell: string, to: number | 'word' | 'below' | 'nothing', room: number): string {
  if (to === 'below' || to === 'nothing') return '';
  if (to === 'word') return cell.replace(STYLE, '').split(' ', 1)[0] ?? '';
  return cutList(cell, Math.max(to, room));
}

/** Cut behind a whole part of a list, where that keeps most of it. */
function cutList(cell: string, width: number): string {
  const cut = cutText(cell, width);
  if (cut === cell) return cell;
  const end = Math.max(cut.lastIndexOf(', ') + 1, cut.lastIndexOf('、') + 1);
  return end > cut.length / 2 ? `${cut.slice(0, end)}…` : cut;
}

function wrapIndented(text: string, width: number): string[] {
  return text === '' ? [] : wrapText(text, width - INDENT.length).map((line) => INDENT + line);
}

/** A row whose last cell goes on below its own beginning; stacked where that has no room. */
function hang(row: readonly string[], width: number, cells: readonly (readonly string[])[]): string[] {
  const widths = widthsOf(cells);
  const last = widths.length - 1;
  const used = widths.slice(0, last).filter((one) => one > 0);
  const start = used.reduce((sum, one) => sum + one + GAP.length, 0);
  if (width - start < SENTENCE) return stack(row, width);
  const [begin = '', ...more] = wrapText(row[last] ?? '', width - start);
  return [
    formatRow(row.with(last, begin), [...widths.slice(0, last), displayWidth(begin)]),
    ...more.map((line) => ' '.repeat(start) + line),
  ];
}

/** The cells of a row one after another, on as many lines as they need. */
function stack(row: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const cell of row.filter((one) => one.trim() !== '')) {
    const line = lines.at(-1);
    if (line !== undefined && displayWidth(line + GAP + cell) <= width) lines[lines.length - 1] = line + GAP + cell;
    else if (line === undefined) lines.push(...wrapText(cell, width));
    else lines.push(...wrapIndented(cell.trimStart(), width));
  }
  return lines;
}

function widthsOf(rows: readonly (readonly string[])[]): number[] {
  return rows.reduce<number[]>((all, row) => {
    row.forEach((cell, i) => (all[i] = Math.max(all[i] ?? 0, displayWidth(cell))));
    return all;
  }, []);
}

function widthOf(rows: readonly (readonly string[])[]): number {
  const used = widthsOf(rows).filter((one) => one > 0);
  return used.reduce((sum, one) => sum + one, 0) + GAP.length * Math.max(0, used.length - 1);
}

function formatRow(row: readonly string[], widths: readonly number[]): string {
  const cells = widths.flatMap((width, column) => {
    const cell = row[column] ?? '';
    return width === 0 ? [] : [cell + ' '.repeat(Math.max(0, width - displayWidth(cell)))];
  });
  return cells.join(GAP).trimEnd();
}

const STYLE = /\u001B\[[\d;]*m/g; // oxlint-disable-line no-control-regex -- it is what colors are made of
// The vowels and finals of Hangul (U+1160 to U+11FF) stand within the syllable that they belong to.
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11FF]$/u;
// East Asian Width W and F (Unicode's EastAsianWidth.txt, in blocks), and emoji.
const TWO_WIDE =
  /^[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{1F200}-\u{1F2FF}\u{20000}-\u{3FFFD}]$|^\p{Emoji_Presentation}$/u;
/** A flag of two letters, a person with a skin color, a sign that asks to be shown as an emoji: one picture, two columns. */
const ONE_PICTURE = /^(?:\p{RI}{2}|\p{Emoji_Presentation}.*|\p{Emoji}\uFE0F.*)$/su;
const ASCII = /^[\u0020-\u007E]*$/;
/** What may not begin a line. */
const CLOSING = /^[\p{Pe}\p{Pf}，。、；：？！％…,.;:?!]/u;

/** Letters that never join with their neighbors: of Latin without accents, Chinese and Japanese, with punctuation. */
const ALONE =
  /^[\u0020-\u007E\u00A1-\u00AC\u00AE-\u00FF\u2010-\u2027\u3001-\u3029\u3041-\u3096\u30A1-\u30FE\u4E00-\u9FFF\uFF01-\uFF60]*$/;

let segmenter: Intl.Segmenter | undefined;

/** What a reader takes for one character: a letter with its accents, a flag. */
function charactersOf(text: string): string[] {
  // The tables of the segmenter cost a command 17 ms, which most texts need not.
  if (ALONE.test(text)) return Array.from(text);
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Columns of a text on one line; color codes take none. */
export function displayWidth(text: string): number {
  const plain = text.replace(STYLE, '');
  if (ASCII.test(plain)) return plain.length;
  return charactersOf(plain).reduce((sum, character) => sum + columnsOf(character), 0);
}

function columnsOf(character: string): number {
  if (ONE_PICTURE.test(character)) return 2;
  let columns = 0;
  for (const point of character) if (!NO_WIDTH.test(point)) columns += TWO_WIDE.test(point) ? 2 : 1;
  return columns;
}

/** At most so many columns of a text, with `…` where something is missing; what is cut loses its color. */
function cutText(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let [kept, columns] = ['', 0];
  for (const character of charactersOf(text.replace(STYLE, ''))) {
    columns += displayWidth(character);
    if (columns > width - 1) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

/**
 * Lines of at most so many columns. A command in quotation marks stays on one line, as it is copied; what is wider than a
 * line has one of its own.
 */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const part of partsOf(text)) {
    if (displayWidth((line + part).trimEnd()) <= width || line === '') line += part;
    else {
      lines.push(line.trimEnd());
      line = part.trimStart();
    }
  }
  return [...lines, line.trimEnd()];
}

/** Between these a line may end: after a space, and around characters of Chinese and Japanese. */
function partsOf(text: string): string[] {
  return (text.match(/"[^"\s][^"]*"\S*\s*|\S+\s*|\s+/gu) ?? []).flatMap((part) => {
    if (part.startsWith('"') || ASCII.test(part)) return [part];
    const parts: string[] = [];
    let wasWide = true;
    for (const character of charactersOf(part)) {
      const isWide = TWO_WIDE.test(character);
      const opened = /[\p{Ps}\p{Pi}]$/u.test(parts.at(-1) ?? '');
      const joins = opened || CLOSING.test(character) || /^\s/.test(character) || !(isWide || wasWide);
      if (joins && parts.length > 0) parts[parts.length - 1] += character;
      else parts.push(character);
      wasWide = isWide;
    }
    return parts;
  });
}
