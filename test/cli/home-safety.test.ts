// Which folders svcd takes for its home: none where somebody else says to whom the Key is sent; and what it leaves alone.

import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createNew, replaceFile } from '../../src/platform/files/files.js';
import { eachHome } from '../support/in-test.js';
import { startRecordingRemote } from '../support/recording-remote.js';
import { describeIf, OTHER_USERS } from '../support/requires.js';
import { runHere } from '../support/run-here.js';
import { runSvcd } from '../support/run-svcd.js';

let folder: string;
eachHome((fresh) => (folder = fresh));

const KEY = { SERVICE_API_KEY: 'sk-mine' };
const modeOf = (path: string) => statSync(path).mode & 0o777;

/** A home whose settings send the Key to a stranger, who hears nothing if all is well. */
async function plant(home: string) {
  const stranger = await startRecordingRemote();
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'config.json'), JSON.stringify({ remote: stranger.url }));
  return stranger;
}

describe('a variable that names no absolute folder', () => {
  it.each([
    ['HOME', { HOME: '' }],
    ['HOME', { HOME: 'sub' }],
    ['XDG_DATA_HOME', { XDG_DATA_HOME: 'data' }],
    ['SVCD_HOME', { SVCD_HOME: 'data/svcd' }],
  ])('%s is refused, whatever settings lie in the current folder: %j', async (name, env) => {
    const strangers = [];
    for (const home of ['.local/share/svcd', 'sub/.local/share/svcd', 'data/svcd']) {
      strangers.push(await plant(join(folder, home)));
    }
    for (const command of [['usage'], ['get', 'food/cake', '-o', '-'], ['config']]) {
      const told = await runHere(command, { home: folder, cwd: folder, env: { ...KEY, SVCD_HOME: '', ...env } });
      expect(told).toMatchObject({ code: 2, stdout: '' });
      expect(told.stderr).toContain(`${name}=`);
      expect(told.stderr).toContain('--home DIR');
    }
    expect(strangers.flatMap(({ seen }) => seen)).toEqual([]);
  });
});

describe('a home that other users can write in', () => {
  it('is refused with the command that mends it, and so are such settings', async () => {
    const home = join(folder, 'home');
    const stranger = await plant(home);
    chmodSync(home, 0o777);
    const open = await runHere(['usage'], { home, env: KEY });
    expect([open.code, open.stderr]).toEqual([2, expect.stringContaining(`chmod 700 ${home}`)]);
    chmodSync(home, 0o755);
    chmodSync(join(home, 'config.json'), 0o666);
    const settings = await runHere(['usage'], { home, env: KEY });
    expect([settings.code, settings.stderr]).toEqual([2, expect.stringContaining(`chmod 600 ${home}/config.json`)]);
    expect(stranger.seen).toEqual([]);
    chmodSync(join(home, 'config.json'), 0o644);
    await runHere(['usage'], { home, env: KEY });
    expect(stranger.seen.length).toBeGreaterThan(0);
  });

  it.each([0o777, 0o1777, 0o757])('is refused while it is empty too, and left as it is (mode %o)', async (mode) => {
    const home = join(folder, 'home');
    mkdirSync(home);
    chmodSync(home, mode);
    for (const command of [['config', 'set', 'port', '1234'], ['search', '生日'], ['env']]) {
      const told = await runHere(command, { home });
      expect([told.code, told.stderr]).toEqual([2, expect.stringContaining(`chmod 700 ${home}`)]);
      expect(told.stderr).toContain(`(mode ${mode.toString(8)})`);
    }
    expect([readdirSync(home), statSync(home).mode & 0o7777]).toEqual([[], mode]);
    chmodSync(home, 0o755);
    expect(await runHere(['config', 'set', 'port', '1234'], { home })).toMatchObject({ code: 0 });
  });
});

