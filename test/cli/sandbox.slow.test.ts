// The sandbox as a program: alone, and inside svcd; its knobs from the command line.

import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { eachHome, startInTest } from '../support/in-test.js';
import { collect, runSvcd, spawnSvcd } from '../support/run-svcd.js';

const CAKE = 'fluent-emoji-flat/birthday-cake';

interface Info {
  readonly url: string;
  readonly pid: number;
  readonly key: string;
  readonly seed: number;
  readonly control_token: string;
  readonly home: string;
}

interface Downloaded {
  readonly path: string;
  readonly key: { readonly id: number };
}

let home: string;
eachHome((fresh) => (home = fresh));

async function startAlone(...flags: string[]) {
  const args = ['sandbox', 'start', '--json', '--port', '0', ...flags];
  const child = spawnSvcd(args, { home }, ['ignore', 'pipe', 'pipe']);
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    child.kill('SIGTERM');
    await once(child, 'close');
    return child.exitCode;
  };
  onTestFinished(async () => void (await stop()));
  while (!stdout().includes('\n')) {
    const said = child.stdout === null ? [] : [once(child.stdout, 'data')];
    await Promise.race([...said, once(child, 'close')]);
    if (child.exitCode !== null) throw new Error(stderr());
  }
  const info = JSON.parse(stdout()) as Info;
  const call = (path: string, headers: Record<string, string> = {}) =>
    fetch(info.url + path, { headers: { Authorization: `Bearer ${info.key}`, ...headers } });
  return { info, call, stop, stderr };
}

/** Runs `svcd sandbox …` and returns what it says as JSON. */
async function sandbox<T = Record<string, unknown>>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await runSvcd(['sandbox', ...args, '--json'], { home });
  if (code !== 0) throw new Error(`${code}: ${stderr}`);
  return JSON.parse(stdout) as T;
}

describe('svcd sandbox start', () => {
  it('is the whole service, with a note that only its owner can read', async () => {
    const { info, call } = await startAlone('--credits', '20');
    expect(info).toMatchObject({ home, key: expect.stringMatching(/^sk-sandbox-/) as string });
    const file = join(home, 'sandbox-runtime.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      pid: info.pid,
      token: info.control_token,
    });
    const answer = await call(stickerPath(CAKE));
    expect([answer.status, answer.headers.get('X-Service-Credits-Remaining')]).toEqual([200, '19']);
  });

  it('keeps its state, its seed and its token, and ends cleanly with a connection held open', async () => {
    const first = await startAlone('--seed', '7', '--credits', '20');
    await first.call(stickerPath(CAKE));
    void first.call('/api/v1/me', { 'X-Sandbox-Fault': 'black-hole' }).catch(() => undefined);
    expect(await first.stop()).toBe(0);
    const second = await startAlone();
    expect(second.info).toMatchObject({
      seed: 7,
      key: first.info.key,
      control_token: first.info.control_token,
    });
    expect((await second.call('/api/v1/me')).headers.get('X-Service-Credits-Remaining')).toBe('19');
    await second.stop();
    const third = await startAlone('--fresh', '--seed', '7');
    expect(third.info.key).toBe(first.info.key);
    expect((await third.call('/api/v1/me')).headers.get('X-Service-Credits-Remaining')).toBe('1000');
  });

  it('refuses a second one on its home, another seed, and what it does not have', async () => {
    const { stop } = await startAlone('--seed', '7');
    const refusal = async (...flags: string[]) => {
      const { code, stderr } = await runSvcd(['sandbox', 'start', '--port', '0', ...flags], { home });
      return `${code} ${stderr}`;
    };
    expect(await refusal()).toMatch(/^5 svcd: a sandbox already runs/);
    await stop();
    expect(await refusal('--seed', '8')).toMatch(/^2 svcd: this sandbox began with seed 7, not 8/);
    expect(await refusal('--with', 'time-travel')).toMatch(/^2 svcd: the sandbox has no module "time-travel"/);
    expect(await refusal('--seed', '-1')).toMatch(/^2 svcd: --seed/);
  });
});

