// svcd run and svcd env, through the real program: the variables, the end of the command, the end of its token.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { beginInTest, eachHome, startInTest } from '../support/in-test.js';
import { runSvcd } from '../support/run-svcd.js';

let home: string;
eachHome((fresh) => (home = fresh));

const svcd = (args: readonly string[], env: Record<string, string> = {}) => runSvcd(args, { home, env });

async function startSandboxed() {
  const daemon = await startInTest(['--sandbox'], { home });
  return daemon;
}

/** A script that a template runtime could be: it knows nothing but the two variables. */
const TEMPLATE = `
  const { SERVICE_BASE_URL: url, SERVICE_API_KEY: key } = process.env;
  const headers = { authorization: 'Bearer ' + key, 'x-svcd-fallback': 'off' };
  const { results } = await (await fetch(url + '/api/v1/stickers/search?q=%E7%94%9F%E6%97%A5&limit=4', { headers })).json();
  const told = [];
  for (const { preset } of results) {
    told.push((await fetch(url + '/api/v1/stickers/' + encodeURIComponent(preset), { headers })).status);
  }
  console.log(JSON.stringify({ url, key, told }));
`;

describe('svcd run', () => {
  it('runs an unchanged template within a budget, with a token that stops working afterwards', async () => {
    const daemon = await startSandboxed();
    const script = join(home, 'template.mjs');
    writeFileSync(script, TEMPLATE);
    const run = await svcd(['run', '--budget', '2', '--', process.execPath, script], {
      SERVICE_API_KEY: 'sk-mine',
    });
    expect(run.code, run.stderr).toBe(0);
    const { url, key, told } = JSON.parse(run.stdout) as { url: string; key: string; told: number[] };
    expect([url, told]).toEqual([daemon.info.url, [200, 200, 402, 402]]);
    expect(key).toMatch(/^svcd_/);
    expect(key).not.toBe(daemon.info.token);
    await untilRefused(url, key);
  });

  it('is paid for by its own token also where the command asks by svcd get', async () => {
    await startSandboxed();
    const get = (preset: string) => `"${process.execPath}" bin/svcd.js get ${preset} -o - >/dev/null`;
    const script = `${get('twemoji/rocket')} && ${get('twemoji/rose')}`;
    const run = await svcd(['run', '--budget', '1', '--strict', '--', 'sh', '-c', script]);
    expect(run.code).toBe(20);
    expect(run.stderr).toMatch(/1 bought for 1 credit, 1 fallback: .*budget/);
    const { stdout } = await svcd(['purchases', '--json']);
    expect((JSON.parse(stdout) as { purchases: object[] }).purchases).toHaveLength(1);
    const retry = await svcd(['run', '--', process.execPath, 'bin/svcd.js', 'purchases', 'retry', '1', '--yes']);
    expect(retry.stderr).toContain("only the home's own token may do this");
  });

  it('passes on exit codes, signals, and words after the dashes as they are', async () => {
    await startSandboxed();
    expect((await svcd(['run', '--', 'sh', '-c', 'exit 7'])).code).toBe(7);
    const words = await svcd(['run', '--', 'printf', '%s|', '--json', '-x', 'a b', '007']);
    expect(words.stdout).toBe('--json|-x|a b|007|');
    expect((await svcd(['run', '--', 'no-such-program'])).code).toBe(2);

    const { child, ended, until } = beginInTest(['run', '--', 'sh', '-c', 'echo up; exec sleep 60'], { home });
    await until('up');
    child.kill('SIGTERM');
    expect(await ended).toBe('SIGTERM');
  });

  it('takes its token along when it is killed, although the command lives on', async () => {
    const daemon = await startSandboxed();
    const say = 'echo $SERVICE_API_KEY; exec sleep 60';
    const { child, stdout, until } = beginInTest(['run', '--', 'sh', '-c', `echo $$; ${say}`], { home });
    await until(/\n.*\n/);
    const [pid = '', token = ''] = stdout().split('\n');
    onTestFinished(() => void process.kill(Number(pid), 'SIGKILL'));
    const me = async () =>
      (await fetch(`${daemon.info.url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await me()).toBe(200);
    child.kill('SIGKILL');
    await untilRefused(daemon.info.url, token);
    expect(() => process.kill(Number(pid), 0)).not.toThrow();
  });

  it('does not keep svcd from stopping, and the token ends with the command all the same', async () => {
    const daemon = await startSandboxed();
    const script = `echo $SERVICE_API_KEY; while [ ! -e ${home}/go ]; do sleep .1; done`;
    const { stdout: said, ended, until } = beginInTest(['run', '--', 'sh', '-c', script], { home });
    await until('\n');
    expect(await daemon.end()).toBe(0);
    const again = await startSandboxed();
    const headers = { authorization: `Bearer ${said().trim()}` };
    expect((await fetch(`${again.info.url}/api/v1/me`, { headers })).status).toBe(200);
    writeFileSync(join(home, 'go'), '');
    expect(await ended).toBe(0);
    await untilRefused(again.info.url, said().trim());
  });

  it('starts svcd in the background if need be', async () => {
    const env = { SVCD_SANDBOX: 'true', SVCD_PORT: '0' };
    // Stopped here, because the home is gone before anything that the test's end could do.
    try {
      const run = await svcd(['run', '--only', 'stickers', '--', 'sh', '-c', 'echo $SERVICE_BASE_URL'], env);
      expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('runs in the background')]);
      expect((await fetch(`${run.stdout.trim()}/svcd/status`)).status).toBe(200);
    } finally {
      expect((await svcd(['stop', '--json'])).stdout).toContain('"stopped":true');
    }
  });

  it.each([['--budget=-1'], ['--budget=x'], ['--only=everything']])('refuses %s', async (flag) => {
    expect((await svcd(['run', flag, '--', 'true'])).code).toBe(2);
  });
});

describe('svcd env', () => {
  it('says what a shell understands, and json and dotenv what programs do', async () => {
    const { info } = await startSandboxed();
    const wanted = { SERVICE_BASE_URL: info.url, SERVICE_API_KEY: info.token };
    const told = async (format: string) => (await svcd(['env', '--format', format])).stdout;
    expect(JSON.parse(await told('json'))).toEqual(wanted);
    expect(await told('dotenv')).toBe(`SERVICE_BASE_URL=${info.url}\nSERVICE_API_KEY=${info.token}\n`);
    expect(await told('fish')).toContain(`set -gx SERVICE_API_KEY '${info.token}'`);
    expect(await told('powershell')).toContain(`$env:SERVICE_API_KEY = '${info.token}'`);
    expect(await told('sh')).toContain(`export SERVICE_API_KEY='${info.token}'`);
    const refused = await svcd(['env', '--format', 'csh']);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('fish or powershell or dotenv or json, got "csh"'),
    ]);
  });

  it('is understood by a real shell, and the token it names spends', async () => {
    await startSandboxed();
    const script = `eval "$1"; exec "$2" -e 'fetch(process.env.SERVICE_BASE_URL + "/api/v1/me", { headers: { authorization: "Bearer " + process.env.SERVICE_API_KEY } }).then((a) => console.log(a.status))'`;
    const { stdout } = await svcd([
      'run',
      '--',
      'sh',
      '-c',
      script,
      'sh',
      (await svcd(['env'])).stdout,
      process.execPath,
    ]);
    expect(stdout.trim()).toBe('200');
  });

  it('names the token that the next start will have, when nothing runs', async () => {
    const { stdout, stderr } = await svcd(['env', '--format', 'json'], { SVCD_PORT: '7999' });
    const told = JSON.parse(stdout) as Record<string, string>;
    expect([told['SERVICE_BASE_URL'], stderr]).toEqual([
      'http://127.0.0.1:7999',
      expect.stringContaining('svcd start'),
    ]);
    const { info } = await startSandboxed();
    expect(info.token).toBe(told['SERVICE_API_KEY']);
    expect((await svcd(['token', 'show'])).stdout.trim()).toBe(info.token);
  });
});

async function untilRefused(url: string, token: string): Promise<void> {
  const me = async () => (await fetch(`${url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } })).status;
  for (let tries = 0; tries < 100 && (await me()) !== 401; tries++) await sleep(50);
  expect(await me()).toBe(401);
}
