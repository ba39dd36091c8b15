// svcd hub in a terminal and in scripts, by the program itself.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JoinAnswer } from '../../src/api/hub.js';
import { readCode } from '../../src/hub/code.js';
import { askHub, machineOf, type Machine } from '../support/machine.js';
import { collect, makeHome, type Outcome, runSvcd, spawnSvcd } from '../support/run-svcd.js';

interface HubLine {
  readonly url: string;
  readonly pid: number;
  readonly home: string;
  readonly sandbox: { readonly url: string; readonly key: string; readonly control_token: string };
  readonly local: { readonly url: string; readonly token: string };
}

const { home, remove } = makeHome();
let line: HubLine;

const svcd = (...args: string[]): Promise<Outcome> => runSvcd(args, { home });
const json = async <T>(...args: string[]): Promise<T> => {
  const { code, stdout, stderr } = await svcd(...args, '--json');
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as T;
};

async function joinBy(code: string, name: string): Promise<Machine> {
  const { secret, addresses } = readCode(code);
  const body = { secret, machine_name: name };
  const answer = await askHub(addresses[0] ?? '', '/svcd/hub/join', { method: 'POST', body });
  return machineOf(addresses[0] ?? '', JSON.parse(answer.text) as JoinAnswer);
}

beforeAll(async () => {
  const child = spawnSvcd(
    ['hub', 'start', '--sandbox', '--listen', '127.0.0.1:0', '--home', home, '--json', '--detach'],
    { home },
    ['ignore', 'pipe', 'pipe'],
  );
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  await new Promise((resolve) => child.once('close', resolve));
  if (stdout() === '') throw new Error(stderr());
  line = JSON.parse(stdout()) as HubLine;
}, 120_000);

afterAll(async () => {
  await svcd('stop');
  remove();
});

