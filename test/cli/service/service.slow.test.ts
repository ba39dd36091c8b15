// svcd as a service of a real systemd user manager: installed, kept running, begun with the session, mended, removed.

import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { expectRefusal } from '../../support/in-test.js';
import { describeIf } from '../../support/requires.js';
import { collect, type Outcome, runSvcd, spawnSvcd } from '../../support/run-svcd.js';
import { startUserManager, USER_MANAGER, type UserManager } from '../../support/user-manager.js';

interface Status {
  readonly name: string;
  readonly installed: string;
  readonly enabled: boolean | null;
  readonly running: boolean;
  readonly pid: number | null;
  readonly url: string | null;
  readonly running_by_hand: number | null;
  readonly drift: readonly { readonly code: string; readonly mend: string }[];
}

const CANARY = 'sk-canary-0123456789-zzzz';

describeIf(USER_MANAGER, 'svcd service', () => {
  let user: UserManager;
  let unitFile: string;
  beforeEach(async () => {
    user = await startUserManager();
    unitFile = join(user.home, '.config/systemd/user/svcd.service');
  });
  afterEach(() => user.stop());

  /** SVCD_HOME empty: the usual home below the user's. */
  const svcd = (args: readonly string[], env: Record<string, string> = {}, program?: string): Promise<Outcome> =>
    runSvcd(args, {
      home: '',
      env: { ...user.env, ...env },
      through: user.through,
      cwd: user.home,
      ...(program !== undefined && { program }),
    });
  const done = async (args: readonly string[], env: Record<string, string> = {}) => {
    const { code, stdout, stderr } = await svcd(args, env);
    expect(code, stderr).toBe(0);
    return stdout + stderr;
  };
  const status = async (...args: readonly string[]) =>
    JSON.parse(await done(['service', 'status', '--json', ...args])) as Status;
  const driftCodes = async () => (await status()).drift.map(({ code }) => code);

  it('installs, runs, comes back after a crash and with the next session, and is removed but for the home', async () => {
    expect(await status()).toMatchObject({ name: 'svcd', installed: 'no', running: false });
    expect(await done(['service', 'install', '--port', '0'])).toContain('svcd is installed');
    const first = await status();
    expect(first).toMatchObject({ installed: 'yes', enabled: true, running: true, running_by_hand: null, drift: [] });
    expect(await done(['service', 'install'])).toContain('nothing had to be changed');
    expect((await status()).pid).toBe(first.pid);

    process.kill(first.pid ?? 0, 'SIGKILL');
    await expect.poll(async () => (await status()).running).toBe(true);
    const second = await status();
    expect(second.pid).not.toBe(first.pid);

    await user.reboot();
    await expect.poll(async () => (await status()).running).toBe(true);
    expect((await status()).pid).not.toBe(second.pid);
    expect(await done(['search', '--limit', '1', '生日'])).toContain('生日');

    expect(await done(['service', 'remove'])).toContain('stopped and removed');
    expect(await status()).toMatchObject({ installed: 'no', running: false, enabled: false });
    expect(await done(['service', 'remove'])).toContain('not installed; there is nothing to remove');
    expect(leftOver(user.home).filter((file) => !file.startsWith('.local/share/svcd/'))).toEqual([]);
    await user.reboot();
    expect(user.systemctl('list-units', '--all', '--no-legend', 'svcd*')).toBe('');
  });

  it('stays stopped after "svcd stop", which says that it comes back, and so does a start by hand', async () => {
    await done(['service', 'install', '--port', '0']);
    const before = user.systemctl('show', 'svcd', '--property=NRestarts', '--value');
    expect(await done(['stop'])).toContain('starts svcd again at the next login');
    // What would start it anew has its say after RestartSec; systemd tells at once that it will not.
    expect(user.systemctl('show', 'svcd', '--property=ActiveState,SubState,Result')).toBe(
      'Result=success\nActiveState=inactive\nSubState=dead\n',
    );
    expect(user.systemctl('show', 'svcd', '--property=NRestarts', '--value')).toBe(before);
    expect(await status()).toMatchObject({ installed: 'yes', running: false, drift: [] });
    const child = spawnSvcd(
      ['start', '--port', '0'],
      { home: '', env: user.env, through: user.through, cwd: user.home },
      ['ignore', 'ignore', 'pipe'],
    );
    const said = collect(child.stderr);
    await expect.poll(said).toContain('this home has a service, svcd');
    await expect.poll(async () => (await status()).running_by_hand).not.toBe(null);
    expectRefusal(await svcd(['service', 'install']), 'started by hand', 5);
    expect(await done(['service', 'remove'])).toContain('still runs');
    await done(['stop']);
  });

  it('refuses to install beside a daemon that was started by hand, and takes over when told', async () => {
    await done(['start', '--detach', '--port', '0']);
    expectRefusal(
      await svcd(['service', 'install', '--port', '0']),
      /started by hand, at http.* \(process \d+\)\n.*"svcd stop".*--take-over/,
      5,
    );
    expect(existsSync(unitFile)).toBe(false);
    await done(['service', 'install', '--port', '0', '--take-over']);
    expect(await status()).toMatchObject({ running: true, running_by_hand: null });
  });

  it('writes no Key, token or environment, and names the variables that it does not pass on', async () => {
    const secrets = { SERVICE_API_KEY: CANARY, SVCD_REMOTE: 'https://canary.example.com', SVCD_CANARY: CANARY };
    const said = await done(['service', 'install', '--port', '0'], secrets);
    expect(said).toContain('SVCD_REMOTE, SVCD_BACKGROUND_SYNC, SERVICE_API_KEY');
    expect(said).not.toContain(CANARY);
    const written = leftOver(user.home)
      .filter((file) => /^\.config|\.json$|\.log$/.test(file))
      .map((file) => readFileSync(join(user.home, file), 'latin1'))
      .join();
    expect(written + user.systemctl('show', 'svcd') + user.systemctl('show-environment')).not.toMatch(/canary/i);
    const { pid } = await status();
    expect(readFileSync(`/proc/${pid}/environ`, 'latin1')).not.toMatch(/canary/i);
    expect(readFileSync(unitFile, 'utf8')).not.toContain('Environment=');
  });

  it.each([
    ['a Node that is gone', (text: string) => text.replaceAll(process.execPath, '/gone/bin/node')],
    ['an svcd that is gone', (text: string) => text.replaceAll(/(?<=")[^" ]*\/bin\/svcd\.js/g, '/gone/bin/svcd.js')],
    ['another Node', (text: string) => text.replaceAll(process.execPath, '/bin/true')],
    ['another svcd', (text: string) => text.replaceAll(/(?<=")[^" ]*\/bin\/svcd\.js/g, '/dev/null')],
    ['a change by hand', (text: string) => text.replace('RestartSec=2', 'RestartSec=900')],
    ['another home', (text: string) => text.replaceAll('/share/svcd', '/share/other')],
    [
      'another version',
      (text: string) => text.replace(/"version":"[^"]*"/, '"version":"0.0.1"').replace('KillMode=mixed\n', ''),
    ],
  ])('tells %s, and the command that mends it', async (_what, breaks) => {
    await done(['service', 'install', '--port', '0']);
    const whole = readFileSync(unitFile, 'utf8');
    const broken = breaks(whole);
    expect(broken).not.toBe(whole);
    writeFileSync(unitFile, broken);
    expect(await driftCodes()).toEqual(['differs']);
    const people = await done(['service']);
    expect(people).toContain('Mend it with "svcd service install"');
    expect(await done(['service', '--lang', 'zh'])).toContain('修复命令');
    expect(await done(['service', 'install'])).toContain('Mended: ');
    expect(await status()).toMatchObject({ running: true, enabled: true, drift: [] });
    expect(readFileSync(unitFile, 'utf8')).toBe(whole);
  });

  it('tells that it no longer starts at login, and mends it', async () => {
    await done(['service', 'install', '--port', '0']);
    user.systemctl('disable', 'svcd');
    expect(await driftCodes()).toEqual(['disabled']);
    await done(['service', 'install']);
    expect(await status()).toMatchObject({ enabled: true, drift: [] });
  });

  it('leaves a unit of somebody else alone', async () => {
    mkdirSync(join(unitFile, '..'), { recursive: true });
    const foreign = '[Service]\nExecStart=/bin/sleep 1000\n';
    writeFileSync(unitFile, foreign);
    for (const args of [['install'], ['remove']]) {
      expectRefusal(await svcd(['service', ...args]), 'was not written by svcd', 18);
    }
    expect(await status()).toMatchObject({ installed: 'foreign' });
    expect(readFileSync(unitFile, 'utf8')).toBe(foreign);
  });

  it('gives each home a service of its own, also where the path needs quotes', async () => {
    const homes = ['one two', 'a/one two', String.raw`100%h $HOME "q" \n 生日'`].map((name) => join(user.home, name));
    const names: string[] = [];
    for (const home of homes) {
      await done(['service', 'install', '--port', '0', '--home', home]);
      const found = await status('--home', home);
      expect(found).toMatchObject({ running: true, drift: [] });
      expect(existsSync(join(home, 'runtime.json'))).toBe(true);
      names.push(found.name);
    }
    expect(new Set(names).size).toBe(3);
    expect(names[0]).toMatch(/^svcd-one-two-[0-9a-f]{8}$/);
    await done(['service', 'remove', '--home', homes[0] ?? '']);
    expect(await status('--home', homes[0] ?? '')).toMatchObject({ installed: 'no', running: false });
    expect(await status('--home', homes[1] ?? '')).toMatchObject({ installed: 'yes', running: true });
  });

  it('refuses a path that cannot be quoted, and installs nothing', async () => {
    expectRefusal(await svcd(['service', 'install', '--home', join(user.home, 'a\nb')]), String.raw`a\nb`);
    expect(existsSync(join(user.home, '.config'))).toBe(false);
  });

  it('runs a Node and an svcd at odd paths', async () => {
    const folder = join(user.home, 'N % $HOME 节点');
    mkdirSync(folder);
    const node = join(folder, 'node');
    copyFileSync(process.execPath, node);
    chmodSync(node, 0o755);
    // It starts svcd by itself, so that this is the Node of the service.
    const again =
      'require("child_process").execFileSync(process.execPath, process.argv.slice(2), { stdio: "inherit" })';
    const outcome = await runSvcd(['service', 'install', '--port', '0'], {
      home: '',
      env: user.env,
      cwd: user.home,
      through: [...user.through, node, '-e', again],
    });
    expect(outcome.code, outcome.stderr).toBe(0);
    const { pid } = await status();
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0]).toBe(node);
  });

  it('says why it did not come up, and comes up when that has ended', async () => {
    const callers: Socket[] = [];
    const other = createServer((socket) => void callers.push(socket.on('error', () => undefined)));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    const { code, stderr } = await svcd(['service', 'install', '--port', String(port)]);
    expect(code).toBe(18);
    expect(stderr).toContain('exit code 6: Another program uses the port.');
    expect(stderr).toContain('journalctl --user -u svcd.service');
    const closed = new Promise((resolve) => other.close(resolve));
    callers.forEach((socket) => socket.destroy());
    await closed;
    await done(['service', 'install']);
    expect(await status()).toMatchObject({ running: true, url: `http://127.0.0.1:${port}` });
  });

  it('reads its Key from a credential of systemd', async () => {
    const key = join(user.home, 'service.key');
    writeFileSync(key, JSON.stringify({ key: CANARY }), { mode: 0o600 });
    mkdirSync(`${unitFile}.d`, { recursive: true });
    writeFileSync(`${unitFile}.d/key.conf`, `[Service]\nLoadCredential=service.key:${key}\n`);
    const credential = '${CREDENTIALS_DIRECTORY}/service.key';
    const more = ['--remote', 'https://assets.example.com', '--offline', '--key-file', credential];
    await done(['service', 'install', '--port', '0', ...more]);
    expect(JSON.parse(await done(['key', '--json']))).toMatchObject({ source: 'key_file', last_four: 'zzzz' });
    // A drop-in is the user's own, and no drift.
    expect(await driftCodes()).toEqual([]);
    await done(['service', 'remove']);
    expect(existsSync(`${unitFile}.d/key.conf`)).toBe(true);
  });

  it('tells how it starts at boot, too, and whether it does', async () => {
    const { env, set } = standInForLoginctl(user.home);
    expect(await done(['service', 'install', '--port', '0'], env)).toMatch(/"loginctl enable-linger \w+"/);
    set(true);
    expect(await done(['service', 'install'], env)).toContain('also starts at boot');
    expect(await done(['service'], env)).toMatch(/at boot +yes/);
    expectRefusal(await svcd(['service', 'install', '--linger'], env), '--linger');
  });
});

/** Every file below a folder. */
function leftOver(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

/** logind needs a system that systemd booted. */
function standInForLoginctl(home: string) {
  const folder = join(home, 'bin');
  const mark = join(home, 'lingers');
  mkdirSync(folder);
  const write = (body: string) => writeFileSync(join(folder, 'loginctl'), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  const show = `[ "$1" = show-user ] && { [ -e "${mark}" ] && echo yes || echo no; exit 0; }`;
  write(show);
  return {
    env: { PATH: `${folder}:${process.env['PATH']}` },
    set: (on: boolean) => (on ? writeFileSync(mark, '') : rmSync(mark)),
  };
}
