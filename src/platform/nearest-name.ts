// Which known name was meant by one that is none.

/** The known name nearest to what was typed; undefined where none is near. */
export function nearestName(typed: string, known: readonly string[]): string | undefined {
  const [nearest] = known
    .map((name) => ({ name, edits: countEdits(typed.toLowerCase(), name.toLowerCase()) }))
    .toSorted((a, b) => a.edits - b.edits);
  return nearest !== undefined && nearest.edits <= Math.max(1, Math.floor(typed.length / 3)) ? nearest.name : undefined;
}

/** Damerau-Levenshtein distance: fewest letters to change, add, drop, or swap with a neighbor. */
export function countEdits(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, i) => i)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Infinity;
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= to.length; j++) {
      const swapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1] ? at(i - 2, j - 2) + 1 : Infinity;
      const changed = at(i - 1, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      row.push(Math.min(changed, at(i - 1, j) + 1, at(i, j - 1) + 1, swapped));
    }
  }
  return at(from.length, to.length);
}
