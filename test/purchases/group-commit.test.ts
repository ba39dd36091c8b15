// Commits that go to the disk together: each job succeeds or fails for itself, and nobody hears of a success that is not on
// the disk.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Sqlite, type Database } from '../support/sqlite.js';
import { createGroupCommit, type GroupCommit } from '../../src/purchases/sqlite/sqlite-journal.js';

let db: Database;
let commit: GroupCommit;
let commits: number;

beforeEach(() => {
  db = new Sqlite(':memory:');
  db.exec('CREATE TABLE row (id INTEGER PRIMARY KEY) STRICT');
  commits = 0;
  commit = createGroupCommit(db, () => (commits += 1));
});
afterEach(() => void db.close());

const insert = (id: number) => () => db.prepare('INSERT INTO row VALUES (?)').run(id).changes;
const rows = () =>
  db
    .prepare<[], { id: number }>('SELECT id FROM row ORDER BY id')
    .all()
    .map(({ id }) => id);

describe('commits that are asked for at once', () => {
  it('are one commit, with the result of each', async () => {
    expect(await Promise.all([1, 2, 3].map((id) => commit(insert(id))))).toEqual([1, 1, 1]);
    expect([rows(), commits]).toEqual([[1, 2, 3], 1]);
  });

  it('are harmed by none of them that fails, and keep nothing of that one', async () => {
    const half = () => {
      insert(2)();
      throw new Error('not this one');
    };
    const ends = await Promise.allSettled([commit(insert(1)), commit(half), commit(insert(3))]);
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(rows()).toEqual([1, 3]);
  });

  it('all fail when the whole transaction ended under them', async () => {
    const end = () => void db.exec('ROLLBACK');
    const ends = await Promise.allSettled([commit(insert(1)), commit(end), commit(insert(3))]);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect([rows(), commits]).toEqual([[], 0]);
  });

  it('are followed by a new one for what is asked for later', async () => {
    await commit(insert(1));
    await commit(insert(2));
    expect([rows(), commits]).toEqual([[1, 2], 2]);
  });
});
