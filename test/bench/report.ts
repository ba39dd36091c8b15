// How results are told: a line of JSON each for programs, a table for people.

export interface Measured {
  readonly name: string;
  readonly ours: number;
  readonly against: number;
  /** ours / against. */
  readonly ratio: number;
  readonly better: 'higher' | 'lower';
  readonly unit: string;
  /** Who is compared, and what it does for it: ratios of two times are only comparable if that is the same. */
  readonly peer: string;
}

export interface Skipped {
  readonly name: string;
  /** Why. */
  readonly skipped: string;
}

export type Row = Measured | Skipped;

/** A row, with figures rounded to what can be told from noise. */
export function rowOf(measured: Omit<Measured, 'ratio'>): Measured {
  const { ours, against } = measured;
  return { ...measured, ours: threeDigits(ours), against: threeDigits(against), ratio: threeDigits(ours / against) };
}

/** The middle value; of an even number the upper of the two in the middle. */
export function median(values: readonly number[]): number {
  const middle = values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
  if (middle === undefined) throw new Error('no value to take the median of');
  return middle;
}

/** Rows as a table with one line each. */
export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map((row) =>
    'skipped' in row
      ? [row.name, '', '', '', `skipped: ${row.skipped}`]
      : [row.name, said(row.ours, row), said(row.against, row), row.ratio.toFixed(2), meaning(row)],
  );
  const table = [['', 'svcd', 'peer', 'ratio', ''], ...cells];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((line) => line[column]?.length ?? 0)));
  return table
    .map((line) =>
      line
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('   ')
        .trimEnd(),
    )
    .join('\n');
}

function said(value: number, { unit }: Measured): string {
  return `${value.toLocaleString('en')} ${unit}`;
}

function meaning({ peer, better }: Measured): string {
  return `of ${peer}, ${better} is better`;
}

export function threeDigits(value: number): number {
  return Number(value.toPrecision(3));
}