describe('svcd sandbox', () => {
  it('pays, rewards, refunds and moves time', async () => {
    const { call } = await startAlone('--credits', '0');
    await sandbox('accounts', 'add', 'ada');
    await sandbox('invite', 'ada', 'main');
    const { id } = await sandbox<{ id: string }>('topup', '100');
    expect((await call('/api/v1/me')).headers.get('X-Service-Credits-Remaining')).toBe('1000');
    await sandbox('clock', '--advance', '14d');
    type Accounts = { accounts: { name: string; credits: number }[] };
    const credits = async () => (await sandbox<Accounts>('accounts')).accounts.map((one) => one.credits);
    expect(await credits()).toEqual([1050, 50]);
    await sandbox('refund', id);
    expect(await credits()).toEqual([0, 0]);
    expect(await sandbox('ledger')).toMatchObject({ unbalanced: 0, wrong_balances: 0 });
    await sandbox('reset');
    expect(await credits()).toEqual([0]);
  });

  it('makes and disables Keys, and sells templates with a Key of their own', async () => {
    const { info, call } = await startAlone();
    const bought = await sandbox<{ key: { id: number; key: string } }>('buy', 'birthday-card@1.1.0', '30');
    const withKey = (key: string) => call('/api/v1/me', { Authorization: `Bearer ${key}` });
    expect((await withKey(bought.key.key)).status).toBe(200);
    await sandbox('keys', 'set', String(bought.key.id), '--state', 'disabled');
    expect((await withKey(bought.key.key)).status).toBe(403);
    expect((await withKey(info.key)).status).toBe(200);
    const limited = await sandbox<{ id: number; key: string }>('keys', 'add', '--month', '0');
    const refused = await call(stickerPath(CAKE), { Authorization: `Bearer ${limited.key}` });
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'key_limit_exceeded' }]);
    expect(JSON.stringify(await sandbox('keys'))).not.toContain(limited.key);
    const silent = ['keys', 'set', String(limited.id), '--permissions'];
    expect(await sandbox(...silent, 'none')).toMatchObject({ permissions: [] });
    expect(await sandbox(...silent, 'music.search, assets.read')).toMatchObject({
      permissions: ['music.search', 'assets.read'],
    });
  });

  it('downloads a template as a folder and as a ZIP file, each with a Key of its own that no terminal shows', async () => {
    const { call } = await startAlone();
    const folder = await sandbox<Downloaded>('download', 'birthday-card', join(home, 'work'));
    expect(folder.path).toBe(join(home, 'work', 'birthday-card@1.1.0.motion'));
    const file = join(folder.path, 'service.key.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { key } = JSON.parse(readFileSync(file, 'utf8')) as { key: string };
    const zip = await sandbox<Downloaded>('download', 'birthday-card@1.0.0', join(home, 'card.zip'));
    expect(readFileSync(zip.path).toString('latin1', 0, 2)).toBe('PK');
    expect(zip.key.id).not.toBe(folder.key.id);
    const again = ['sandbox', 'download', 'birthday-card', join(home, 'card.zip')];
    expect(await runSvcd(again, { home })).toMatchObject({ code: 2, stderr: expect.stringContaining('--overwrite') });
    expect((await runSvcd([...again, '--overwrite'], { home })).code).toBe(0);
    expect(JSON.stringify([folder, zip])).not.toContain(key);
    const ask = async () => (await call('/api/v1/me', { Authorization: `Bearer ${key}` })).status;
    expect(await ask()).toBe(200);
    await sandbox('keys', 'set', String(folder.key.id), '--state', 'disabled');
    expect(await ask()).toBe(403);
    await sandbox('download', 'birthday-card', join(home, 'work'));
    expect((JSON.parse(readFileSync(file, 'utf8')) as { key: string }).key).not.toBe(key);
    const none = await runSvcd(['sandbox', 'download', 'birthday'], { home });
    expect([none.code, none.stderr]).toEqual([3, expect.stringContaining('birthday-card@1.1.0')]);
  });

  it('makes requests go wrong, and tells what was asked', async () => {
    const { call } = await startAlone();
    await sandbox('fault', 'add', 'status', '--status', '502', '--path', '/api/v1/me', '--count', '1');
    expect([(await call('/api/v1/me')).status, (await call('/api/v1/me')).status]).toEqual([502, 200]);
    expect(await sandbox('fault')).toMatchObject({ faults: [{ kind: 'status', seen: 2, fired: 1 }] });
    expect(await sandbox('fault', 'clear')).toEqual({ removed: 1 });
    await sandbox('capability', 'images.generate', 'off');
    const { requests } = await sandbox<{ requests: { status: number; fault: string | null }[] }>('requests');
    expect(requests.map(({ status, fault }) => [status, fault])).toEqual([
      [200, null],
      [502, 'status'],
    ]);
  });

  it('answers a person in words', async () => {
    const answers = [
      [['accounts'], /main +1,000/],
      [['keys'], /main +general +active\n/],
      [['payments'], /main +top_up +100\.00 +1,000/],
      [['clock'], /in the sandbox, the same as outside/],
      [['capability'], /images\.generate +beta +yes/],
      [['requests'], /There are none\./],
      [['ledger'], /unbalanced +0\nwrong balances +0/],
      [['fault'], /There are none\.\nseed +\d+\n/],
      [['topup', '2'], /account +main\n.*amount +2\.00\ncredits +20\n/s],
      [['release', 'x@1.0.0', '--tip', 'less'], /template +x@1\.0\.0\n/],
    ] as const;
    await startAlone();
    for (const [args, words] of answers) {
      const { code, stdout } = await runSvcd(['sandbox', ...args], { home });
      expect([code, stdout], args.join(' ')).toEqual([0, expect.stringMatching(words)]);
    }
  });

  it('says so when none runs, and shows no token to a stranger on its port', async () => {
    const { stop, info } = await startAlone();
    await stop();
    const none = await runSvcd(['sandbox', 'accounts'], { home });
    expect([none.code, none.stderr]).toEqual([4, expect.stringContaining('svcd sandbox start')]);
    // A note that is left over names a process that lives and is somebody else.
    const note = { pid: process.pid, url: info.url, token: info.control_token };
    writeFileSync(join(home, 'sandbox-runtime.json'), JSON.stringify(note));
    expect((await runSvcd(['sandbox', 'accounts'], { home })).code).toBe(4);
  });
});

