// svcd restart, and an update of svcd under a daemon that runs, with real processes.

import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { DaemonInfo } from '../../src/daemon/daemon.js';
import { isAlive } from '../../src/platform/files/process-alive.js';
import { eachHome, serve } from '../support/in-test.js';
import { runSvcd } from '../support/run-svcd.js';
import { startSvcd } from '../support/start-svcd.js';

const ROOT = join(import.meta.dirname, '..', '..');

let home: string;
eachHome(
  (fresh) => (home = fresh),
  () => svcd(['stop']),
);

const svcd = (args: readonly string[], env: Record<string, string> = {}) => runSvcd(args, { home, env });
const runtime = () => JSON.parse(readFileSync(join(home, 'runtime.json'), 'utf8')) as { pid: number; url: string };
const edit = (change: (held: Record<string, unknown>) => object) => {
  const file = join(home, 'runtime.json');
  writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>)));
};

interface Restarted {
  readonly restarted: boolean;
  readonly url: string;
  readonly pid: number;
  readonly was: number | null;
}

async function restart(env: Record<string, string> = {}): Promise<Restarted> {
  const { code, stdout, stderr } = await svcd(['restart', '--json'], env);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return JSON.parse(stdout) as Restarted;
}

const detached = async (flags: readonly string[] = [], env: Record<string, string> = {}): Promise<DaemonInfo> =>
  JSON.parse((await svcd(['start', '--detach', '--json', '--port', '0', ...flags], env)).stdout) as DaemonInfo;

const status = async () => JSON.parse((await svcd(['status', '--json'])).stdout) as Record<string, unknown>;

