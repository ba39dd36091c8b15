// The cheapest way to give each row a column of its own: shortest augmenting paths (the Hungarian method, as e-maxx has it).

/** The column of each row. Costs may be `Infinity`; each row needs a column that only it would take. */
export function assign(costs: readonly ArrayLike<number>[]): number[] {
  const width = costs[0]?.length ?? 0;
  const rowPrice = new Float64Array(costs.length + 1);
  const columnPrice = new Float64Array(width + 1);
  // Rows and columns count from 1; column 0 holds the row that looks for one.
  const rowIn = new Int32Array(width + 1);
  const before = new Int32Array(width + 1);
  costs.forEach((_, row) => {
    const least = new Float64Array(width + 1).fill(Infinity);
    const seen = new Uint8Array(width + 1);
    rowIn[0] = row + 1;
    let at = 0;
    do {
      seen[at] = 1;
      const from = rowIn[at]!;
      const ofRow = costs[from - 1]!;
      const price = rowPrice[from]!;
      let step = Infinity;
      let next = 0;
      for (let column = 1; column <= width; column++) {
        if (seen[column] === 1) continue;
        const cost = ofRow[column - 1]! - price - columnPrice[column]!;
        if (cost < least[column]!) {
          least[column] = cost;
          before[column] = at;
        }
        if (least[column]! < step) {
          step = least[column]!;
          next = column;
        }
      }
      for (let column = 0; column <= width; column++) {
        if (seen[column] === 0) least[column]! -= step;
        else {
          rowPrice[rowIn[column]!]! += step;
          columnPrice[column]! -= step;
        }
      }
      at = next;
    } while (rowIn[at] !== 0);
    for (; at !== 0; at = before[at]!) rowIn[at] = rowIn[before[at]!]!;
  });
  const chosen = costs.map(() => -1);
  rowIn.forEach((row, column) => column > 0 && row > 0 && (chosen[row - 1] = column - 1));
  return chosen;
}
