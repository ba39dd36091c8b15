// svcd hub in a terminal and in scripts, by the program itself.

import { once } from 'node:events';
import { existsSync, mkdtempSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JoinAnswer } from '../../src/api/hub.js';
import { readCode } from '../../src/hub/register/invite-code.js';
import { displayWidth } from '../../src/cli/terminal/fit-table.js';
import { onTerminal } from '../support/on-terminal.js';
import { itIf, TERMINAL } from '../support/requires.js';
import { askHub, machineOf, type Machine } from '../support/machine.js';
import { runHere } from '../support/run-here.js';
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

/** What starts another process of svcd, looks at this one, or speaks another language, has a process of its own. */
const OWN_PROCESS = new Set(['--lang', 'doctor', 'restart', 'start', 'stop']);
const svcd = (...args: string[]): Promise<Outcome> =>
  (args.some((arg) => OWN_PROCESS.has(arg)) ? runSvcd : runHere)(args, { home });
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
    ['hub', 'start', '--sandbox', '--listen', '127.0.0.1:0', '--port', '0', '--home', home, '--json', '--detach'],
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

it('backup-done notes nothing where no database is in use', async () => {
  const { code, stdout, stderr } = await svcd('hub', 'backup-done');
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('"svcd owned backup FILE"');
  expect(existsSync(join(home, 'last-backup.json'))).toBe(false);
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
    expect(stderr).toContain('svcd hub join CODE');
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
    expect((await svcd('hub', 'budget', 'set', 'nobody', '--day', '1')).stderr).toContain('project:NAME');
    const { budgets, unlimited } = await json<{ budgets: object[]; unlimited: object[] }>('hub', 'budget');
    expect([budgets.length, unlimited]).toEqual([3, [{ payer: 'project:rain', spent: 1, reserved: 0 }]]);
    expect((await svcd('hub', 'budget')).stdout).toMatch(/project:rain +no limit +1 +0/);
    const { purchases } = await json<{ purchases: object[] }>('hub', 'purchases', '--project', 'promo');
    expect(purchases).toMatchObject([{ machine: { name: 'render-1' }, payers: ['all', 'project:promo', 'machine:1'] }]);
    expect((await svcd('hub', 'machines')).stdout).toMatch(/1 +render-1 +promo +1 /);
    const audit = await svcd('hub', 'audit');
    expect(audit).toMatchObject({ code: 0 });
    expect(audit.stdout).toContain('each is what the journal comes to');
    expect((await svcd('hub', 'audit', '--lang', 'zh')).stdout).toContain('每一行都与日志相符');
  });

  it('purchases and report are CSV and NDJSON, whole, of a month, a project and a day', async () => {
    const out = async (...args: string[]) => (await svcd('hub', ...args)).stdout.split(/\r?\n/).slice(0, -1);
    const lines = await out('purchases', '--csv', '--since', '2026-01-01');
    expect(lines[0]).toBe('id,created_at,settled_at,item,state,price,cost,reason,project,user,machine,machine_name');
    const paid = lines.filter((one) => one.includes(',paid,'));
    expect(paid.at(-1)).toMatch(/^\d+,\S+,sticker:[^,]+,paid,1,1,,,,,$/);
    expect(paid[0]).toMatch(/,paid,1,1,,rain,,,$/);
    expect(await out('purchases', '--csv', '--since', '2999-01-01')).toEqual(lines.slice(0, 1));
    const ndjson = await out('purchases', '--ndjson', '--project', 'promo');
    expect(ndjson.map((one) => (JSON.parse(one) as { payers: string[] }).payers[1])).toEqual(['project:promo']);
    expect(await out('purchases', '--ndjson', '--project', 'promo', '--user', 'ann')).toEqual([]);
    const month = lines[1]?.split(',')[1]?.slice(0, 7) ?? '';
    const head = 'month,project,user,purchases,credits,unknown,unknown_credits';
    expect(await out('report', '--by', 'project,user', '--csv')).toEqual([
      head,
      `${month},,,2,2,0,0`,
      `${month},promo,,1,1,0,0`,
      `${month},rain,,1,1,0,0`,
    ]);
    expect(await out('report', '--by', 'project,user', '--month', '2020-02', '--csv')).toEqual([head]);
    expect((await svcd('hub', 'report', '--month', '2026-13')).stderr).toContain('a month such as 2026-11');
    expect((await svcd('hub', 'report', '--by', 'colour')).stderr).toContain('project, user, machine');
    expect((await svcd('hub', 'report', '--csv', '--json')).code).toBe(2);
    const full = openSync('/dev/full', 'w');
    const child = spawnSvcd(['hub', 'report', '--csv', '--home', home], { home }, ['ignore', full, 'pipe']);
    const said = collect(child.stderr);
    const [code] = (await once(child, 'close')) as [number];
    expect([code === 0, said()]).toEqual([false, expect.stringContaining('ENOSPC')]);
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
    expect((await svcd('hub', 'machines')).stdout).toContain('No machine is in');
    expect((await svcd('hub', 'machines', '--all')).stdout).toContain('revoked');
    expect(await svcd('hub', 'revoke', 'render-9')).toMatchObject({ code: 3 });
  });

  describe('and a machine of it', () => {
    const side = makeHome();
    const atMachine = (...args: string[]) => runSvcd(args, { home: side.home });
    const NAME = 'a-workstation-with-a-long-name-in-the-second-room';
    let presets: string[] = [];
    afterAll(() => side.remove());

    it('is told what the hub owned already, in words and in a field', async () => {
      const found = await json<{ results: { preset: string }[] }>('search', '猫', '--limit', '3');
      presets = found.results.map(({ preset }) => preset);
      const [owned = '', bought = '', third = ''] = presets;
      await svcd('get', owned, '-o', join(home, 'cat.json'));
      const { code } = await json<{ code: string }>('hub', 'invite', '--project', 'cats', '--user', 'ann');
      expect((await atMachine('join', code, '--name', NAME)).stdout).toContain(`This machine is "${NAME}"`);
      const get = async (preset: string) => {
        const { stdout } = await atMachine('get', preset, '-o', join(side.home, 'cat.json'), '--overwrite', '--json');
        return JSON.parse(stdout) as object;
      };
      expect(await get(owned)).toMatchObject({ source: 'remote', cost: 0, hub: 'owned' });
      expect(await get(bought)).toMatchObject({ source: 'remote', cost: 1, hub: 'bought' });
      expect(await get(bought)).toMatchObject({ source: 'owned', cost: 0 });
      await svcd('get', third, '-o', join(home, 'third.json'));
      const said = await atMachine('get', third, '-o', join(side.home, 'third.json'));
      expect(said.stdout).toContain('(owned at the hub, no charge');
    });

    it('sees its limits at the hub, that the Key is there, and that it is none itself', async () => {
      await svcd('hub', 'budget', 'set', 'project:cats', '--total', '40');
      expect((await atMachine('usage')).stdout).toMatch(/At the hub:\n.*\n +project:cats +40 in all +1 +0/);
      const { hub } = JSON.parse((await atMachine('usage', '--json')).stdout) as { hub: object };
      expect(hub).toMatchObject({ limits: [{ payer: 'project:cats', credits: 40, spent: 1 }] });
      expect((await atMachine('key')).stdout).toMatch(/Key +at the hub/);
      const refused = await atMachine('hub', 'machines');
      expect(refused).toMatchObject({ code: 4 });
      expect(refused.stderr).toContain(`${side.home} is no hub: it belongs to the hub at ${line.url}`);
    });

    itIf(TERMINAL, 'stands in tables that fit 80 columns, in English and in Chinese', async () => {
      for (const command of ['purchases', 'machines', 'budget', 'audit', 'doctor']) {
        for (const lang of ['en', 'zh']) {
          const { code, said } = await onTerminal({ home, columns: 80 }, ['hub', command, '--lang', lang]);
          expect(code).toBe(0);
          const wide = said.split('\n').filter((one) => displayWidth(one.trimEnd()) > 80);
          expect(wide, `${command} ${lang}`).toEqual([]);
          if (command === 'purchases') {
            for (const preset of presets) expect(said).toContain(preset);
            expect(said).toContain(NAME);
            expect(said).toContain(lang === 'zh' ? '已付' : 'paid');
          }
        }
      }
    });

    it('says what becomes of it when it leaves', async () => {
      const left = await atMachine('leave');
      expect(left).toMatchObject({ code: 0 });
      expect(left.stdout).toContain(`no longer belongs to the hub at ${line.url}. What came through it stays owned.`);
      expect(left.stdout).not.toContain('could not be told');
      // It was a fresh home before.
      expect(left.stdout).toContain(
        'It uses no remote, as before it joined.\nWhat came through the hub is of a sandbox',
      );
      expect((await svcd('hub', 'machines')).stdout).not.toContain(NAME);
      expect((await atMachine('leave')).stdout).toBe('This home belongs to no hub.\n');
    });
  });

  it('says in Chinese what its doctor finds and what it refuses, by the option that was typed', async () => {
    const inChinese = (...args: string[]) => svcd(...args, '--lang', 'zh');
    const doctor = await inChinese('hub', 'doctor');
    expect(doctor.stdout).toMatch(/正常 +Key +集线器有 Key\n/);
    expect(doctor.stdout).toContain('请备份："svcd owned backup FILE"。');
    // Every check, but for the names of programs.
    expect(
      doctor.stdout.split('\n').filter((one) => /^(?:正常|注意|严重)/.test(one) && !/\p{Script=Han}/u.test(one)),
    ).toEqual([]);
    const refused: [string[], string, string][] = [
      [['hub', 'revoke', 'nobody'], 'no machine "nobody" has joined', '没有名为或编号为 "nobody" 的机器'],
      [['hub', 'budget', 'set', 'bob', '--day', '3'], 'PAYER must be all,', 'PAYER 应为 all,'],
      [['hub', 'budget', 'set', 'all', '--total', '3'], 'the limit of all together', '所有人合计的上限'],
      [['hub', 'invite', '--project', 'a/b'], '--project must be 1 to 64', '--project 应为 1 到 64 个字母'],
      [['hub', 'invite', '--project', 'a', '--user', 'a/b'], '--user must be 1 to 64', '--user 应为 1 到 64 个字母'],
    ];
    for (const [args, en, zh] of refused) {
      expect((await svcd(...args)).stderr).toContain(`svcd: ${en}`);
      expect((await inChinese(...args)).stderr).toContain(`svcd: ${zh}`);
    }
    const lost = ['hub', 'purchases', '--state', 'lost'];
    expect((await svcd(...lost)).stderr).toContain('svcd: --state must be one of');
    expect((await inChinese(...lost)).stderr).toContain('svcd: --state 应为以下之一：intent,');
  });

  it('says what was typed where there is nothing to warm or to run', async () => {
    const list = join(mkdtempSync(join(tmpdir(), 'svcd-list-')), 'empty.txt');
    writeFileSync(list, '');
    const empty = await svcd('hub', 'warm', list);
    expect(empty).toMatchObject({ code: 2 });
    expect(empty.stderr).toContain(`${list} names no preset`);
    expect(empty.stderr).not.toContain('--from');
    expect((await svcd('hub', 'stop')).stderr).toContain('there is no command "hub stop"; did you mean "svcd stop"?');
    expect((await svcd('hub', 'audits')).stderr).toContain('did you mean audit?');
  });

  it('is no home that joins another hub while it runs', async () => {
    const { code } = await json<{ code: string }>('hub', 'invite', '--project', 'promo');
    expect((await svcd('join', code)).stderr).toContain('this home is a hub itself');
    expect(existsSync(join(home, 'hub.json'))).toBe(false);
  });

  it('tells without a hub what it can, and how to start one', async () => {
    await svcd('stop');
    expect((await svcd('hub', 'machines', '--all')).stdout).toContain('render-1');
    const refused = await svcd('hub', 'invite', '--project', 'promo');
    expect(refused).toMatchObject({ code: 4 });
    expect(refused.stderr).toContain('svcd hub start');
  });

  it('says at its start where machines come in, and how to invite them', async () => {
    const { stdout, stderr } = await svcd(
      'hub',
      'start',
      '--sandbox',
      '--listen',
      '127.0.0.1:0',
      '--port',
      '0',
      '--detach',
    );
    expect(stdout + stderr).toContain(`Machines come in at ${line.url}.`);
    expect(stdout + stderr).toContain('svcd hub invite --project NAME');
  });

  it.each([
    ['machines'],
    ['budget'],
    ['budget', 'set', 'all', '--day', '3'],
    ['audit'],
    ['invite', '--project', 'promo'],
    ['purchases'],
    ['recover'],
    ['warm', '/dev/null'],
    ['status'],
    ['revoke', '1'],
  ])('says of a home that is none what to do, and makes nothing there: %s', async (...args) => {
    const other = makeHome();
    const before = readdirSync(other.home);
    const refused = await runSvcd(['hub', ...args], { home: other.home });
    expect(refused).toMatchObject({ code: 4, stdout: '' });
    expect(refused.stderr).toContain(`no hub was started on ${other.home}`);
    expect(refused.stderr).toContain('"svcd hub start');
    expect(readdirSync(other.home)).toEqual(before);
    other.remove();
  });
});
