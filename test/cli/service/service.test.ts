// What is written for systemd, launchd and the Task Scheduler, and what is said where it cannot be: none of it needs systemd.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Definition, plistText, recordIn, taskText, unitText } from '../../../src/cli/service/templates.js';
import { driftOf, findService, stateOf } from '../../../src/cli/service/systems.js';
import { eachHome, expectRefusal } from '../../support/in-test.js';
import { describeIf, hasProgram, itIf, LINUX, type Need } from '../../support/requires.js';
import { runSvcd } from '../../support/run-svcd.js';

const SYSTEMD_ANALYZE: Need = {
  isMet: () => hasProgram('systemd-analyze'),
  advice: 'install systemd (Debian: apt-get install systemd)',
  instead: 'the unit is compared with one that was checked, and its ExecStart is run',
};

const GOLDEN = join(import.meta.dirname, 'golden');
const BUILT = join(import.meta.dirname, '..', '..', '..', 'bin', 'svcd.js');

const plain: Definition = {
  name: 'svcd',
  home: '/home/ann/.local/share/svcd',
  node: '/usr/bin/node',
  script: '/usr/lib/node_modules/svcd/bin/svcd.js',
  flags: ['--port=7900', '--sandbox=true'],
  version: '1.2.3',
};
const odd: Definition = {
  ...plain,
  home: String.raw`/home/<ann> & "bob"/100% $HOME \n 生日`,
  flags: ['--key-file=${CREDENTIALS_DIRECTORY}/service.key'],
};

let home: string;
eachHome((fresh) => (home = fresh));

describe('the text of a service', () => {
  it.each([
    ['svcd.service', unitText(plain)],
    ['svcd-odd.service', unitText(odd)],
    ['svcd.plist', plistText(plain)],
    ['svcd-odd.plist', plistText(odd)],
    [
      'svcd-task.xml',
      taskText({ ...plain, home: 'C:\\Users\\Ann & Bob\\svcd\\', node: 'C:\\node\\node.exe' }, 'Ann & Bob'),
    ],
  ])('is as in %s', (file, text) => {
    expect(text).toBe(readFileSync(join(GOLDEN, file), 'utf8'));
  });

  it('tells what it was written from', () => {
    for (const definition of [plain, odd]) expect(recordIn('svcd', unitText(definition))).toEqual(definition);
    expect(recordIn('svcd', '[Service]\nExecStart=/bin/true\n')).toBeUndefined();
    expect(recordIn('svcd', unitText(plain).replace(/Installed=.*/, 'Installed={"home":1}'))).toBeUndefined();
  });

  it.each([
    ['a line break', { home: '/home/a\nb' }],
    ['bytes that are no UTF-8', { home: '/home/\ufffd' }],
    ['a quote in the path of Node', { node: '/opt/my "node"/node' }],
    ['a backslash in it', { node: '/opt/my\\node' }],
  ])('is refused for %s, which systemd cannot take', (_what, part) => {
    const [value = ''] = Object.values(part);
    expect(() => unitText({ ...plain, ...part })).toThrow(JSON.stringify(value).slice(1));
  });

  itIf(SYSTEMD_ANALYZE, 'is what systemd-analyze accepts', () => {
    mkdirSync(join(home, 'run'), { mode: 0o700 });
    const env = { PATH: process.env['PATH'], HOME: home, XDG_RUNTIME_DIR: join(home, 'run') };
    for (const definition of [plain, odd]) {
      const file = join(home, `${definition.name}.service`);
      writeFileSync(file, unitText({ ...definition, node: process.execPath, script: BUILT }));
      const { status, stderr } = spawnSync('systemd-analyze', ['--user', '--man=no', 'verify', file], {
        env,
        encoding: 'utf8',
      });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    }
  });

  it('has drifted nowhere where there is none', async () => {
    const found = await findService(home);
    expect(await driftOf(home, found, await stateOf(found))).toEqual([]);
  });

  it('starts svcd by its ExecStart, as written', async () => {
    const own = join(home, String.raw`100% $HOME "q" \n`);
    mkdirSync(own, { mode: 0o700 });
    const unit = unitText({ ...plain, node: process.execPath, script: BUILT, home: own, flags: ['--port=0'] });
    const line = /^ExecStart=(.*)$/m.exec(unit)?.[1] ?? '';
    const words = [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = '']) =>
      word.replaceAll(/\\(.)/g, '$1').replaceAll('%%', '%').replaceAll('$$', '$'),
    );
    const [program = '', ...args] = words;
    const child = spawn(program, args, { env: {}, stdio: ['ignore', 'pipe', 'inherit'] });
    await expect.poll(() => existsSync(join(own, 'runtime.json'))).toBe(true);
    const status = () => runSvcd(['status', '--json', '--home', own], { home });
    await expect.poll(async () => (await status()).code).toBe(0);
    expect((await runSvcd(['stop', '--home', own], { home })).code).toBe(0);
    // What systemd does not start again (Restart=on-failure).
    await expect.poll(() => child.exitCode).toBe(0);
  });
});

