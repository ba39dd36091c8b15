// The money of a home survives copies, lost logs and lost files: backed up while svcd runs, noticed when it goes back,
// put back, or accepted as lost. Each with the real daemon, and its ledger as the judge.

import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { startFaultyRemote, type FaultyRemote } from '../faults/faulty-remote.js';
import { homeInTest, startInTest } from '../support/in-test.js';
import { runHere } from '../support/run-here.js';
import { makeHome, runSvcd } from '../support/run-svcd.js';
import { type StartedSvcd } from '../support/start-svcd.js';

interface World {
  readonly remote: FaultyRemote;
  readonly home: string;
  readonly env: Record<string, string>;
  readonly start: () => Promise<StartedSvcd>;
  readonly svcd: (...args: readonly string[]) => ReturnType<typeof runHere>;
}

async function makeWorld(): Promise<World> {
  const remote = await startFaultyRemote();
  const home = homeInTest();
  const env = { SERVICE_API_KEY: remote.key, SVCD_REMOTE: remote.url, SVCD_PORT: '0' };
  return {
    remote,
    home,
    env,
    start: async () => {
      const daemon = await startInTest([], { home, env });
      return daemon;
    },
    // The doctor starts another Node.js with the flags of this one, which are the test's.
    svcd: (...args) => (args[0] === 'doctor' ? runSvcd : runHere)(args, { home, env }),
  };
}

/** Sources of the stickers named by these numbers, as the daemon gave them. */
async function get(daemon: StartedSvcd, from: number, to: number): Promise<string[]> {
  const sources: string[] = [];
  for (let i = from; i <= to; i++) {
    const headers = { Authorization: `Bearer ${daemon.info.token}` };
    const answer = await fetch(daemon.info.url + stickerPath(`backup/${i}`), { headers });
    await answer.arrayBuffer();
    sources.push([answer.headers.get('x-svcd-source'), answer.headers.get('x-svcd-reason')].filter(Boolean).join(' '));
  }
  return sources;
}

const repeated = (source: string, times: number) => Array.from({ length: times }, () => source);

describe('owned.db, copied while svcd runs', () => {
  it('by "svcd owned backup" is whole, and buys nothing again in another home', async () => {
    const { remote, home, start, svcd } = await makeWorld();
    const daemon = await start();
    await get(daemon, 1, 8);
    const backup = join(home, 'backup.db');
    const made = await svcd('owned', 'backup', backup, '--json');
    expect(JSON.parse(made.stdout)).toMatchObject({ purchases: 8, owned: 8 });
    const other = await makeWorld();
    const restored = await other.svcd('owned', 'restore', backup, '--json');
    expect(JSON.parse(restored.stdout)).toMatchObject({ purchases: 8, owned: 8, replaced: null, loss: null });
    const env = { ...other.env, SERVICE_API_KEY: remote.key, SVCD_REMOTE: remote.url };
    const there = await startInTest([], { home: other.home, env });
    expect(await get(there, 1, 8)).toEqual(repeated('owned', 8));
    expect(remote.account.spent()).toBe(8);
  });

  it('by cp without its log lacks nothing that was bought', async () => {
    const { remote, home, start } = await makeWorld();
    const daemon = await start();
    await get(daemon, 1, 8);
    const other = makeHome();
    onTestFinished(other.remove);
    copyFileSync(join(home, 'owned.db'), join(other.home, 'owned.db'));
    const env = { SERVICE_API_KEY: remote.key, SVCD_REMOTE: remote.url, SVCD_PORT: '0' };
    const there = await startInTest([], { home: other.home, env });
    expect(await get(there, 1, 8)).toEqual(repeated('owned', 8));
    expect(remote.account.spent()).toBe(8);
  });
});