describe('svcd start --sandbox', () => {
  it('has the same knobs, and shields them: faults asked of svcd itself are not heard', async () => {
    const svcd = await startInTest(['--sandbox'], { home });
    await sandbox('topup', '100');
    const authorization = `Bearer ${svcd.info.token}`;
    const usage = await fetch(`${svcd.info.url}/api/v1/usage`, { headers: { authorization } });
    expect(await usage.json()).toMatchObject({ balance: 2000 });
    const headers = { authorization, 'X-Sandbox-Fault': 'reset' };
    const file = await fetch(svcd.info.url + stickerPath(CAKE), { headers });
    expect([file.status, file.headers.get('X-Svcd-Source')]).toEqual([200, 'remote']);
    expect(await sandbox('requests', '--path', '/api/v1/stickers/')).toMatchObject({
      requests: [{ status: 200, cost: 1, fault: null }],
    });
    expect((await fetch(`${svcd.info.url}/sandbox/accounts`, { headers })).status).toBe(404);
    const alone = await runSvcd(['sandbox', 'start', '--port', '0'], { home });
    expect(alone.code).toBe(5);
  });

  it('begins its sandbox with the seed, credits and parts it was told, and refuses them without one', async () => {
    const svcd = await startInTest(['--sandbox', '--seed', '5', '--credits', '77', '--with', 'music'], {
      home,
    });
    const headers = { authorization: `Bearer ${svcd.info.token}` };
    const get = (path: string) => fetch(`${svcd.info.url}/api/v1/${path}`, { headers });
    expect(await (await get('usage')).json()).toMatchObject({ balance: 77 });
    expect((await get('music/search')).status).toBe(200);
    expect((await get('tasks')).status).toBe(404);
    expect(await sandbox('fault')).toMatchObject({ seed: 5 });
    await svcd.stop();
    const told = async (...args: string[]) => {
      const { code, stderr } = await runSvcd(['start', '--port', '0', ...args], { home });
      return `${code} ${stderr}`;
    };
    expect(await told('--seed', '5', '--no-sandbox')).toMatch(/^2 .*--seed is for the sandbox/);
    expect(await told('--sandbox', '--seed', '6')).toMatch(/^2 .*began with seed 5, not 6/);
    expect(await told('--detach', '--sandbox', '--with', 'tea')).toMatch(/^2 .*no module "tea"/);
  });
});
