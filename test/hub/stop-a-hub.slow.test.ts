// What is said when a hub is stopped: a plain "svcd start" would leave its machines out.

import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.js';
import { makeHome, runSvcd } from '../support/run-svcd.js';

const { home, remove } = makeHome();
afterAll(remove);

describe('svcd stop', () => {
  it('names what starts a hub again, as it was started, and it does', async () => {
    const own = join(home, 'hub home');
    const port = String(await freePort());
    await runSvcd(['config', 'set', 'port', port, '--home', own], { home });
    const args = ['hub', 'start', '--sandbox', '--listen', '127.0.0.1:0', '--identity', join(home, 'who'), '--detach'];
    const started = await runSvcd([...args, '--home', own], { home });
    // Any free port is for the machines alone; that on loopback is the one that was set.
    expect(started.code === 0 && started.stdout).toContain(`svcd runs at http://127.0.0.1:${port}`);
    const { stdout } = await runSvcd(['stop', '--home', own], { home });
    const again = ['hub', 'start', '--listen', '127.0.0.1:0', '--identity', join(home, 'who')];
    expect(stdout).toContain(`The hub starts again with "svcd ${again.join(' ')} --home '${own}'".`);
    expect(stdout).not.toContain('"svcd start');
    const { stderr } = await runSvcd(['status', '--home', own], { home });
    expect(stderr).toMatch(/It was the hub at https:.*: "svcd hub start --home .*", with the options that it had/);
    expect(await runSvcd([...again, '--detach', '--home', own], { home })).toMatchObject({ code: 0 });
    expect(await runSvcd(['hub', 'invite', '--project', 'promo', '--home', own], { home })).toMatchObject({ code: 0 });
    await runSvcd(['stop', '--home', own], { home });
  }, 120_000);

  it('names svcd start of a daemon that is no hub', async () => {
    const own = join(home, 'plain');
    const start = ['start', '--sandbox', '--port', '0', '--detach', '--home', own];
    expect(await runSvcd(start, { home })).toMatchObject({ code: 0 });
    expect((await runSvcd(['stop', '--home', own], { home })).stdout).toContain(`"svcd start --home ${own}"`);
  }, 120_000);
});