describe('svcd owned backup', () => {
  it('replaces a regular file, also through a link, and nothing else', async () => {
    const { home, start, svcd } = await makeWorld();
    await get(await start(), 1, 1);
    const work = join(home, 'work');
    mkdirSync(join(work, 'folder'), { recursive: true });
    execFileSync('mkfifo', [join(work, 'pipe')]);
    writeFileSync(join(work, 'older.db'), 'SQLite format 3, an older one');
    writeFileSync(join(work, 'text'), 'no backup');
    symlinkSync('older.db', join(work, 'link'));
    symlinkSync('../owned.db', join(work, 'live'));
    writeFileSync(join(home, 'config.json'), '{}');
    const before = readdirSync(work, { recursive: true }).map(String).toSorted();
    const own = [
      'owned.db',
      'owned.db-wal',
      'owned.db-journal',
      'library.db',
      'owned.mark',
      'daemon.lock',
      'config.json',
    ];
    const odd = ['folder', 'pipe', 'live', 'text', 'folder/', 'http://x', 'folder\n', '.'].map(
      (name) => `${work}/${name}`,
    );
    for (const file of [...own.map((name) => join(home, name)), ...odd, '\n', '/', '-']) {
      const refused = await svcd('owned', 'backup', file);
      expect([file, refused.code, refused.stderr]).toEqual([file, 2, expect.not.stringContaining('svcd failed')]);
    }
    expect(readdirSync(work, { recursive: true }).map(String).toSorted()).toEqual(before);
    expect(readFileSync(join(home, 'config.json'), 'utf8')).toBe('{}');
    expect(await svcd('owned', 'backup', join(work, 'link'))).toMatchObject({ code: 0 });
    expect(lstatSync(join(work, 'link')).isSymbolicLink()).toBe(true);
    expect(statSync(join(work, 'older.db')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(work, 'older.db')).subarray(0, 16).toString()).toBe('SQLite format 3\0');
    expect(readdirSync(work, { recursive: true }).map(String).toSorted()).toEqual(before);
    // What belongs to another home is as precious, and an export destroys it as a backup would.
    const other = await makeWorld();
    for (const kind of ['owned', 'library']) {
      expect((await other.svcd(kind, 'export', join(home, 'owned.db'))).code).toBe(2);
    }
    expect((await other.svcd('owned', 'restore', join(work, 'older.db'), '--json')).code).toBe(0);
  });
});

