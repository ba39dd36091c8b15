// The very first start with the sandbox, cut off by kill -9 while its databases are put into the home.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { homeInTest, startInTest } from '../support/in-test.js';
import { spawnSvcd } from '../support/run-svcd.js';

// In the order in which they come to be.
it.each(['daemon.lock', 'sandbox.db.new', 'library.db.new', 'sandbox.db', 'library.db', 'owned.db'])(
  'starts well after one that was killed as soon as %s was there',
  async (name) => {
    const home = homeInTest();
    const child = spawnSvcd(['start', '--sandbox', '--json', '--port', '0'], { home }, ['ignore', 'ignore', 'ignore']);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    // What is there for a moment only may be missed: then it is killed later, when all is there.
    while (!existsSync(join(home, name)) && !existsSync(join(home, 'runtime.json'))) await sleep(0);
    child.kill('SIGKILL');
    await ended;
    const svcd = await startInTest(['--sandbox'], { home });
    expect(svcd.info.library.stickers).toBe(11_991);
    const answer = await fetch(`${svcd.info.url}/api/v1/stickers/search?q=${encodeURIComponent('生日')}`);
    expect(await answer.text()).toContain('birthday');
  },
);