describe('svcd restart', () => {
  it('keeps port, flags, settings of the environment, and the sandbox with its money', async () => {
    const flags = [
      '--sandbox',
      '--credits',
      '50',
      '--seed',
      '7',
      '--with',
      'music',
      '--trust-loopback',
      '--no-fallback',
    ];
    const before = await detached(flags, { SVCD_DEADLINE_MS: '4321' });
    await svcd(['get', 'fluent-emoji-flat/birthday-cake', '-o', join(home, 'a.json')]);
    const after = await restart({
      SVCD_SANDBOX: 'false',
      SVCD_OFFLINE: 'true',
      SVCD_REMOTE: 'https://other.example.com',
    });
    expect(after).toMatchObject({ restarted: true, was: before.pid, url: before.url });
    expect(after.pid).not.toBe(before.pid);
    await expect.poll(() => isAlive(before.pid)).toBe(false);
    expect(await status()).toMatchObject({ pid: after.pid, remote: { sandbox: true, forced: false } });
    const args = readFileSync(`/proc/${after.pid}/cmdline`, 'utf8');
    for (const kept of ['--deadline-ms=4321', '--trust-loopback=true', '--fallback=false', '--with=music']) {
      expect(args).toContain(kept);
    }
    expect(JSON.stringify(JSON.parse((await svcd(['usage', '--json'])).stdout))).toContain('49');
    // And once more: what one restart kept, the next one keeps.
    expect(await restart()).toMatchObject({ url: before.url, was: after.pid });
    expect(readFileSync(`/proc/${runtime().pid}/cmdline`, 'utf8')).toContain('--deadline-ms=4321');
  });

  it('lets a purchase that is under way come to its end, and buys nothing twice', async () => {
    const before = await detached(['--sandbox']);
    await svcd([
      'sandbox',
      'fault',
      'add',
      'latency',
      '--ms',
      '3000',
      '--path',
      '/api/v1/stickers/*birthday-cake',
      '--count',
      '1',
    ]);
    const headers = { authorization: `Bearer ${before.token}`, 'x-svcd-fallback': 'off' };
    const path = `/api/v1/stickers/${encodeURIComponent('fluent-emoji-flat/birthday-cake')}`;
    const answer = fetch(before.url + path, { headers });
    await vi.waitFor(async () => {
      const { purchases } = (await (await fetch(`${before.url}/svcd/purchases`, { headers })).json()) as {
        purchases: { state: string }[];
      };
      expect(purchases).toMatchObject([{ state: 'sent' }]);
    });
    await restart();
    expect((await answer).status).toBe(200);
    const { stdout } = await svcd(['purchases', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ purchases: [{ state: 'paid', owned: true }] });
    const again = await fetch(before.url + path, { headers });
    expect(again.headers.get('x-svcd-source')).toBe('owned');
  });

  it('starts svcd where nothing runs, and where it was killed, and says so', async () => {
    const none = await svcd(['restart'], { SVCD_PORT: '0', SVCD_SANDBOX: 'true' });
    expect(none).toMatchObject({ code: 0, stdout: expect.stringContaining('did not run') });
    const { pid, url } = runtime();
    process.kill(pid, 'SIGKILL');
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 60_000 });
    const killed = await svcd(['restart']);
    expect(killed).toMatchObject({ code: 0, stdout: expect.stringContaining(`process ${pid}`) });
    expect(killed.stdout).toContain('had ended without a stop');
    expect(await status()).toMatchObject({ remote: { sandbox: true } });
    expect(url).toMatch(/^http/);
  });

  it('takes over from one in a terminal, and says where it runs now', async () => {
    const { info, child } = await startSvcd(['--sandbox'], { home });
    const { code, stdout } = await svcd(['restart']);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('in the background') });
    if (child.exitCode === null) await once(child, 'close');
    expect(child.exitCode).toBe(0);
    expect(runtime().url).toBe(info.url);
  });

  it('leaves the daemon alone when its settings would not start another, and tells why', async () => {
    const { pid } = await detached(['--sandbox']);
    writeFileSync(join(home, 'config.json'), '{"deadlineMs":"never"}');
    expect(await svcd(['restart'])).toMatchObject({ code: 2, stderr: expect.stringContaining('never') });
    expect(isAlive(pid)).toBe(true);
    rmSync(join(home, 'config.json'));
  });

  it('writes the password of a proxy down nowhere, and asks for it where this shell does not have it', async () => {
    const env = { SVCD_PROXY: 'http://user:canary-password@127.0.0.1:9' };
    const before = await detached(['--remote', 'https://assets.example.com'], env);
    const held = readdirSync(home, { withFileTypes: true }).filter((entry) => entry.isFile());
    for (const { name } of held) expect(readFileSync(join(home, name)).includes('canary-password'), name).toBe(false);
    const { code, stderr } = await svcd(['restart']);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('SVCD_PROXY') as unknown });
    expect(isAlive(before.pid)).toBe(true);
    const after = await restart(env);
    expect(after).toMatchObject({ restarted: true, was: before.pid });
    expect((await svcd(['status'])).stdout).toContain('http://127.0.0.1:9');
  });

  it('says what happened and where the log is when the new one cannot start', async () => {
    await detached(['--sandbox']);
    // It holds the databases open; the next one finds something else.
    writeFileSync(join(home, 'origins.json'), 'no JSON');
    const { code, stderr } = await svcd(['restart']);
    expect(code).not.toBe(0);
    expect(stderr).toContain('was stopped and could not be started again');
    expect(stderr).toContain('svcd logs');
    rmSync(join(home, 'origins.json'));
    expect((await svcd(['logs', '--level', 'error'])).stdout).toContain('could not start');
  });

  it('tells when the Key came from an environment that this shell does not have', async () => {
    const remote = await startRemote();
    await detached(['--remote', remote], { SERVICE_API_KEY: 'sk-of-the-other-shell' });
    const { stderr } = await svcd(['restart']);
    expect(stderr).toContain('SERVICE_API_KEY');
    expect(stderr).not.toContain('sk-of');
  });

  it('asks the service manager for one that runs as a service', async () => {
    const { pid } = await detached(['--sandbox']);
    edit((held) => ({
      ...held,
      launch: { by: 'service', manager: 'systemd-user', unit: 'svcd.service', flags: { sandbox: true } },
    }));
    const program = join(ROOT, 'bin', 'svcd.js');
    const bin = mkdtempSync(join(tmpdir(), 'svcd-bin-'));
    onTestFinished(() => rmSync(bin, { recursive: true }));
    const script = [
      '#!/bin/sh',
      `echo "$@" >> ${bin}/asked`,
      `${process.execPath} ${program} stop`,
      `${process.execPath} ${program} start --sandbox --port 0 --detach`,
    ];
    writeFileSync(join(bin, 'systemctl'), script.join('\n'));
    chmodSync(join(bin, 'systemctl'), 0o755);
    const { code, stdout } = await svcd(['restart'], { PATH: `${bin}:${process.env['PATH']}` });
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('svcd.service') });
    expect(readFileSync(join(bin, 'asked'), 'utf8')).toBe('--user restart svcd.service\n');
    expect(runtime().pid).not.toBe(pid);

    edit((held) => ({ ...held, launch: { by: 'service', manager: 'systemd-user', unit: 'svcd.service', flags: {} } }));
    writeFileSync(join(bin, 'systemctl'), '#!/bin/sh\necho "Unit svcd.service not found." >&2\nexit 5\n');
    const refused = await svcd(['restart'], { PATH: `${bin}:${process.env['PATH']}` });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Unit svcd.service not found.') });
    expect(isAlive(runtime().pid)).toBe(true);
  });
});

