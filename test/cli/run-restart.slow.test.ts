// svcd run while its daemon is restarted, killed, or not there yet: the command goes on with the same address and token,
// within its budget, and its report tells all of it.

import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Report } from '../../src/api/report.js';
import type { Runtime } from '../../src/platform/files/runtime-file.js';
import { isAlive } from '../../src/platform/files/process-alive.js';
import { beginInTest, eachHome, startInTest } from '../support/in-test.js';
import { runSvcd } from '../support/run-svcd.js';
import { startSvcd } from '../support/start-svcd.js';

let home: string;
eachHome(
  (fresh) => (home = fresh),
  () => svcd(['stop']),
);

// As the user has it: a port of the system's choice, which a daemon that comes back must take again.
const ENV = { SVCD_SANDBOX: 'true', SVCD_PORT: '0' };
const svcd = (args: readonly string[], env: Record<string, string> = ENV) => runSvcd(args, { home, env });
const runtime = () => JSON.parse(readFileSync(join(home, 'runtime.json'), 'utf8')) as Runtime;

/** A template runtime: it knows two variables, repeats a GET that finds nobody, and says what it got. */
const TEMPLATE = `
  const { SERVICE_BASE_URL: url, SERVICE_API_KEY: key } = process.env;
  const headers = { authorization: 'Bearer ' + key, 'x-svcd-fallback': 'off' };
  const ask = async (path) => {
    for (let tries = 0; ; tries++) {
      try {
        const answer = await fetch(url + path, { headers });
        const body = await answer.text();
        if (answer.status !== 503 || tries > 300) return { status: answer.status, body, answer };
      } catch (error) {
        if (tries > 300) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const [rounds, pauseMs] = process.argv.slice(2).map(Number);
  const { results } = JSON.parse((await ask('/api/v1/stickers/search?q=%E7%94%9F%E6%97%A5&limit=12')).body);
  for (let round = 0; round < rounds; round++) {
    for (const { preset } of results) {
      const { status, answer } = await ask('/api/v1/stickers/' + encodeURIComponent(preset));
      console.log(status, answer.headers.get('x-svcd-source'), preset);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
  console.log('done');
`;

/** What a command does that waits for `tell`. */
const UNTIL_TOLD = 'while [ ! -e "$SVCD_HOME/go" ]; do sleep .1; done';
const tell = () => writeFileSync(join(home, 'go'), '');

/** Starts a command under svcd run and leaves it running. */
const start = (options: readonly string[], command: readonly string[], env: Record<string, string> = ENV) =>
  beginInTest(['run', ...options, '--', ...command], { home, env });

function startTemplate(options: readonly string[], rounds: number, env?: Record<string, string>) {
  const script = join(home, 'template.mjs');
  writeFileSync(script, TEMPLATE);
  return start(options, [process.execPath, script, `${rounds}`, '150'], env);
}

const answersIn = (text: string) => text.split('\n').filter((line) => /^\d{3} /.test(line));
const nthAnswer = (n: number) => new RegExp(`(^\\d{3} .*\\n){${n}}`, 'm');
const readReport = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Report & { command: object };

async function kill(pid: number | null): Promise<void> {
  process.kill(pid ?? 0, 'SIGKILL');
  while (isAlive(pid ?? 0)) await sleep(20);
}

async function spentIn(): Promise<number> {
  const { stdout } = await svcd(['usage', '--json']);
  const { svcd: own } = JSON.parse(stdout) as { svcd: { spent: number; unsettled: number } };
  return own.spent + own.unsettled;
}

/** What must hold after a template asked for twelve stickers with six credits, whatever happened to the daemon. */
async function expectWithinBudget(run: ReturnType<typeof startTemplate>, report: string): Promise<void> {
  expect([await run.ended, run.stdout()], run.stderr()).toEqual([0, expect.stringContaining('done')]);
  const statuses = answersIn(run.stdout()).map((line) => line.slice(0, 3));
  expect(new Set(statuses)).toEqual(new Set(['200', '402']));
  expect(await spentIn()).toBe(6);
  const { assets, summary } = readReport(report);
  expect([assets.length, summary.fallbacks]).toEqual([12, 0]);
  expect(summary.failed).toBe(assets.filter(({ error, outcome }) => error === 'budget' && outcome === 'failed').length);
}

