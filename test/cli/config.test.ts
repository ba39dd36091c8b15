// svcd config: what is set, who set it, and changing it.

import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SETTINGS } from '../../src/config/settings.js';
import { eachHome, expectRefusal } from '../support/in-test.js';
import { runHere } from '../support/run-here.js';
import { runSvcd } from '../support/run-svcd.js';

let home: string;
eachHome((fresh) => (home = fresh));

const show = async (env: Record<string, string> = {}, ...flags: string[]) =>
  JSON.parse((await runHere(['config', ...flags, '--json'], { home, env })).stdout) as Record<string, unknown>;

it('status and start name what is no setting, with the nearest one', async () => {
  writeFileSync(join(home, 'config.json'), JSON.stringify({ remot: 'https://assets.example.com' }));
  const named = 'config.json has "remot", which is no setting and has no effect; did you mean remote?';
  expect((await runHere(['status'], { home })).stderr).toContain(named);
  // Its input has ended already.
  const started = await runSvcd(['start', '--sandbox', '--port', '0', '--until-input-ends'], { home });
  expect(started).toMatchObject({ code: 0, stderr: expect.stringContaining(named) });
});

describe('svcd config', () => {
  it('shows every setting with where its value comes from: flag before environment before file', async () => {
    writeFileSync(join(home, 'config.json'), JSON.stringify({ port: 1111, deadlineMs: 50, offline: true }));
    const settings = await show({ SVCD_PORT: '2222', SVCD_DEADLINE_MS: '60' }, '--port', '3333');
    expect(Object.keys(settings)).toEqual(SETTINGS.map(({ name }) => name));
    expect(settings).toMatchObject({
      home: { value: home, from: 'environment' },
      port: { value: 3333, from: 'flag' },
      deadlineMs: { value: 60, from: 'environment' },
      offline: { value: true, from: 'file' },
      remote: { value: null, from: 'default' },
    });
  });

  it('names the time zone of the system where none is set', async () => {
    const { stdout } = await runHere(['config'], { home, env: { TZ: 'Asia/Tokyo' } });
    expect(stdout).toMatch(/timeZone +default +Asia\/Tokyo \(the system's\)/);
  });

  it('sets a folder that is there, can be written and is no home of svcd, by an absolute path', async () => {
    const folder = join(home, '..', `${basename(home)}-files`);
    const set = (path: string) => runHere(['config', 'set', 'folder', path], { home });
    expect(await set(folder)).toMatchObject({ code: 2, stderr: expect.stringContaining('is not there') as string });
    mkdirSync(folder);
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    expect(await set('files')).toMatchObject({ code: 2, stderr: expect.stringContaining('absolute path') as string });
    expect(await set(home)).toMatchObject({ code: 2, stderr: expect.stringContaining('home of svcd') as string });
    expect(await show()).toMatchObject({ folder: { value: null, from: 'default' } });
    expect(await set(folder)).toMatchObject({ code: 0, stdout: `folder is ${folder} from now on.\n` });
    expect(await show()).toMatchObject({ folder: { value: folder, from: 'file' } });
  });

  it('sets and unsets, by the name in the file or the flag', async () => {
    const set = await runHere(['config', 'set', 'deadline-ms', '900'], { home });
    expect(set).toMatchObject({ code: 0, stderr: '' });
    const file = join(home, 'config.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ deadlineMs: 900 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await show()).toMatchObject({ deadlineMs: { value: 900, from: 'file' } });
    await runHere(['config', 'unset', 'deadlineMs'], { home });
    expect(await show()).toMatchObject({ deadlineMs: { from: 'default' } });
  });

  it.each(['hubDatabase', 'hub-database-owner'])('keeps the password of %s, and does not print it', async (name) => {
    const address = 'postgres://svcd:hush@db.example.com/svcd';
    for (const args of [[], ['--json']]) {
      const { code, stdout, stderr } = await runHere(['config', 'set', name, address, ...args], { home });
      expect(code).toBe(0);
      expect(stdout).toContain('postgres://svcd@db.example.com/svcd');
      expect(stdout + stderr).not.toContain('hush');
      expect(stderr).toContain('lists of processes');
    }
    rmSync(join(home, 'config.json'));
    const piped = await runHere(['config', 'set', name], { home, stdin: `${address}\n` });
    expect(piped).toMatchObject({ code: 0, stderr: '' });
    expect(piped.stdout).not.toContain('hush');
    expectRefusal(await runHere(['config', 'set', name], { home }), 'VALUE is missing');
    expect(readFileSync(join(home, 'config.json'), 'utf8')).toContain(address);
  });

  it.each([
    ['127.0.0.1:3128', 'http://127.0.0.1:3128'],
    ['HTTP://Proxy:80/', 'http://proxy'],
    ['DIRECT', 'direct'],
  ])('keeps the proxy %s as it is read, and takes no address for a password', async (typed, kept) => {
    const { code, stdout, stderr } = await runHere(['config', 'set', 'proxy', typed, '--json'], { home });
    expect([code, (JSON.parse(stdout) as { value: string }).value, stderr]).toEqual([0, kept, '']);
    await runHere(['config', 'unset', 'proxy'], { home });
  });

  it('takes out a setting that svcd does not know, and sets none', async () => {
    const file = join(home, 'config.json');
    writeFileSync(file, JSON.stringify({ prot: 1, offline: true }));
    expect((await runHere(['config', 'unset', 'port'], { home })).code).toBe(0);
    expect(await runHere(['config', 'unset', 'prot'], { home })).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ offline: true });
    expect((await runHere(['config', 'unset', 'prot'], { home })).code).toBe(2);
  });

  it.each([
    [['set', 'port', 'abc'], '"abc"'],
    [['set', 'remote', 'http://example.com'], 'https://'],
    [['set', 'prot', '1'], 'did you mean port?'],
    [['set', 'home', '/tmp'], 'SVCD_HOME'],
    [['set', 'port'], 'VALUE is missing'],
    [['sett', 'port', '1'], 'did you mean set?'],
  ])('refuses %j', async (args, named) => {
    expectRefusal(await runHere(['config', ...args], { home }), named);
  });

  it.each(['key-file', 'package', 'remote', 'port', 'timeZone', 'sk-live-argument'])(
    'stores no Key that was typed as the value of %s, and does not repeat it',
    async (name) => {
      const { code, stdout, stderr } = await runHere(['config', 'set', name, 'sk-live-argument'], { home });
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).not.toContain('live');
      if (name !== 'sk-live-argument') expect(stderr).toContain('svcd key set');
      expect(existsSync(join(home, 'config.json'))).toBe(false);
      const env = { SVCD_KEY_FILE: 'sk-live-argument' };
      const given = await runHere(['config'], { home, env });
      expect([given.code, given.stderr]).toEqual([2, expect.not.stringContaining('live')]);
      expect(await runHere(['config', 'set', 'key-file', './sk-mine'], { home, cwd: home })).toMatchObject({ code: 0 });
    },
  );

  it('names the file that is broken, and where it is', async () => {
    const file = join(home, 'config.json');
    expect((await runHere(['config', 'path'], { home })).stdout).toBe(`${file}\n`);
    writeFileSync(file, '{"port": ');
    expectRefusal(await runHere(['config'], { home }), file);
  });
});
