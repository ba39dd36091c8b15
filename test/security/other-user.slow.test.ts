// Another user of the same machine: made for this test, tries what it can, gets nothing. Needs root to be made.

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { describeIf, OTHER_USERS } from '../support/requires.js';
import { runSvcd } from '../support/run-svcd.js';
import { startSvcd } from '../support/start-svcd.js';

/** A user with no rights and no home; its number. */
function makeUser(): number {
  const name = `svcdtest${process.pid}`;
  const made = spawnSync('useradd', ['--no-create-home', '--shell', '/bin/false', name], {
    encoding: 'utf8',
  });
  expect(made.status, made.stderr).toBe(0);
  onTestFinished(() => void spawnSync('userdel', [name]));
  return Number(spawnSync('id', ['-u', name], { encoding: 'utf8' }).stdout);
}

/** What a shell line says when that user runs it. */
function as(uid: number, program: string, args: readonly string[]) {
  const env = { PATH: process.env['PATH'] };
  return spawnSync(program, args, { uid, gid: uid, env, cwd: '/', encoding: 'utf8' });
}

/** A folder anybody may enter, so that only svcd's own rights protect the home in it. */
function makeOpenFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svcd-open-'));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const REQUESTS = `
  const [url] = process.argv.slice(1);
  const ask = async (method, path, body) => {
    const headers = { 'x-svcd-fallback': 'off', ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const answer = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) });
    return [method + ' ' + path, answer.status, answer.headers.get('x-service-credits-remaining')];
  };
  console.log(JSON.stringify([
    await ask('GET', '/api/v1/stickers/fluent-emoji-flat%2Fparty-popper'),
    await ask('POST', '/api/v1/images', '{"prompt":"a","size":"1024x1024"}'),
    await ask('GET', '/api/v1/me'),
    await ask('GET', '/api/v1/usage'),
    await ask('GET', '/svcd/purchases'),
    await ask('GET', '/svcd/spending'),
    await ask('GET', '/svcd/tokens'),
    await ask('GET', '/svcd/key'),
    await ask('POST', '/svcd/tokens', '{"name":"mine"}'),
    await ask('POST', '/svcd/session-code'),
    await ask('POST', '/svcd/offline', '{"offline":true}'),
    await ask('POST', '/svcd/stop'),
  ]));
`;

describeIf(OTHER_USERS, 'another user of this machine', () => {
  it('cannot read the home, the token or the purchases, and cannot spend', async () => {
    const uid = makeUser();
    const home = join(makeOpenFolder(), 'home');
    const daemon = await startSvcd(['--sandbox'], { home });
    onTestFinished(daemon.stop);
    const { url, token, pid } = daemon.info;
    const headers = { authorization: `Bearer ${token}` };
    await fetch(`${url}/api/v1/stickers/fluent-emoji-flat%2Fbirthday-cake`, { headers });
    const spent = async () => (await (await fetch(`${url}/svcd/spending`, { headers })).json()) as { spent: number };
    expect((await spent()).spent).toBe(1);

    const files = readdirSync(home).map((name) => join(home, name));
    expect(files.length).toBeGreaterThan(3);
    const tried = () => files.map((file) => as(uid, 'cat', [file]).status);
    // It can do something at all, or the rest would prove nothing.
    expect(as(uid, 'cat', ['/etc/hostname']).status).toBe(0);
    expect(as(uid, 'ls', [home]).status).not.toBe(0);
    expect(tried()).not.toContain(0);
    // Should somebody open the folder by mistake, the files are closed still.
    chmodSync(home, 0o755);
    expect(as(uid, 'ls', [home]).status).toBe(0);
    expect(tried()).not.toContain(0);
    expect(as(uid, 'sh', ['-c', `echo x > ${home}/new || echo x >> ${home}/runtime.json`]).status).not.toBe(0);
    chmodSync(home, 0o700);

    expect(as(uid, 'cat', [`/proc/${pid}/environ`]).status).not.toBe(0);
    expect(as(uid, 'cat', [`/proc/${pid}/cmdline`]).stdout).not.toContain('svcd_');

    const asked = as(uid, process.execPath, ['-e', REQUESTS, url]);
    expect(asked.stderr).toBe('');
    const told = JSON.parse(asked.stdout) as [string, number, string | null][];
    expect(told.filter(([, status]) => status !== 401)).toEqual([]);
    expect(told.map(([, , balance]) => balance)).toEqual(told.map(() => null));
    expect((await spent()).spent).toBe(1);
    expect((await runSvcd(['status'], { home })).code).toBe(0);
  });
});
