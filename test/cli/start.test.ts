// The daemon as a program: what it says, when it refuses, how it ends.

import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { beginInTest, eachHome, expectRefusal, portOf, serve, startInTest } from '../support/in-test.js';
import { onTerminal } from '../support/on-terminal.js';
import { itIf, TERMINAL } from '../support/requires.js';
import { makeHome, runSvcd } from '../support/run-svcd.js';
import { startSvcd } from '../support/start-svcd.js';

let home: string;
eachHome((fresh) => (home = fresh));

const runtimePid = () => (JSON.parse(readFileSync(join(home, 'runtime.json'), 'utf8')) as { pid: number | null }).pid;

const start = (...flags: string[]) => startInTest(flags, { home });

/** Another program's server on loopback. */
const listenAsStranger = (greet?: (socket: Socket) => void) => portOf(createServer(greet));

/** A remote that answers late; `asked` resolves when the first request is there. */
async function listenAsSlowRemote(delayMs: number): Promise<{ url: string; asked: Promise<void> }> {
  let tellAsked = (): void => undefined;
  const asked = new Promise<void>((resolve) => (tellAsked = resolve));
  const url = await serve((_request, response) => {
    tellAsked();
    const body = JSON.stringify({ effective_credits_remaining: 7 });
    setTimeout(() => response.setHeader('content-type', 'application/json').end(body), delayMs).unref();
  });
  return { url, asked };
}

itIf(TERMINAL, 'shows no token on a terminal, but the command that does', async () => {
  const { said } = await onTerminal(
    { home },
    ['start', '--sandbox', '--port', '0'],
    [{ at: 'token show', type: '\u0003' }],
  );
  expect(said).not.toMatch(/svcd_[\w-]{20}/);
});

describe('svcd start --json', () => {
  it('says in its first line where it is, and nothing else on stdout', async () => {
    const { info, child, stdout } = await start();
    expect(info).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      pid: child.pid,
      token: expect.stringMatching(/^svcd_/),
      home,
      library: { stickers: expect.any(Number) },
    });
    expect(info.library.stickers).toBeGreaterThanOrEqual(60);
    expect(stdout().trim().split('\n')).toHaveLength(1);
    expect((await fetch(`${info.url}/svcd/status`)).status).toBe(200);
  });

  it('writes its log to stderr, a JSON object a line', async () => {
    const svcd = await start();
    await svcd.end();
    const events = svcd
      .stderr()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string });
    expect(events.at(-1)?.event).toBe('svcd stopped');
  });
});

it('svcd opens no inspector when a signal asks for one', async () => {
  const { child, info, end, stderr } = await start();
  child.kill('SIGUSR1');
  expect((await fetch(`${info.url}/svcd/status`)).status).toBe(200);
  expect(await end()).toBe(0);
  expect(stderr()).not.toContain('Debugger');
});

describe('svcd start, for a person', () => {
  it('shows address, library, remote, Key and home, and commands to try', async () => {
    const { stdout, until } = beginInTest(['start', '--port', '0'], { home });
    await until('token show');
    const text = stdout();
    expect(text).toMatch(/svcd runs at http:\/\/127\.0\.0\.1:\d+/);
    expect(text).toMatch(/library +\d+ stickers/);
    expect(text).toMatch(/remote +none\. Add one with ".*config set remote .*start --sandbox"/);
    expect(text).toContain(home);
    // stdout is no terminal here, so it may be a log: no token in it.
    expect(text).not.toContain('svcd_');
    expect(text).toMatch(/ open\n {2}.+ search 生日\n {2}.+ token show\n/);
  });
});