describe('svcd owned backup of a home that lost purchases', () => {
  it('leaves a backup that may be better alone, unless it is told to replace it', async () => {
    const { home, start, svcd } = await makeWorld();
    const daemon = await start();
    await get(daemon, 1, 3);
    const backup = join(home, 'backup.db');
    expect((await svcd('owned', 'backup', backup)).code).toBe(0);
    await daemon.end();
    for (const end of ['', '-wal', '-shm']) rmSync(join(home, `owned.db${end}`), { force: true });
    await (await start()).end();
    const before = readFileSync(backup);
    const refused = await svcd('owned', 'backup', backup);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(/may be a better backup: owned\.db lacks 3 .*\n"svcd owned restore .*--force/);
    expect(readFileSync(backup).equals(before)).toBe(true);
    expect((await svcd('owned', 'backup', join(home, 'other.db'))).code).toBe(0);
    expect((await svcd('owned', 'backup', backup, '--force')).code).toBe(0);
    expect(readFileSync(backup).equals(before)).toBe(false);
  });
});

describe('svcd owned restore', () => {
  it.each(['owned.ndjson', 'owned.ndjson.gz', 'owned.ndjson.br'])('tells %s from a backup', async (name) => {
    const { home, svcd } = await makeWorld();
    for (const kind of ['owned', 'library']) {
      const file = join(home, name);
      expect((await svcd(kind, 'export', file, '--overwrite')).code).toBe(0);
      const refused = await svcd('owned', 'restore', file);
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toContain(`is an export, no backup\n"svcd ${kind} import ${file}"`);
    }
  });
});

describe('after kill -9', () => {
  const damages: readonly (readonly [string, (log: string) => void])[] = [
    ['deleted', (log) => rmSync(log, { force: true })],
    ['cut short', (log) => existsSync(log) && truncateSync(log, 100)],
    ['overwritten', (log) => existsSync(log) && writeFileSync(log, Buffer.alloc(40_000, 7))],
  ];
  it.each(damages)('a log that is %s costs nothing again', async (_, damage) => {
    const { remote, home, start } = await makeWorld();
    const daemon = await start();
    await get(daemon, 1, 5);
    await daemon.end('SIGKILL');
    damage(join(home, 'owned.db-wal'));
    expect(await get(await start(), 1, 5)).toEqual(repeated('owned', 5));
    expect(remote.account.spent()).toBe(5);
  });

  it('a home whose owned.db is an old copy buys nothing and says so everywhere, until it is restored', async () => {
    const { remote, home, start, svcd } = await makeWorld();
    const daemon = await start();
    await get(daemon, 1, 3);
    const old = join(home, 'old.db');
    const whole = join(home, 'whole.db');
    copyFileSync(join(home, 'owned.db'), old);
    await get(daemon, 4, 6);
    await svcd('owned', 'backup', whole);
    await daemon.end('SIGKILL');
    for (const end of ['-wal', '-shm']) rmSync(join(home, `owned.db${end}`), { force: true });
    copyFileSync(old, join(home, 'owned.db'));
    const again = await start();
    expect(await get(again, 3, 4)).toEqual(['owned', 'default spending_stopped']);
    const told = [await svcd('status'), await svcd('usage'), await svcd('doctor')].map(({ stdout }) => stdout);
    for (const text of told) expect(text.replace(/\s+/g, ' ')).toContain('lacks 3 of the 6 purchases');
    expect((await svcd('get', 'backup/5', '--strict', '-o', '-')).code).toBe(11);
    expect((await svcd('owned', 'restore', whole)).code).toBe(5);
    await again.end();
    const restored = await svcd('owned', 'restore', whole, '--json');
    expect(JSON.parse(restored.stdout)).toMatchObject({ purchases: 6, loss: null });
    expect(readdirSync(home).filter((name) => name.startsWith('owned.db.replaced-')).length).toBeGreaterThan(0);
    expect(await get(await start(), 1, 7)).toEqual([...repeated('owned', 6), 'remote']);
    expect(remote.account.spent()).toBe(7);
  });

  it('an owned.db that is lost for good buys again once the user accepts that', async () => {
    const { remote, home, start, svcd } = await makeWorld();
    await get(await start(), 1, 2);
    await svcd('stop');
    for (const name of readdirSync(home)) if (name.startsWith('owned.db')) rmSync(join(home, name));
    const again = await start();
    expect(await get(again, 1, 1)).toEqual(['default spending_stopped']);
    expect((await svcd('doctor')).code).toBe(1);
    await svcd('doctor', '--accept-loss');
    await expect.poll(() => get(again, 1, 1)).toEqual(['remote']);
    expect(remote.account.spent()).toBe(3);
  });
});

describe('the mark outside of the home', () => {
  it('lies in no folder that depends on the current one, whatever XDG_STATE_HOME says', async () => {
    const { home, env, remote } = await makeWorld();
    const work = join(home, 'work');
    mkdirSync(work);
    const bought = await runHere(['get', 'backup/1', '-o', 'one.json'], {
      home,
      env: { ...env, XDG_STATE_HOME: 'state' },
      cwd: work,
    });
    expect([bought.code, remote.account.spent(), readdirSync(work)]).toEqual([0, 1, ['one.json']]);
    expect(readdirSync(join(home, '.local', 'state', 'svcd'))).toEqual([expect.stringMatching(/^owned-.*\.mark$/)]);
  });
});

describe('svcd owned restore', () => {
  it.each(['/', '.', '-', 'odd.db '])('refuses %j, which is no regular file, as a wrong argument', async (file) => {
    const { svcd } = await makeWorld();
    const refused = await svcd('owned', 'restore', file);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('regular file')]);
  });

  it.each(['nothing', 'a text', 'another database'])('of %s changes nothing', async (what) => {
    const { home, start, svcd } = await makeWorld();
    await get(await start(), 1, 1);
    await svcd('stop');
    const file = join(home, 'odd.db');
    if (what === 'a text') writeFileSync(file, 'no database '.repeat(1000));
    if (what === 'another database') copyFileSync(join(home, 'library.db'), file);
    const refused = await svcd('owned', 'restore', file);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain(what === 'a text' ? 'odd.db is no backup' : 'odd.db');
    expect(await get(await start(), 1, 1)).toEqual(['owned']);
  });
});

describe('svcd budget stop', () => {
  it('stops every purchase, also after a restart, is told, and is lifted', async () => {
    const { remote, start, svcd } = await makeWorld();
    const daemon = await start();
    expect(await get(daemon, 1, 1)).toEqual(['remote']);
    expect((await svcd('budget', 'stop')).stdout).toContain('svcd budget resume');
    expect((await svcd('budget')).stdout).toContain('svcd budget resume');
    expect(await get(daemon, 1, 2)).toEqual(['owned', 'default spending_stopped']);
    expect((await svcd('get', 'backup/2', '--strict', '-o', '-')).code).toBe(11);
    await daemon.end();
    const again = await start();
    expect(await get(again, 2, 2)).toEqual(['default spending_stopped']);
    for (const command of ['status', 'usage', 'doctor'])
      expect((await svcd(command)).stdout).toContain('budget resume');
    expect((await svcd('budget', 'resume')).code).toBe(0);
    expect(await get(again, 2, 2)).toEqual(['remote']);
    expect(remote.account.spent()).toBe(2);
  });
});
