// A test run that was killed leaves no daemon behind.

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { makeHome, spawnSvcd } from './run-svcd.js';

it('ends a daemon whose test is gone', async () => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  const { home, remove } = makeHome();
  const env = { TEST_PROCESS: String(pid) };
  const child = spawnSvcd(['start', '--sandbox', '--port', '0'], { home, env }, 'ignore');
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  remove();
});