describe('svcd start refuses', () => {
  it('a second time on one home, and says where the first one is', async () => {
    const { info } = await start();
    const { code, stdout, stderr } = await runSvcd(['start', '--port', '0'], { home });
    expect(code).toBe(5);
    expect(stdout).toBe('');
    expect(stderr).toContain(`${info.url} (process ${info.pid})`);
    expect(stderr).toContain('svcd stop');
  });

  it('a port that another svcd holds, before it makes anything ready', async () => {
    const other = makeHome();
    onTestFinished(other.remove);
    const svcd = await startSvcd([], { home: other.home });
    onTestFinished(async () => void (await svcd.end()));
    const port = new URL(svcd.info.url).port;
    expectRefusal(await runSvcd(['start', '--port', port], { home }), 'another svcd', 6);
    expect(existsSync(join(home, 'library.db'))).toBe(false);
  });

  it('a port whose program cuts every connection', async () => {
    const port = await listenAsStranger((socket) => void socket.destroy());
    expectRefusal(await runSvcd(['start', '--port', String(port)], { home }), 'another program', 6);
  });

  it.runIf(process.platform !== 'win32')('a current folder that was deleted, as every command does', async () => {
    const folder = join(home, 'gone');
    mkdirSync(folder);
    const through = ['sh', '-c', 'rmdir "$PWD" && exec "$@"', 'sh'];
    const { code, stdout, stderr } = await runSvcd(['status'], { home, cwd: folder, through });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^svcd: the current folder was deleted: .*\n$/);
  });

  it('a port that another program holds', async () => {
    const port = await listenAsStranger();
    const { code, stderr } = await runSvcd(['start', '--port', String(port)], { home });
    expect(code).toBe(6);
    expect(stderr).toContain(`port ${port}`);
    expect(stderr).toContain('--port 0');
  });

  it('a home that is no folder', async () => {
    const file = join(home, 'file');
    writeFileSync(file, '');
    const { code, stderr } = await runSvcd(['start', '--port', '0', '--home', file], { home });
    expect(code).toBe(2);
    expect(stderr).toContain(file);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('a damaged owned.db, which it leaves as it is', async () => {
    const file = join(home, 'owned.db');
    writeFileSync(file, 'this is no database at all, whatever its name says'.repeat(200));
    const before = readFileSync(file);
    const { code, stderr } = await runSvcd(['start', '--port', '0', '--json'], { home });
    expect(code).toBe(9);
    expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
      code: 'owned_damaged',
      message: expect.stringContaining(file),
    });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it.each([
    [['--port', '99999'], '99999'],
    [['--port', 'abc'], 'abc'],
    [['--remote', 'http://example.com'], 'http://example.com'],
    [['--sandbox', '--remote', 'https://example.com'], '--sandbox and --remote'],
    [['--offline=maybe'], 'maybe'],
    [['--prot', '0'], 'did you mean --port?'],
  ])('%j, naming what is wrong', async (flags, named) => {
    const { code, stderr } = await runSvcd(['start', '--json', ...flags], { home });
    expect(code).toBe(2);
    const told = JSON.parse(stderr) as { code: string; message: string };
    expect(told.code).toBe('invalid_argument');
    expect(told.message).toContain(named);
  });
});

describe('svcd start, after damage', () => {
  it('sets a damaged library aside, says so, and serves', async () => {
    writeFileSync(join(home, 'library.db'), 'no database'.repeat(1000));
    const svcd = await start();
    expect(svcd.info.library.stickers).toBeGreaterThan(0);
    expect(svcd.stderr()).toContain('set aside');
  });
});

describe('svcd ends', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('cleanly on %s', async (signal) => {
    const svcd = await start();
    expect(runtimePid()).toBe(svcd.info.pid);
    expect(await svcd.end(signal)).toBe(0);
    expect(runtimePid()).toBeNull();
  });

  it('after it has answered what was in flight', async () => {
    const remote = await listenAsSlowRemote(700);
    const svcd = await startInTest(['--remote', remote.url], { home, env: { SERVICE_API_KEY: 'sk-test' } });
    const headers = { authorization: `Bearer ${svcd.info.token}` };
    const answer = fetch(`${svcd.info.url}/api/v1/usage`, { headers });
    await remote.asked;
    const ended = svcd.end();
    expect((await answer).status).toBe(200);
    expect(await ended).toBe(0);
  });

  it('at once on a second signal, with 130', async () => {
    const remote = await listenAsSlowRemote(60_000);
    const svcd = await startInTest(['--remote', remote.url], { home, env: { SERVICE_API_KEY: 'sk-test' } });
    const headers = { authorization: `Bearer ${svcd.info.token}` };
    const answer = fetch(`${svcd.info.url}/api/v1/usage`, { headers }).catch(() => 'cut off');
    await remote.asked;
    svcd.child.kill('SIGTERM');
    await vi.waitFor(() => expect(svcd.stderr()).toContain('stopping'), { timeout: 60_000 });
    // A second signal right behind the first is taken for the same keystroke.
    await sleep(400);
    expect(await svcd.end('SIGTERM')).toBe(130);
    expect(await answer).toBe('cut off');
  });
});

