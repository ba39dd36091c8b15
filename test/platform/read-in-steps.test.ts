// Long reads of a file that is written to meanwhile.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/platform/clock.js';
import { openDatabase } from '../../src/platform/open-database.js';
import { readInSteps } from '../../src/platform/read-in-steps.js';

it('lets others have their turn between rows, and shows none of what is written meanwhile', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svcd-steps-'));
  const migrations = ['CREATE TABLE thing (id INTEGER PRIMARY KEY) STRICT'];
  const db = openDatabase(join(folder, 'things.db'), { migrations, durability: 'normal' });
  onTestFinished(() => {
    db.close();
    rmSync(folder, { recursive: true });
  });
  const add = db.prepare('INSERT INTO thing DEFAULT VALUES');
  for (let at = 0; at < 20; at += 1) add.run();
  // Each look at this clock is a step's length later.
  let now = 0;
  const clock = { ...systemClock, monotonic: () => (now += 10) };
  const seen: number[] = [];
  const query = db.prepare<[object], { id: number }>('SELECT id FROM thing');
  const read = readInSteps(query, {}, clock, ({ id }) => void seen.push(id));
  expect(seen).toEqual([1]);
  await new Promise((resolve) => void setImmediate(resolve));
  expect(seen.length).toBeLessThan(20);
  add.run();
  await read;
  expect(seen).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
});
