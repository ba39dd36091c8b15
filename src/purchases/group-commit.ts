// Commits that are asked for in one turn of the loop go to the disk together: three hundred purchases that begin at once
// would otherwise wait for it three hundred times, and everybody with them.

import type { Database } from '../platform/open-database.js';

/** Does work on the database and resolves once it is committed; rejects with what the work or the commit throws. */
export type GroupCommit = <T>(work: () => T) => Promise<T>;

interface Job {
  readonly work: () => void;
  readonly done: () => void;
  readonly fail: (error: unknown) => void;
}

/** Commits in groups; `afterCommit` is called after each. A job that throws changes nothing and harms no other. */
export function createGroupCommit(db: Database, afterCommit: () => void): GroupCommit {
  let waiting: Job[] = [];
  const alone = db.transaction((work: () => void) => work());
  const together = db.transaction((jobs: readonly Job[]) =>
    jobs.map((job): (() => void) => {
      try {
        alone(job.work);
        return job.done;
      } catch (error) {
        // A full disk may have ended the whole transaction, with all that was in it.
        if (!db.inTransaction) throw error;
        return () => job.fail(error);
      }
    }),
  );
  const commit = (): void => {
    const jobs = waiting;
    waiting = [];
    let ends: (() => void)[];
    try {
      ends = together.immediate(jobs);
    } catch (error) {
      for (const { fail } of jobs) fail(error);
      return;
    }
    afterCommit();
    for (const end of ends) end();
  };
  return <T>(work: () => T) =>
    new Promise<T>((resolve, reject) => {
      let result: T;
      const job = { work: () => void (result = work()), done: () => resolve(result), fail: reject };
      if (waiting.push(job) === 1) setImmediate(commit);
    });
}