describe('svcd start --detach', () => {
  it('returns when the daemon is ready; svcd stop ends it', async () => {
    const { code, stdout } = await runSvcd(['start', '--detach', '--json', '--port', '0'], { home });
    onTestFinished(async () => void (await runSvcd(['stop'], { home })));
    expect(code).toBe(0);
    const info = JSON.parse(stdout) as { url: string; pid: number };
    expect((await fetch(`${info.url}/svcd/status`)).status).toBe(200);
    expect(statSync(join(home, 'svcd.log')).mode & 0o777).toBe(0o600);

    const stopped = await runSvcd(['stop', '--json'], { home });
    expect(JSON.parse(stopped.stdout)).toEqual({ stopped: true, pid: info.pid, home });
    expect(runtimePid()).toBeNull();
  });

  it('names the home that was typed in every command that it shows', async () => {
    const { stdout } = await runSvcd(['start', '--detach', '--sandbox', '--port', '0', '--home', home], { home });
    onTestFinished(async () => void (await runSvcd(['stop'], { home })));
    const commands = stdout.split('\n').filter((line) => /svcd(\.js)? .*(search|token show|stop)\b/.test(line));
    expect(commands).toHaveLength(3);
    for (const command of commands) expect(command.split(`--home ${home}`), command).toHaveLength(2);
  });

  it('fails as the daemon fails', async () => {
    const port = await listenAsStranger();
    const args = ['start', '--detach', '--json', '--port', String(port)];
    const { code, stdout, stderr } = await runSvcd(args, { home });
    expect(code).toBe(6);
    expect(stdout).toBe('');
    expect(JSON.parse(stderr)).toMatchObject({ code: 'port_in_use' });
  });
});

describe('svcd stop and status', () => {
  it('find nothing where nothing runs', async () => {
    const stopped = await runSvcd(['stop'], { home });
    expect(stopped).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing to stop') });
    const status = await runSvcd(['status', '--json'], { home });
    expect(status).toMatchObject({ code: 4, stdout: '' });
    expect(JSON.parse(status.stderr)).toMatchObject({ code: 'not_running' });
  });

  it('are not misled by what a killed daemon left behind, nor by a broken config.json', async () => {
    const svcd = await start();
    await svcd.end('SIGKILL');
    expect(runtimePid()).toBe(svcd.info.pid);
    writeFileSync(join(home, 'config.json'), '{');
    expect((await runSvcd(['status'], { home })).code).toBe(4);
    expect((await runSvcd(['stop'], { home })).code).toBe(0);
  });

  it('show the daemon', async () => {
    const { info } = await start('--offline');
    const { stdout } = await runSvcd(['status'], { home });
    expect(stdout).toContain(`${info.url} (process ${info.pid})`);
    expect(stdout).toMatch(/library +\d+ stickers/);
    const status = JSON.parse((await runSvcd(['status', '--json'], { home })).stdout) as object;
    expect(status).toMatchObject({ name: 'svcd', pid: info.pid, home });
  });
});

describe('a home', () => {
  it('is made private', async () => {
    const inner = join(home, 'inner');
    mkdirSync(inner, { mode: 0o755 });
    const svcd = await start('--home', inner);
    expect(statSync(inner).mode & 0o777).toBe(0o700);
    for (const file of ['runtime.json', 'owned.db', 'library.db']) {
      expect(statSync(join(inner, file)).mode & 0o777, file).toBe(0o600);
    }
    await svcd.end();
    expect(existsSync(join(inner, 'runtime.json'))).toBe(true);
  });
});