describe('svcd run', () => {
  it('goes on when the daemon that it started is killed, within its budget', async () => {
    const report = join(home, 'report.json');
    const run = startTemplate(['--budget', '6', '--report', report], 2);
    await run.until(nthAnswer(3));
    const { pid, url } = runtime();
    await kill(pid);
    await expectWithinBudget(run, report);
    expect(runtime()).toMatchObject({ url });
    expect(runtime().pid).not.toBe(pid);
    expect(run.stderr()).toMatch(/12 assets: .*6 bought for|12 assets: .*failed/);
  });

  it.each([
    ['killed', 'SIGKILL'],
    ['ended', 'SIGTERM'],
  ] as const)(
    'goes on when a daemon of another is %s and started again, on the same port by itself',
    async (_what, signal) => {
      const first = await startInTest([], { home, env: ENV });
      const report = join(home, 'report.json');
      const run = startTemplate(['--budget', '6', '--report', report], 2);
      await run.until(nthAnswer(3));
      await first.end(signal);
      const second = await startInTest([], { home, env: ENV });
      expect(second.info.url).toBe(first.info.url);
      await expectWithinBudget(run, report);
    },
  );

  it('goes on after svcd stop and svcd start', async () => {
    const report = join(home, 'report.json');
    const refuse = () => fetch(`${runtime().url}/svcd/status`, { headers: { origin: 'http://localhost:5173' } });
    expect((await svcd(['start', '--detach'])).code).toBe(0);
    await refuse();
    const run = startTemplate(['--budget', '6', '--report', report], 2);
    await run.until(nthAnswer(3));
    expect((await svcd(['stop'])).code).toBe(0);
    expect((await svcd(['start', '--detach'])).code).toBe(0);
    expect([(await refuse()).status, (await refuse()).status]).toEqual([403, 403]);
    await expectWithinBudget(run, report);
    // As much as before and more, of a daemon that counts anew.
    expect(readReport(report)).toMatchObject({
      away: [{}],
      refused: [{ origin: 'http://localhost:5173', requests: 2 }],
    });
  });

  it('takes its token along when it is killed together with the daemon', async () => {
    const run = start([], ['sh', '-c', 'echo $$ $SERVICE_API_KEY; exec sleep 60']);
    await run.until('svcd_');
    const [pid = '', token = ''] = run.stdout().trim().split(' ');
    onTestFinished(() => void process.kill(Number(pid), 'SIGKILL'));
    run.child.kill('SIGKILL');
    await kill(runtime().pid);
    const again = await startInTest([], { home, env: ENV });
    const answer = await fetch(`${again.info.url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(401);
  });

  it('does not go on spending with another remote', async () => {
    const first = await startInTest([], { home, env: ENV });
    const run = start([], ['sh', '-c', `echo up; ${UNTIL_TOLD}`]);
    await run.until('up');
    await first.end();
    await startInTest(['--no-sandbox'], { home, env: { SVCD_PORT: new URL(first.info.url).port } });
    while (!run.stderr().includes('another remote')) await sleep(50);
    tell();
    expect(await run.ended).toBe(0);
  });

  it('ten times at once, on a home without a daemon, starts one daemon and all commands', async () => {
    const runs = Array.from({ length: 10 }, () => start([], ['sh', '-c', 'echo $SERVICE_BASE_URL']));
    expect(await Promise.all(runs.map(({ ended }) => ended)), runs.map(({ stderr }) => stderr()).join('')).toEqual(
      Array.from({ length: 10 }, () => 0),
    );
    expect(new Set(runs.map(({ stdout }) => stdout().trim()))).toEqual(new Set([runtime().url]));
    expect(runs.filter(({ stderr }) => stderr().includes('runs in the background'))).toHaveLength(1);
    // The one that started it has ended; the daemon serves on.
    expect((await fetch(`${runtime().url}/svcd/status`)).status).toBe(200);
  });

  it('says what to type when the port is taken, and that works', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once('listening', resolve));
    const env = { ...ENV, SVCD_PORT: `${(other.address() as { port: number }).port}` };
    const refused = await svcd(['run', '--', 'true'], env);
    expect([refused.code, refused.stderr]).toEqual([6, expect.stringContaining('svcd run --port 0 -- COMMAND')]);
    expect((await svcd(['run', '--port', '0', '--', 'true'], env)).code).toBe(0);
  });
});

describe('svcd run --report --strict', () => {
  const get = (preset: string, more = '') =>
    `${process.execPath} -e 'fetch(process.env.SERVICE_BASE_URL + "/api/v1/stickers/${preset}", { headers: { authorization: "Bearer " + process.env.SERVICE_API_KEY } }).then((a) => a.text()).then(() => { ${more} })'`;
  const CAKE = 'fluent-emoji-flat%2Fbirthday-cake';

  it('ends with 20 when a default was served, and with 0 when all is right', async () => {
    const report = join(home, 'report.json');
    const run = (budget: string, script: string) =>
      svcd(['run', '--budget', budget, '--strict', '--report', report, '--', 'sh', '-c', script]);
    const bad = await run('0', get(CAKE));
    expect([bad.code, bad.stderr]).toEqual([20, expect.stringContaining('1 asset: 1 fallback: 生日蛋糕 (budget)')]);
    expect(readReport(report)).toMatchObject({
      report: 1,
      sandbox: true,
      command: { exit_code: 0, signal: null },
      assets: [{ preset: 'fluent-emoji-flat/birthday-cake', outcome: 'default', reason: 'budget', fallbacks: 1 }],
    });
    const bought = await run('1', get(CAKE));
    expect([bought.code, bought.stderr]).toEqual([
      0,
      expect.stringContaining('1 asset: 1 bought for 1 credit (the sandbox: play money)\n'),
    ]);
    expect((await run('1', get(CAKE))).stderr).toContain('1 asset: 1 owned');
    expect((await run('1', get('no%2Fsuch'))).code).toBe(20);
    const silent = await svcd(['run', '--strict', '--', 'true']);
    // A run that shows nothing proves nothing.
    expect([silent.code, silent.stderr]).toEqual([20, expect.stringContaining('nothing was asked of svcd (--strict)')]);
  });

  it("passes on a failing command's own code, and writes the file then too", async () => {
    const report = join(home, 'report.json');
    const run = await svcd([
      'run',
      '--budget',
      '0',
      '--strict',
      '--report',
      report,
      '--',
      'sh',
      '-c',
      `${get(CAKE)}; exit 7`,
    ]);
    expect(run.code).toBe(7);
    expect(readReport(report)).toMatchObject({ command: { exit_code: 7 }, summary: { fallbacks: 1 } });
    expect((await svcd(['run', '--report', report, '--', 'no-such-program'])).code).toBe(2);
    expect(readReport(report)).toMatchObject({ command: { exit_code: null, signal: null }, assets: [] });
  });

  it('writes the file when it is interrupted', async () => {
    const report = join(home, 'report.json');
    const run = start(['--report', report, '--budget', '0'], ['sh', '-c', `${get(CAKE)}; echo up; exec sleep 60`]);
    await run.until('up');
    run.child.kill('SIGTERM');
    expect(await run.ended).toBe('SIGTERM');
    expect(readReport(report)).toMatchObject({
      command: { exit_code: null, signal: 'SIGTERM' },
      summary: { fallbacks: 1 },
    });
  });

  it('finds a file that cannot be written before the command starts', async () => {
    const run = await svcd(['run', '--report', join(home, 'no', 'report.json'), '--', 'echo', 'ran']);
    expect([run.code, run.stdout]).toEqual([2, '']);
  });

  it.each([
    ['ended', 'SIGTERM'],
    ['killed', 'SIGKILL'],
  ] as const)('ends with 20 when svcd was %s meanwhile, although all that it saw is right', async (_what, signal) => {
    const first = await startInTest([], { home, env: ENV });
    const report = join(home, 'report.json');
    // Templates that swallow what fails; the first asks while nobody is there.
    const lost = `echo up; ${UNTIL_TOLD}; ${get(CAKE).replace(/'$/, ".catch(() => undefined)'")}; echo lost`;
    const script = `${lost}; while [ ! -e "$SVCD_HOME/back" ]; do sleep .1; done`;
    const run = start(['--strict', '--report', report], ['sh', '-c', script]);
    await run.until('up');
    await first.end(signal);
    tell();
    await run.until('lost');
    await startInTest([], { home, env: ENV });
    // Until run has its token again, which only it and the daemon know.
    while (!(await svcd(['token', 'list'])).stdout.includes('run-')) await sleep(100);
    writeFileSync(join(home, 'back'), '');
    expect(await run.ended, run.stderr()).toBe(20);
    expect(run.stderr()).toMatch(/0 assets; svcd was away \d+\.\d s; what was asked then is not in this report\n/);
    expect(readReport(report)).toMatchObject({
      assets: [],
      away: [{ from: expect.stringMatching(/^\d{4}-.*Z$/) as unknown, ms: expect.any(Number) as unknown }],
    });
  });

  it('says why nothing is bought, and what to do about what came in its place', async () => {
    await startInTest([], { home, env: ENV });
    await svcd(['stop-spending']);
    const run = await svcd(['run', '--strict', '--', 'sh', '-c', get(CAKE)]);
    expect(run.code).toBe(20);
    expect(run.stderr).toContain(
      'svcd buys nothing: spending is stopped. Allow spending again with "svcd budget resume".\n',
    );
    expect(run.stderr).toContain('"svcd status" says why, and how to go on.');
    expect(run.stderr).not.toContain('right the next time');
    await svcd(['stop-spending', '--lift']);
    const lifted = await svcd(['run', '--strict', '--', 'sh', '-c', get(CAKE)]);
    expect([lifted.code, lifted.stderr]).toEqual([0, '1 asset: 1 bought for 1 credit (the sandbox: play money)\n']);
  });

  it('is whole though the daemon is away when the command ends', async () => {
    const first = await startInTest([], { home, env: ENV });
    const report = join(home, 'report.json');
    const run = start(
      ['--report', report, '--strict', '--budget', '0'],
      ['sh', '-c', `${get(CAKE)}; echo up; ${UNTIL_TOLD}`],
    );
    await run.until('up');
    await first.end('SIGKILL');
    tell();
    expect(await run.ended).toBe(20);
    expect(readReport(report)).toMatchObject({
      summary: { assets: 1, fallbacks: 1 },
      away: [{ ms: expect.any(Number) as unknown }],
    });
  });
});

describe('svcd env --run', () => {
  it('begins a run whose token spends within a budget and reads its report', async () => {
    const { stop, info } = await startSvcd([], { home, env: ENV });
    onTestFinished(stop);
    const told = await svcd(['env', '--run', 'card', '--budget', '1', '--format', 'json']);
    const { SERVICE_BASE_URL: url, SERVICE_API_KEY: token } = JSON.parse(told.stdout) as Record<string, string>;
    expect(url).toBe(info.url);
    const headers = { authorization: `Bearer ${token}` };
    for (const preset of ['fluent-emoji-flat%2Fbirthday-cake', 'fluent-emoji-flat%2Fballoon']) {
      await fetch(`${url}/api/v1/stickers/${preset}`, { headers });
    }
    const report = (await (await fetch(`${url}/svcd/report?run=card`, { headers })).json()) as Report;
    expect(report.summary).toMatchObject({ assets: 2, bought: 1, credits: 1, fallbacks: 1 });
    expect((await svcd(['token', 'list'])).stdout).toContain('card');
    expect((await svcd(['env', '--run', 'a b'])).code).toBe(2);
    expect((await svcd(['env', '--budget', '1'])).code).toBe(2);
  });
});
