// A long read of a SQLite file in steps, so that a request that comes meanwhile waits for one step only. It has a connection of
// its own, which sees the file as it is at the beginning, while the first goes on writing.

import type { Clock } from './clock.js';
import { openReadOnly, type Statement } from './open-database.js';
import { ownTurn, stepOf } from './steps.js';

/** Hands over each row of a query that finds its rows one by one: what it sorts or sums is not done in steps. */
export async function readInSteps<R>(
  query: Statement<[object], R>,
  params: object,
  clock: Clock,
  take: (row: R) => void,
): Promise<void> {
  const beside = openReadOnly(query.database.name);
  try {
    let isOver = stepOf(clock);
    for (const row of beside.prepare<[object], R>(query.source).iterate(params)) {
      take(row);
      if (!isOver()) continue;
      await ownTurn();
      isOver = stepOf(clock);
    }
  } finally {
    beside.close();
  }
}