describeIf(LINUX, 'svcd service, where it cannot be installed,', () => {
  const service = (args: readonly string[], env: Record<string, string> = {}, program?: string) =>
    runSvcd(['service', ...args], {
      home: join(home, 'svcd'),
      env: { HOME: home, PATH: bin(), ...env },
      ...(program !== undefined && { program }),
    });
  const bin = () => join(home, 'bin');
  const answerAsSystemctl = (script: string) =>
    writeFileSync(join(bin(), 'systemctl'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  beforeEach(() => mkdirSync(bin()));

  const nothingWritten = () =>
    expect(readdirSync(home).filter((name) => name !== 'bin' && name !== 'svcd')).toEqual([]);

  it('says that there is no systemd, and what to do in a container', async () => {
    expectRefusal(await service(['install']), /no systemd here.*\n.*container.*"svcd start"/, 18);
    const { stdout } = await service(['status']);
    expect(stdout).toContain('not installed');
    expect((await service(['remove'])).code).toBe(0);
    nothingWritten();
  });

  it("says in systemd's own words that no manager of the user runs", async () => {
    answerAsSystemctl('echo "Failed to connect to bus: No medium found" >&2; exit 1');
    expectRefusal(await service(['install']), /Failed to connect to bus: No medium found\n.*ssh/, 18);
    expect((await service(['install', '--lang', 'zh'])).stderr).toMatch(
      /systemd 没有为此用户运行服务：Failed to connect/,
    );
    nothingWritten();
  });

  it('says which command of systemd failed, with its words', async () => {
    answerAsSystemctl(
      'case "$*" in *daemon-reload*) echo "Failed to reload: Access denied" >&2; exit 1;; *) echo 252;; esac',
    );
    expectRefusal(
      await service(['install']),
      '"systemctl --user daemon-reload" failed: Failed to reload: Access denied',
      18,
    );
  });

  it('names the unit file that cannot be written', async () => {
    answerAsSystemctl('echo 252');
    writeFileSync(join(home, '.config'), '');
    const { code, stderr } = await service(['install']);
    const unit = join(home, '.config/systemd/user/svcd-svcd-');
    expect([code, stderr]).toEqual([18, expect.stringContaining(unit)]);
    expect(stderr).toMatch(/cannot be read or written \(.*\)\n.*writable/);
  });

  it('leaves the service of root to root: not by sudo', async () => {
    answerAsSystemctl('echo 252');
    const { code, stderr } = await service(['install'], { SUDO_USER: 'ann', SUDO_UID: '1000' });
    // Who is not root has left sudo behind.
    const isRoot = process.getuid?.() === 0;
    expect(/for root, and not for ann\n.*without sudo/.test(stderr)).toBe(isRoot);
    expect(code).toBe(18);
  });

  it('refuses a program in the cache of npx, which is emptied', async () => {
    answerAsSystemctl('echo 252');
    const program = join(home, 'bin', '_npx', 'a1', 'svcd.js');
    mkdirSync(dirname(program), { recursive: true });
    symlinkSync(BUILT, program);
    expectRefusal(await service(['install'], {}, program), 'npm install -g svcd', 18);
    nothingWritten();
  });

  itIf(LINUX, 'refuses settings that svcd start would refuse', async () => {
    expectRefusal(await service(['install', '--port', 'x']), '--port');
    nothingWritten();
  });
});