describe('svcd hub', () => {
  let machine: Machine;

  it('start prints one line that says where machines come in', () => {
    expect(Object.keys(line)).toEqual(['url', 'pid', 'home', 'sandbox', 'local']);
    expect(line.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(line).toMatchObject({ home, sandbox: { key: expect.stringMatching(/^sk-/) as unknown } });
    expect(line.local.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it('invite prints a code, for scripts and for people', async () => {
    const { code } = await json<{ code: string }>('hub', 'invite', '--project', 'promo', '--budget', '2');
    expect(readCode(code)).toMatchObject({ addresses: [line.url], scope: 'sandbox' });
    machine = await joinBy(code, 'render-1');
    const { stdout, stderr } = await svcd('hub', 'invite', '--project', 'promo', '--expires', '20m', '--uses', '1');
    expect(() => readCode(stdout)).not.toThrow();
    expect(stderr).toContain('svcd join CODE');
    expect(await svcd('hub', 'invite')).toMatchObject({ code: 2 });
    const wrong = await svcd('hub', 'invite', '--project', 'promo', '--expires', 'soon');
    expect(wrong.stderr).toContain('--expires must be a time such as 90s, 20m, 2h or 3d, got "soon"');
  });

  it('warm tells the price, buys the most wanted first, and skips what is owned', async () => {
    const found = await json<{ results: { preset: string }[] }>('search', '生日', '--limit', '3');
    const presets = found.results.map(({ preset }) => preset);
    const list = join(home, 'wanted.txt');
    writeFileSync(list, `${presets.slice(0, 2).join('\n')}\nfood/none-of-that-name\n`);
    const unasked = await svcd('hub', 'warm', list);
    expect(unasked).toMatchObject({ code: 11 });
    expect(unasked.stderr).toContain('3 stickers, 0 owned already: 3 credits to buy.');
    const warmed = await svcd('hub', 'warm', list, '--yes', '--json');
    expect(warmed).toMatchObject({ code: 3 });
    expect(JSON.parse(warmed.stdout)).toMatchObject({ cost: 2, failed: 1, left: 0, uncertain: [] });
    const got = await machine.get(presets[0] ?? '');
    expect(got).toMatchObject({ status: 200, headers: { 'x-svcd-source': 'owned', 'x-svcd-cost': '0' } });
    expect(await machine.get(presets[2] ?? '')).toMatchObject({ status: 200, headers: { 'x-svcd-cost': '1' } });
  });

  it('warm buys within the budget of a project, which counts it', async () => {
    const found = await json<{ results: { preset: string }[] }>('search', '雨', '--limit', '2');
    const list = join(home, 'wanted-too.txt');
    writeFileSync(list, `${found.results.map(({ preset }) => preset).join('\n')}\n`);
    await svcd('hub', 'budget', 'set', 'project:rain', '--total', '1');
    const warmed = await svcd('hub', 'warm', list, '--project', 'rain', '--yes', '--json');
    expect(warmed).toMatchObject({ code: 11 });
    expect(JSON.parse(warmed.stdout)).toMatchObject({ cost: 1, failed: 1 });
    expect((await svcd('hub', 'budget')).stdout).toMatch(/project:rain +1 in all +1 +0/);
    await svcd('hub', 'budget', 'set', 'project:rain', '--total', 'none');
  });

  it('budget, purchases, machines and audit tell who spent what', async () => {
    expect((await svcd('hub', 'budget')).stdout).toMatch(/project:promo +2 in all +1 +0/);
    const set = await json<{ budgets: object[] }>('hub', 'budget', 'set', 'machine:1', '--day', '20', '--total', '50');
    expect(set.budgets).toHaveLength(3);
    const unknown = await svcd('hub', 'budget', 'set', 'machine:99', '--day', '1');
    expect(unknown.stderr).toContain('No machine and no invite is of machine:99 yet');
    await svcd('hub', 'budget', 'set', 'machine:99', '--day', 'none');
    expect((await svcd('hub', 'invite', '--project', 'promo', '--budget', '2000')).stderr).toContain(
      'was 2, now 2,000',
    );
    expect(await svcd('hub', 'given', 'approve', '99')).toMatchObject({ code: 3 });
    expect((await svcd('hub', 'budget', 'set', 'nobody', '--day', '1')).stderr).toContain('project:NAME');
    const { purchases } = await json<{ purchases: object[] }>('hub', 'purchases', '--project', 'promo');
    expect(purchases).toMatchObject([{ machine: { name: 'render-1' }, payers: ['all', 'project:promo', 'machine:1'] }]);
    expect((await svcd('hub', 'machines')).stdout).toMatch(/1 +render-1 +promo +1 /);
    const audit = await svcd('hub', 'audit');
    expect(audit).toMatchObject({ code: 0 });
    expect(audit.stdout).toContain('each is what the journal comes to');
    expect((await svcd('hub', 'audit', '--lang', 'zh')).stdout).toContain('每一行都与日志相符');
  });

  it('status and doctor say what it has and that all is well', async () => {
    expect(await json<object>('hub', 'status')).toMatchObject({
      url: line.url,
      database: 'sqlite',
      machines: { joined: 1, seen: 1 },
    });
    const doctor = await svcd('hub', 'doctor');
    expect(doctor).toMatchObject({ code: 0 });
    expect(doctor.stdout).toContain('the hub has a Key');
  });

  it('stays a hub, with its port, certificate and machines, after svcd restart', async () => {
    await json('restart');
    expect(await json<object>('hub', 'status')).toMatchObject({ url: line.url });
    expect(await machine.ask('/svcd/hub')).toMatchObject({ status: 200 });
  });

  it('revoke ends a machine, by its name', async () => {
    expect((await svcd('hub', 'revoke', 'render-1')).stdout).toContain('Machine 1 (render-1) revoked');
    expect(await machine.ask('/svcd/hub')).toMatchObject({ status: 401 });
    expect((await svcd('hub', 'machines')).stdout).toContain('No machine has joined');
    expect((await svcd('hub', 'machines', '--all')).stdout).toContain('revoked');
    expect(await svcd('hub', 'revoke', 'render-9')).toMatchObject({ code: 3 });
  });

  it('tells without a hub what it can, and how to start one', async () => {
    await svcd('stop');
    expect((await svcd('hub', 'machines', '--all')).stdout).toContain('render-1');
    const refused = await svcd('hub', 'invite', '--project', 'promo');
    expect(refused).toMatchObject({ code: 4 });
    expect(refused.stderr).toContain('svcd hub start');
  });
});
