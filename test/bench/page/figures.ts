// What was measured beside what is promised: a line of JSON each for programs, a table for people.

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What is promised; a figure without is only told. */
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** Whether a figure keeps what is promised; undefined where nothing is. */
export function isKept({ value, atMost, atLeast }: Figure): boolean | undefined {
  if (atMost === undefined && atLeast === undefined) return undefined;
  return value <= (atMost ?? Infinity) && value >= (atLeast ?? -Infinity);
}

export function figureTable(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    `${figure.value.toLocaleString('en', { maximumSignificantDigits: 4 })} ${figure.unit}`.trim(),
    figure.atMost !== undefined ? `≤ ${figure.atMost}` : figure.atLeast !== undefined ? `≥ ${figure.atLeast}` : '',
    { true: 'kept', false: 'MISSED', undefined: '' }[`${isKept(figure)}`],
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 1 ? cell.padStart(widths[1] ?? 0) : cell.padEnd(widths[column] ?? 0)))
        .join('   ')
        .trimEnd(),
    )
    .join('\n');
}
