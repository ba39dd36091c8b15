// svcd doctor: says what is bad and ends with 1, leaves everything as it is, and reports no secret.

import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Check } from '../support/break-home.js';
import { makeHome, runSvcd } from '../support/run-svcd.js';
import { Sqlite } from '../support/sqlite.js';
import { startSvcd } from '../support/start-svcd.js';

let home: string;
let removeHome: () => void;
beforeEach(() => {
  ({ home, remove: removeHome } = makeHome());
});
afterEach(() => removeHome());

async function doctor(args: readonly string[] = [], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runSvcd(['doctor', '--json', ...args], {
    home,
    env: { SVCD_PORT: '0', ...env },
  });
  const { checks } = JSON.parse(stdout) as { checks: Check[] };
  return { code, stderr, of: (name: string) => checks.find((check) => check.name === name) };
}

describe('svcd doctor', () => {
  it('finds nothing bad with a daemon on the sandbox, and looks at all of it', async () => {
    const daemon = await startSvcd(['--sandbox'], { home });
    onTestFinished(daemon.stop);
    const { code, of } = await doctor();
    expect(code).toBe(0);
    for (const name of [
      'node',
      'better-sqlite3',
      'home',
      'owned.db',
      'library.db',
      'daemon',
      'port',
      'remote',
      'Key',
    ]) {
      expect(of(name), name).toMatchObject({ state: 'ok' });
    }
    // What cannot be used, and is not needed, is not called ok and unusable in one line.
    expect(of('keychain')).toMatchObject({ code: 'not_needed', state: 'ok' });
    expect([of('disk')?.words, of('clock')?.words]).toEqual([
      expect.stringContaining('MiB free'),
      expect.stringMatching(/^it is \d{4}-/),
    ]);
  });

  it('finds purchases that a wrong clock dated in the future, and counts them as of today when told to', async () => {
    const daemon = await startSvcd(['--sandbox'], { home });
    onTestFinished(daemon.stop);
    const found = await runSvcd(['search', '生日', '--json'], { home });
    const { results } = JSON.parse(found.stdout) as { results: { preset: string }[] };
    await runSvcd(['get', results.at(-1)?.preset ?? '', '-o', join(home, 'a.json')], { home });
    const db = new Sqlite(join(home, 'owned.db'));
    onTestFinished(() => void db.close());
    expect(db.prepare(`UPDATE purchase SET day = '2106-11-22', created_at = 4320000000000`).run().changes).toBe(1);
    const { of } = await doctor();
    expect(of('dates')).toMatchObject({ state: 'warn', words: expect.stringContaining('2106-11-22') as unknown });
    expect((await doctor(['--mend-dates'])).of('dates')?.state).toBe('ok');
    expect((await doctor()).of('dates')?.words).toBe('no purchase is dated in the future');
    const spending = await runSvcd(['budget', '--json'], { home });
    expect(JSON.parse(spending.stdout)).toMatchObject({
      budgets: expect.arrayContaining([expect.objectContaining({ period: 'day', spent: 1 })]) as unknown,
    });
  });

  it('warns of a purchase that was paid for in vain, as the list of purchases does, until it is bought again', async () => {
    const daemon = await startSvcd(['--sandbox'], { home });
    onTestFinished(daemon.stop);
    const svcd = (...args: string[]) => runSvcd(args, { home });
    await svcd('get', 'fluent-emoji-flat/balloon', '-o', join(home, 'a.json'));
    expect((await doctor()).of('paid')?.state).toBe('ok');
    expect((await svcd('purchases')).stdout).not.toContain('retry');
    await daemon.end();
    const db = new Sqlite(join(home, 'owned.db'));
    // As the balance settles a purchase whose bytes never came.
    db.exec(`UPDATE purchase SET reason = 'bytes_lost'; DELETE FROM owned`);
    db.close();
    const again = await startSvcd(['--sandbox'], { home });
    onTestFinished(again.stop);
    expect((await doctor()).of('paid')).toMatchObject({
      state: 'warn',
      words: 'purchase 1 was paid for and nothing of it is owned',
      command: 'svcd purchases retry 1',
    });
    expect((await svcd('purchases')).stdout).toMatch(
      /One purchase was paid for, but its file is missing\..*\n +svcd purchases retry 1 +buys it again, for 1 credit more/,
    );
    expect((await svcd('purchases', 'retry', '1', '--yes')).code).toBe(0);
    expect((await doctor()).of('paid')?.state).toBe('ok');
    expect((await svcd('purchases')).stdout).not.toContain('retry');
  });

  it('says that owned.db is damaged, ends with 1, and leaves the file as it is', async () => {
    const daemon = await startSvcd(['--sandbox'], { home });
    await daemon.end();
    const file = join(home, 'owned.db');
    writeFileSync(file, Buffer.concat([readFileSync(file).subarray(0, 16_384), Buffer.alloc(200_000, 7)]));
    const before = readFileSync(file);
    const { code, of } = await doctor();
    expect([code, of('owned.db')?.state]).toEqual([1, 'bad']);
    expect(of('owned.db')).toMatchObject({
      code: 'owned_no_backup',
      hint: expect.stringContaining('backup') as unknown,
    });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('says that a home can be looked into, a setting cannot be read, and a port is taken', async () => {
    const daemon = await startSvcd([], { home });
    onTestFinished(daemon.stop);
    const other = makeHome();
    onTestFinished(other.remove);
    const port = new URL(daemon.info.url).port;
    const taken = await runSvcd(['doctor', '--json'], { home: other.home, env: { SVCD_PORT: port } });
    expect([taken.code, taken.stdout]).toEqual([
      1,
      expect.stringContaining(`${port} is that of another svcd (process ${daemon.info.pid})`),
    ]);
    const stranger = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void stranger.close());
    await once(stranger, 'listening');
    const used = String((stranger.address() as AddressInfo).port);
    const held = await runSvcd(['doctor', '--json'], { home: other.home, env: { SVCD_PORT: used } });
    expect([held.code, held.stdout]).toEqual([
      1,
      expect.stringMatching(new RegExp(`EADDRINUSE|process ${process.pid}`)),
    ]);

    chmodSync(home, 0o755);
    expect((await doctor()).of('home')).toMatchObject({ state: 'bad', command: `chmod 700 ${home}` });
    chmodSync(home, 0o700);
    writeFileSync(join(home, 'config.json'), '{');
    const broken = await doctor();
    expect([broken.code, broken.of('settings')?.state]).toEqual([1, 'bad']);
  });

  it('warns of a service that is not reached and of a Key that is missing', async () => {
    const { code, of } = await doctor([], { SVCD_REMOTE: 'http://127.0.0.1:9' });
    expect(code).toBe(0);
    expect([of('remote')?.state, of('Key')?.state, of('daemon')?.state]).toEqual(['warn', 'warn', 'warn']);
    expect(of('Key')?.command).toContain('svcd key set');
  });

  it('writes a private report without a secret, even one that stands where it does not belong, and over nothing', async () => {
    const file = join(home, 'report.json');
    writeFileSync(join(home, 'config.json'), JSON.stringify({ remote: 'sk-misplaced-0123456789' }));
    const { stderr } = await doctor(['--report', file], { SERVICE_API_KEY: 'sk-mine-0123456789' });
    expect(stderr).toBe('');
    const text = readFileSync(file, 'utf8');
    expect(text).not.toMatch(/misplaced|mine-0123/);
    expect(JSON.parse(text)).toMatchObject({ svcd: expect.any(String), checks: expect.any(Array) });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await runSvcd(['doctor', '--report', file], { home })).code).toBe(2);
  });

  it('speaks the language of the reader, and in JSON always English with the same codes', async () => {
    const env = { LANG: 'zh_CN.UTF-8', SVCD_PORT: '0' };
    const { stdout } = await runSvcd(['doctor'], { home, env });
    expect(stdout).toMatch(/^正常 +node +Node\.js /);
    expect(stdout).toContain('没有严重问题。');
    const inEnglish = await runSvcd(['doctor', '--json'], { home, env });
    expect(inEnglish.stdout).toContain('{"name":"settings","code":"settings_ok","state":"ok","words":"can be read');
  });

  it('makes nothing where there is nothing yet', async () => {
    const place = join(home, 'not', 'there');
    const { code, of } = await doctor(['--home', place]);
    expect([code, of('home')?.code, existsSync(join(home, 'not'))]).toEqual([0, 'home_new', false]);
  });
});
