// svcd run --own: the daemon that it starts ends with it, however that ends, and not under the feet of other commands.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Runtime } from '../../src/platform/files/runtime-file.js';
import { isAlive } from '../../src/platform/files/process-alive.js';
import { beginInTest, eachHome, startInTest } from '../support/in-test.js';
import { describeIf, PID_NAMESPACES } from '../support/requires.js';
import { runSvcd } from '../support/run-svcd.js';

let home: string;
eachHome(
  (fresh) => (home = fresh),
  () => svcd(['stop']),
);

const ENV = { SVCD_SANDBOX: 'true', SVCD_PORT: '0' };
const svcd = (args: readonly string[], env: Record<string, string> = {}) =>
  runSvcd(args, { home, env: { ...ENV, ...env } });
const runtime = () => JSON.parse(readFileSync(join(home, 'runtime.json'), 'utf8')) as Runtime;

/** Starts a command, and waits until it has said `up`. */
async function begin(script: string, { through = [], flags = [] }: { through?: string[]; flags?: string[] } = {}) {
  const args = ['run', '--own', ...flags, '--', 'sh', '-c', script];
  // A container knows other numbers of processes: the test's own would be one that has ended (end-with-test.cjs).
  const env = { ...ENV, ...(through.length > 0 && { TEST_PROCESS: '' }) };
  const run = beginInTest(args, { home, env, through });
  await run.until('up');
  return { ...run, noted: run.stderr };
}

async function untilGone(pid: number | null): Promise<void> {
  await expect.poll(() => isAlive(pid ?? 0), { timeout: 30_000 }).toBe(false);
}

describe('svcd run --own', () => {
  it.each([0, 7])('passes on the exit code %i, and leaves no daemon', async (code) => {
    const run = await svcd(['run', '--own', '--', 'sh', '-c', `cat "$SVCD_HOME/runtime.json"; exit ${code}`]);
    expect(run.code, run.stderr).toBe(code);
    expect(run.stderr).toMatch(
      /svcd runs at http:\/\/127\.0\.0\.1:\d+ now, with the sandbox, and stops when this command ends/,
    );
    await expect.poll(() => isAlive((JSON.parse(run.stdout) as Runtime).pid ?? 0)).toBe(false);
    expect(runtime().pid).toBeNull();
  });

  it('leaves none either when there is no such program', async () => {
    const run = await svcd(['run', '--own', '--', 'no-such-program']);
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('there is no program "no-such-program"')]);
    expect(runtime().pid).toBeNull();
  });

  it('hands a signal on, stops its daemon, and ends by the signal', async () => {
    const { child, ended, noted } = await begin(
      'trap "sleep .2; echo last; trap - TERM; kill -TERM $$" TERM; echo up; while :; do sleep .05; done',
    );
    const { pid } = runtime();
    child.kill('SIGTERM');
    expect(await ended, noted()).toBe('SIGTERM');
    await expect.poll(() => isAlive(pid ?? 0)).toBe(false);
  });

  it('takes its daemon along when it is killed', async () => {
    const { child, ended } = await begin('echo up; exec sleep 5');
    const { pid } = runtime();
    child.kill('SIGKILL');
    expect(await ended).toBe('SIGKILL');
    await untilGone(pid);
    expect(runtime().pid).toBeNull();
  });

  it('does not start the command, and leaves no daemon, when a signal comes first', async () => {
    const args = ['run', '--own', '--', 'sh', '-c', 'echo up'];
    const { child, stdout, stderr, ended } = beginInTest(args, { home, env: ENV });
    // The daemon is just starting then.
    await expect.poll(() => existsSync(join(home, 'svcd.log')), { interval: 5 }).toBe(true);
    child.kill('SIGTERM');
    expect(await ended).toBe('SIGTERM');
    expect(stdout()).toBe('');
    expect(stderr()).toContain('The command was not started: SIGTERM came first.');
    expect(runtime().pid).toBeNull();
  });

  it('uses a daemon that runs already, says so, and leaves it', async () => {
    const daemon = await startInTest(['--sandbox'], { home });
    const run = await svcd(['run', '--own', '--', 'true']);
    expect(run.stderr).toContain(
      `svcd runs at ${daemon.info.url} already: this command uses it, and leaves it running.`,
    );
    expect(isAlive(daemon.info.pid)).toBe(true);
  });

  it('does not take the daemon from a command that found it running, and it stops after that', async () => {
    const go = join(home, 'go');
    const first = await begin(`echo up; while [ ! -e ${go} ]; do sleep .05; done`);
    const { pid } = runtime();
    const second = await begin(`echo up; while [ ! -e ${go}2 ]; do sleep .05; done; echo "$SERVICE_BASE_URL"`);
    writeFileSync(go, '');
    expect(await first.ended).toBe(0);
    expect(first.noted()).toContain('svcd is used by 1 other command, and stops when that ends.');
    expect(isAlive(pid ?? 0)).toBe(true);
    expect((await svcd(['search', 'cake', '--json'])).code).toBe(0);
    writeFileSync(`${go}2`, '');
    expect(await second.ended, second.noted()).toBe(0);
    await untilGone(pid);
  });

  it('starts its daemon again when that was killed, and that one ends with it too', async () => {
    const go = join(home, 'go');
    const { ended, noted } = await begin(`echo up; while [ ! -e ${go} ]; do sleep .05; done`);
    const { pid } = runtime();
    process.kill(pid ?? 0, 'SIGKILL');
    // While nobody runs there is no number, and 0 would mean this very process.
    let again = 0;
    const isAgain = () => {
      again = runtime().pid ?? 0;
      return again > 0 && again !== pid && isAlive(again);
    };
    await expect.poll(isAgain, { timeout: 60_000 }).toBe(true);
    writeFileSync(go, '');
    expect(await ended, noted()).toBe(0);
    // What ended is there until the system has taken notice.
    await expect.poll(() => isAlive(again)).toBe(false);
  });
});

describe('the environment of the command', () => {
  it('excepts this machine from a proxy for http, which would get the token', async () => {
    const env = { HTTP_PROXY: 'http://proxy.test:3128', NO_PROXY: 'a.test' };
    const run = await svcd(['run', '--own', '--', 'sh', '-c', 'echo "$NO_PROXY|$no_proxy"'], env);
    expect(run.stdout.trim(), run.stderr).toBe('a.test,127.0.0.1|a.test,127.0.0.1');
    const printed = await svcd(['env', '--json'], { ...env, SVCD_PORT: '7823' });
    expect(JSON.parse(printed.stdout)).toMatchObject({ NO_PROXY: 'a.test,127.0.0.1', no_proxy: 'a.test,127.0.0.1' });
  });
});

describeIf(PID_NAMESPACES, 'svcd run --own as the first process of a container', () => {
  const through = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'];

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('hands %s on, and ends with %i', async (signal, code) => {
    const { child, ended, noted } = await begin('echo up; exec sleep 60', { through });
    const [first = ''] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ');
    process.kill(Number(first), signal);
    expect(await ended, noted()).toBe(code);
    expect(runtime().pid).toBeNull();
  });

  it('passes on the exit code', async () => {
    const { ended } = await begin('echo up; exit 9', { through });
    expect(await ended).toBe(9);
  });
});
