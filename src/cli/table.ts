// Columns that stand straight.

import { displayWidth } from './display-width.js';

const GAP = '  ';

/** Lines of a table, each column as wide as its widest cell; columns with nothing in them are left out. */
export function layOut(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, displayWidth(cell));
    });
  }
  return rows.map((row) => layOutRow(row, widths));
}

function layOutRow(row: readonly string[], widths: readonly number[]): string {
  const cells = widths.flatMap((width, column) => {
    const cell = row[column] ?? '';
    return width === 0 ? [] : [cell + ' '.repeat(width - displayWidth(cell))];
  });
  return cells.join(GAP).trimEnd();
}