describeIf(OTHER_USERS, 'a home of another user', () => {
  it.each(['', 'not/there/yet'])('is refused, also by root: %j', async (below) => {
    const home = join(folder, 'theirs');
    const stranger = await plant(home);
    for (const path of [home, join(home, 'config.json')]) chownSync(path, 12_345, 12_345);
    const told = await runHere(['usage'], { home: join(home, below), env: KEY });
    expect(told.code).toBe(7);
    expect(told.stderr).toMatch(/belongs to user 12345, and you are user 0/);
    expect(told.stderr).toContain(`chown -R 0 ${home}`);
    expect([stranger.seen, existsSync(join(home, 'not'))]).toEqual([[], false]);
  });

  it('is told apart from one that is not there, where its folder is closed', async () => {
    const home = join(folder, 'closed', 'home');
    mkdirSync(dirname(home), { mode: 0o700 });
    const as = ['setpriv', '--reuid=12345', '--regid=12345', '--clear-groups'];
    chmodSync(folder, 0o755);
    for (const command of [['status'], ['search', 'cake']]) {
      const told = await runSvcd([...command, '--home', home], { home: folder, through: as });
      expect(told).toMatchObject({ code: 7, stdout: '' });
      expect(told.stderr).toMatch(
        /is closed to this user \(EACCES\)\nEACCES: this user may not\..*\nGive a folder with --home/,
      );
    }
  });

  it('is not opened for settings of another user in a home of ours', async () => {
    const stranger = await plant(folder);
    chownSync(join(folder, 'config.json'), 12_345, 12_345);
    expect(await runHere(['usage'], { home: folder, env: KEY })).toMatchObject({ code: 2 });
    expect(stranger.seen).toEqual([]);
  });
});

describe('a folder with other things in it', () => {
  it('keeps its mode, whatever command is given it as a home', async () => {
    writeFileSync(join(folder, 'thesis.txt'), 'mine');
    chmodSync(folder, 0o755);
    for (const command of [['doctor'], ['search', '生日'], ['config', 'set', 'port', '1234'], ['search', '生日']]) {
      await runHere([...command, '--home', folder], { home: folder });
      expect(modeOf(folder), command.join(' ')).toBe(0o755);
    }
    expect(modeOf(join(folder, 'config.json'))).toBe(0o600);
  });
});

describe('a file that is written and renamed', () => {
  it('never goes through a link that lies in its way', () => {
    const victim = join(folder, 'victim');
    writeFileSync(victim, 'precious');
    chmodSync(victim, 0o644);
    symlinkSync(victim, join(folder, 'config.json.new'));
    symlinkSync(join(folder, 'nothing'), join(folder, 'dangling'));
    replaceFile(join(folder, 'config.json'), '{}');
    for (const name of ['victim', 'dangling']) expect(() => createNew(join(folder, name))).toThrow('EEXIST');
    expect([readFileSync(victim, 'utf8'), modeOf(victim), existsSync(join(folder, 'nothing'))]).toEqual([
      'precious',
      0o644,
      false,
    ]);
    expect(readFileSync(join(folder, 'config.json'), 'utf8')).toBe('{}');
  });

  it('is no database behind a link that leads nowhere', async () => {
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'owned.db'));
    expect((await runHere(['search', '生日'], { home: folder })).code).not.toBe(0);
    expect(existsSync(join(folder, 'elsewhere'))).toBe(false);
  });
});

describeIf(OTHER_USERS, 'a user whom the system does not know, without HOME', () => {
  const run = (args: readonly string[], unset: readonly string[]) => {
    const as = ['setpriv', '--reuid=54321', '--regid=54321', '--clear-groups'];
    return runSvcd(args, { home: folder, through: ['env', ...unset.map((name) => `--unset=${name}`), ...as] });
  };
  beforeEach(() => chownSync(folder, 54_321, 54_321));

  it('is told what to name, in one sentence', async () => {
    for (const command of [['status'], ['search', 'cake'], ['config', 'show'], ['start', '--sandbox']]) {
      const told = await run(command, ['HOME', 'SVCD_HOME']);
      expect(told).toMatchObject({ code: 2, stdout: '' });
      expect(told.stderr).toBe(
        'svcd: HOME is not set, and the system knows no home folder of user 54321\n' +
          'Give a folder with --home DIR, or set SVCD_HOME to an absolute path.\n',
      );
    }
  });

  it('needs nothing else than a home that was named', async () => {
    expect(await run(['search', 'cake', '--json'], ['HOME'])).toMatchObject({ code: 0, stderr: '' });
    const { stdout } = await run(['doctor', '--json'], ['HOME']);
    expect(stdout).not.toContain('could not be checked');
  });
});
