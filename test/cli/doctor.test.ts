// svcd doctor: what it finds where all is well, mends of dates and money, the report. What it finds of things that are broken is
// in doctor-*.slow.test.ts, a row each.

import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Check } from '../support/break-home.js';
import { eachHome, startInTest } from '../support/in-test.js';
import { runSvcd } from '../support/run-svcd.js';
import { Sqlite } from '../support/sqlite.js';

let home: string;
eachHome((fresh) => (home = fresh));

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
    await startInTest(['--sandbox'], { home });
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
    await startInTest(['--sandbox'], { home });
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

  it('says, as a default does, why nothing is bought where owned.db was taken away while svcd runs', async () => {
    await startInTest(['--sandbox'], { home });
    renameSync(join(home, 'owned.db'), join(home, 'taken.db'));
    const { code, of } = await doctor();
    const words = expect.stringContaining('owned.db was removed, moved or replaced while svcd runs') as string;
    expect([code, of('spending')]).toMatchObject([1, { state: 'bad', code: 'spending_held', words }]);
    const got = await runSvcd(['get', 'twemoji/balloon', '-o', join(home, 'a.json')], { home });
    expect(got.stdout).toContain('put the file back, then run "svcd start"');
    expect(got.stdout).not.toContain('budget resume');
  });

  it('warns of a purchase that was paid for in vain, as the list of purchases does, until it is bought again', async () => {
    const daemon = await startInTest(['--sandbox'], { home });
    const svcd = (...args: string[]) => runSvcd(args, { home });
    await svcd('get', 'fluent-emoji-flat/balloon', '-o', join(home, 'a.json'));
    expect((await doctor()).of('paid')?.state).toBe('ok');
    expect((await svcd('purchases')).stdout).not.toContain('retry');
    await daemon.end();
    const db = new Sqlite(join(home, 'owned.db'));
    // As the balance settles a purchase whose bytes never came.
    db.exec(`UPDATE purchase SET reason = 'bytes_lost'; DELETE FROM owned`);
    db.close();
    await startInTest(['--sandbox'], { home });
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
