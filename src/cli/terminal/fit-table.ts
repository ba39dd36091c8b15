// A table on a terminal that is too narrow for it: a line never wraps in the middle of a cell. What says the least gives way
// first; where that is not enough, the cells of a row stand on several lines.

import { cutText, displayWidth, STYLE, wrapText } from './text-width.js';

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
