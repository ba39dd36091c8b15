// svcd origins: the list of whose pages may use a daemon, from the command line, with a daemon and without.

import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectRefusal, homeInTest, startInTest } from '../support/in-test.js';
import { runHere } from '../support/run-here.js';
import { type Outcome } from '../support/run-svcd.js';

const APP = 'http://localhost:3000';

function freshHome(): string {
  const home = homeInTest();
  return home;
}

function origins(home: string, ...args: string[]): Promise<Outcome> {
  return runHere(['origins', ...args], { home });
}

describe('svcd origins', () => {
  it('lists, adds and removes, with no daemon, for the next start', async () => {
    const home = freshHome();
    expect((await origins(home)).stdout).toContain('svcd config origins add');
    expect((await origins(home, 'add', 'HTTP://LocalHost:3000/')).stdout).toContain(APP);
    expect((await origins(home, 'add', APP)).code).toBe(0);
    expect((await origins(home, 'add', 'https://app.example:443')).code).toBe(0);
    expect((await origins(home, 'list')).stdout).toBe(`${APP}\nhttps://app.example\n`);
    expect(statSync(join(home, 'origins.json')).mode & 0o777).toBe(0o600);
    expect((await origins(home, 'remove', APP)).code).toBe(0);
    expect(JSON.parse((await origins(home, '--json')).stdout)).toEqual({ origins: ['https://app.example'] });
    const again = await origins(home, 'remove', APP);
    expect([again.code, again.stderr]).toEqual([3, expect.stringContaining('is not on the list')]);
  });

  it('takes effect on the daemon that runs, and holds after a restart', async () => {
    const home = freshHome();
    const first = await startInTest(['--sandbox'], { home });
    const ask = async (url: string) => (await fetch(`${url}/svcd/status`, { headers: { Origin: APP } })).status;
    expect(await ask(first.info.url)).toBe(403);
    expect((await origins(home, 'add', APP)).code).toBe(0);
    expect(await ask(first.info.url)).toBe(200);
    expect((await origins(home, 'remove', APP)).code).toBe(0);
    expect(await ask(first.info.url)).toBe(403);
    await origins(home, 'add', APP);
    await first.end();
    expect(JSON.parse(readFileSync(join(home, 'origins.json'), 'utf8'))).toEqual([APP]);
    const second = await startInTest(['--sandbox'], { home });
    expect(await ask(second.info.url)).toBe(200);
  });

  it.each([
    ['null', /sandboxed frame/],
    ['http://user:hidden@a', /must not name a user/],
  ])('%j is refused with the reason', async (text, reason) => {
    const { code, stderr } = await origins(freshHome(), 'add', text);
    expect([code, stderr]).toEqual([2, expect.stringMatching(reason)]);
    expect(stderr).not.toContain('hidden');
  });

  it('warns of plain http to another machine', async () => {
    const home = freshHome();
    expect((await origins(home, 'add', 'http://app.example')).stderr).toContain('https');
    expect((await origins(home, 'add', 'https://app.example')).stderr).toBe('');
  });

  it.each(['not JSON', '{}', '[1]', '["*"]', '["http://a/b"]'])(
    'does not start on a list that holds %s',
    async (text) => {
      const home = freshHome();
      writeFileSync(join(home, 'origins.json'), text);
      expectRefusal(await origins(home), 'origins.json');
    },
  );
});
