// The password of a database that was typed: the processes that svcd starts itself do not hold it among their arguments.

import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { settingArguments } from '../../src/cli/service/service.js';
import { homeInTest, portOf } from '../support/in-test.js';
import { itIf, LINUX } from '../support/requires.js';
import { runSvcd } from '../support/run-svcd.js';

const PASSWORD = 'canary-of-the-database-4711';

itIf(LINUX, 'is not passed on by a hub that is started in the background', async () => {
  const home = homeInTest();
  const port = await portOf(createServer((socket) => void socket.on('error', () => undefined)));
  const seen = new Set<string>();
  const watch = setInterval(() => {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        seen.add(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
      } catch {
        // It has ended meanwhile.
      }
    }
  }, 50);
  const url = `postgres://svcd:${PASSWORD}@127.0.0.1:${port}/svcd`;
  const flags = ['--sandbox', '--listen', '127.0.0.1:0', '--port', '0', '--database', url];
  const { code, stderr, stdout } = await runSvcd(['hub', 'start', '--detach', ...flags], { home });
  clearInterval(watch);
  // Its address came to the daemon, or that would have started.
  expect(code, stderr).not.toBe(0);
  expect(stderr).toContain(`${port}`);
  expect(stderr + stdout).not.toContain(PASSWORD);
  const daemons = [...seen].filter((line) => line.includes(`--home=${home}`));
  expect(daemons).not.toEqual([]);
  expect(daemons.filter((line) => line.includes(PASSWORD))).toEqual([]);
});

it('is refused in the command line of a service', async () => {
  const typed = { 'hub-database': `postgres://svcd:${PASSWORD}@127.0.0.1/svcd` };
  await expect(settingArguments(typed, undefined)).rejects.toMatchObject({ code: 'invalid_argument' });
  expect(await settingArguments({ 'hub-database': 'postgres://svcd@127.0.0.1/svcd' }, undefined)).toHaveLength(1);
});