describe('an update of svcd under a daemon that runs', () => {
  it('leaves it searching, serving and stopping; each command says in one line what to do; restart brings the new one', async () => {
    const installed = mkdtempSync(join(tmpdir(), 'svcd-installed-'));
    onTestFinished(() => rmSync(installed, { recursive: true }));
    for (const part of ['bin', 'data', 'dist', 'package.json'])
      cpSync(join(ROOT, part), join(installed, part), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(installed, 'node_modules'));
    const program = join(installed, 'bin', 'svcd.js');
    const newest = (args: readonly string[]) => runSvcd(args, { home, program });
    const started = await newest(['start', '--detach', '--json', '--sandbox', '--port', '0']);
    const { url, token, pid } = JSON.parse(started.stdout) as DaemonInfo;
    const get = (path: string) => fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
    // Until it is warm: what it buys with is loaded then.
    await get(`/api/v1/stickers/${encodeURIComponent('iconpark-filled/cake')}`);

    update(installed);
    expect((await get('/api/v1/stickers/search?q=cake')).status).toBe(200);
    const bought = await get(`/api/v1/stickers/${encodeURIComponent('fluent-emoji-flat/birthday-cake')}`);
    expect(bought.headers.get('x-svcd-source')).toBe('remote');
    const gone = await get('/openapi.json');
    expect(gone.status).toBe(500);
    expect(await gone.json()).toMatchObject({ message: expect.stringContaining('"svcd restart"') as string });

    const search = await newest(['search', 'cake', '--json']);
    expect(search.code).toBe(0);
    expect(search.stderr.trim().split('\n')).toEqual([expect.stringContaining('still svcd 0.1.0: "svcd restart"')]);
    expect(JSON.parse(search.stdout)).toMatchObject({ query: 'cake' });
    expect((await newest(['status'])).stdout).toMatch(/updated .*"svcd restart"/);

    const restarted = await newest(['restart', '--json']);
    expect(restarted).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(restarted.stdout)).toMatchObject({ url, was: pid, version: '99.0.0' });
    expect((await get('/openapi.json')).status).toBe(200);
    expect((await newest(['search', 'cake'])).stderr).toBe('');
    // The one of before is older than the daemon now.
    expect((await svcd(['search', 'cake', '--json'])).stderr).toContain('newer daemon');

    update(installed);
    expect((await newest(['stop'])).code).toBe(0);
  });
});

/** As npm does it: other files of other names lie there afterwards. */
function update(installed: string): void {
  const dist = join(installed, 'dist');
  const old = join(installed, 'old');
  renameSync(dist, old);
  mkdirSync(dist);
  const renamed = (name: string) => name.replace(/^chunk-(\w+)\.js$/, 'chunk-$1N.js');
  for (const name of readdirSync(old)) {
    if (!name.endsWith('.js')) cpSync(join(old, name), join(dist, name), { recursive: true });
    else {
      const text = readFileSync(join(old, name), 'utf8');
      writeFileSync(join(dist, renamed(name)), text.replaceAll(/chunk-(\w{8}N*)\.js/g, 'chunk-$1N.js'));
    }
  }
  rmSync(old, { recursive: true });
  const manifest = join(installed, 'package.json');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"version": "0.1.0"', '"version": "99.0.0"'));
}

async function startRemote(): Promise<string> {
  return serve((_, answer) => answer.setHeader('content-type', 'application/json').end('{}'));
}
