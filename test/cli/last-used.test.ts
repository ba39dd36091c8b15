// What a home was last used with, remote or sandbox, holds for every command and start; and the two never mix.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachHome, serve, startInTest } from '../support/in-test.js';
import { runHere } from '../support/run-here.js';
import { runSvcd } from '../support/run-svcd.js';

const CAKE = 'fluent-emoji-flat/birthday-cake';
const BALLOON = 'fluent-emoji-flat/balloon';
const MARK = '(sandbox: its credits and purchases are not real)\n';
const KEY = 'sk-real-0123456789-abcd';

type Json = Record<string, unknown>;

let home: string;
eachHome((fresh) => (home = fresh));

/** In the test's process, but for what starts others: the doctor, and what "svcd run" runs. */
const run = (args: readonly string[], env: Record<string, string> = {}) =>
  (['doctor', 'run', 'env'].includes(args[0] ?? '') ? runSvcd : runHere)(args, { home, env, cwd: home });

async function json(args: readonly string[], env: Record<string, string> = {}): Promise<Json> {
  const { code, stdout, stderr } = await run([...args, '--json'], env);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Json;
}

async function start(flags: readonly string[], env: Record<string, string> = {}) {
  const svcd = await startInTest(flags, { home, env });
  return svcd;
}

/** Starts the daemon with these flags and ends it at once. */
async function useOnce(...flags: string[]) {
  const svcd = await start(flags);
  await svcd.end();
  return svcd;
}

const lastUsed = () => JSON.parse(readFileSync(join(home, 'last-used.json'), 'utf8')) as unknown;
const configure = (settings: Json) => writeFileSync(join(home, 'config.json'), JSON.stringify(settings));
const OTHER = 'https://assets.example.com';

/** A service that notes the Keys it is shown and sells every sticker. */
async function startRemote() {
  const keys: (string | undefined)[] = [];
  const lottie = JSON.stringify({ v: '5.7.0', fr: 30, ip: 0, op: 30, w: 9, h: 9, layers: [{ ty: 4 }] });
  const url = await serve((request, response) => {
    keys.push(request.headers.authorization);
    response.setHeader('content-type', 'application/json');
    response.setHeader('x-service-credits-remaining', '7');
    response.end(request.url?.startsWith('/api/v1/stickers/') === true ? lottie : '{}');
  });
  return { url, keys };
}

describe('after svcd start --sandbox and svcd stop', () => {
  it('every command still answers from the sandbox, and says so', async () => {
    const first = await start(['--sandbox']);
    await run(['get', CAKE, '-o', 'cake.json']);
    // Who comes second finds a daemon that is ending.
    const stops = await Promise.all(['stop', 'stop', 'stop', 'stop'].map((stop) => run([stop])));
    expect(stops.map(({ code, stderr }) => [code, stderr])).toEqual(stops.map(() => [0, '']));
    expect(await first.end()).toBe(0);

    expect(await json(['search', '生日'])).toMatchObject({ remote: 'sandbox', total: expect.any(Number) });
    expect((await json(['search', '生日']))['total']).toBeGreaterThan(50);
    expect(await json(['get', CAKE, '-o', 'again.json'])).toMatchObject({
      source: 'owned',
      cost: 0,
      remote: 'sandbox',
    });
    expect(await json(['get', BALLOON, '-o', 'new.json'])).toMatchObject({ source: 'remote', cost: 1 });
    const { purchases } = (await json(['purchases'])) as { purchases: Json[] };
    expect(purchases.map(({ preset }) => preset)).toEqual([BALLOON, CAKE]);
    for (const args of [['search', '生日'], ['match', '生日快乐'], ['purchases'], ['budget'], ['usage'], ['doctor']]) {
      const { stdout } = await run(args);
      expect(stdout.endsWith(MARK), args.join(' ')).toBe(true);
    }
    const unknown = await run(['get', 'no/such', '-o', 'x.json']);
    expect([unknown.code, unknown.stderr]).toEqual([3, expect.stringContaining('This home uses the sandbox.\n')]);
    // What stands in a pipe or a variable stays clean.
    const piped = await run(['get', CAKE, '--output', '-']);
    expect([JSON.parse(piped.stdout), piped.stderr.endsWith(MARK)]).toMatchObject([
      { layers: expect.any(Array) },
      true,
    ]);
    const token = await run(['token', 'add', 'job']);
    expect(token.stdout).toMatch(/^svcd_\S+\n$/);
  });

  it('the next start is the sandbox again, with its money; a killed one is remembered too', async () => {
    const first = await start(['--sandbox']);
    await run(['get', CAKE, '-o', 'cake.json']);
    await first.end('SIGKILL');
    expect((await run(['status'])).stderr).toContain('It starts the sandbox, which this home uses.');
    const second = await start([]);
    expect(second.info.sandbox?.key).toBe(first.info.sandbox?.key);
    expect(second.info.library.stickers).toBeGreaterThan(11_000);
    expect(await json(['usage'])).toMatchObject({ remote: { effective_credits_remaining: 999 }, sandbox: true });
    expect((await run(['status'])).stdout).toMatch(/remote +the sandbox at/);
    expect((await run(['stop'])).stdout).toContain('This home stays with the sandbox');
  });

  it('svcd run and svcd env use the sandbox too, and say so beside what they print', async () => {
    await useOnce('--sandbox');
    const printed = await run(['env', '--format', 'json']);
    expect(Object.keys(JSON.parse(printed.stdout) as Json)).toEqual(['SERVICE_BASE_URL', 'SERVICE_API_KEY']);
    expect(printed.stderr).toContain('sandbox');
    const script = 'fetch(process.env.SERVICE_BASE_URL).then((a) => console.log(a.headers.get("x-svcd-remote")))';
    const ran = await run(['run', '--', process.execPath, '-e', script], { SVCD_PORT: '0' });
    await run(['stop']);
    expect([ran.code, ran.stdout]).toEqual([0, 'sandbox\n']);
    expect(ran.stderr).toContain('now, with the sandbox;');
  });

  it('a home of 0.1.0, which wrote no such note, is recognized by its runtime.json', async () => {
    const token = `svcd_${'a'.repeat(32)}`;
    const runtime = { pid: null, url: 'http://127.0.0.1:1', token, sandbox: { url: 'http://127.0.0.1:2', token } };
    writeFileSync(join(home, 'runtime.json'), JSON.stringify(runtime));
    expect(await json(['search', '生日'])).toMatchObject({ remote: 'sandbox' });
  });
});

describe('the sandbox and a remote', () => {
  it('have their own purchases, and each sees its own Key alone', async () => {
    const remote = await startRemote();
    const env = { SERVICE_API_KEY: KEY };
    const sandbox = await start(['--sandbox'], env);
    await run(['get', CAKE, '-o', 'a.json'], env);
    await sandbox.end();
    // Bought with the sandbox's own Key: it knows no other.
    expect(await json(['get', BALLOON, '-o', 'b.json'], env)).toMatchObject({ source: 'remote', remote: 'sandbox' });

    const real = await start(['--remote', remote.url], env);
    expect(lastUsed()).toEqual({ remote: remote.url });
    expect(real.stderr()).toContain(`This home was last used with the sandbox; now it uses ${remote.url} (--remote).`);
    expect(await json(['purchases'])).toEqual({ purchases: [] });
    await real.end();
    expect(await json(['get', CAKE, '-o', 'c.json'], env)).toMatchObject({ source: 'remote', cost: 1 });
    expect(new Set(remote.keys.filter((key) => key !== undefined))).toEqual(new Set([`Bearer ${KEY}`]));
    expect(((await json(['purchases'])) as { purchases: Json[] }).purchases).toHaveLength(1);
  });

  it("a sandbox's Key is not sent to a service on another machine, nor stored for one", async () => {
    configure({ remote: OTHER });
    const status = await json(['key'], { SERVICE_API_KEY: 'sk-sandbox-0123456789', SVCD_OFFLINE: 'true' });
    expect(status).toMatchObject({ source: 'none', warnings: [expect.stringContaining('it is not sent there')] });
    const stored = await runSvcd(['key', 'set', '--key-file', join(home, 'k')], {
      home,
      stdin: 'sk-sandbox-0123456789',
    });
    expect([stored.code, stored.stderr]).toEqual([2, expect.stringContaining('Nothing was stored')]);
  });
});

describe('what was last used', () => {
  it('stands below config.json, which wins and says so, once a start has used it no more', async () => {
    configure({ remote: OTHER, offline: true });
    const svcd = await start(['--sandbox']);
    expect(svcd.stderr()).toContain(`config.json names ${OTHER}: commands without a daemon`);
    await svcd.end();
    const searched = await run(['search', '生日']);
    expect(searched.stderr).toContain(
      `This home was last used with the sandbox; now it uses ${OTHER} (remote in config.json).`,
    );
    expect(searched.stdout).not.toContain('sandbox');
    const plain = await useOnce();
    expect(plain.stderr()).toContain(`now it uses ${OTHER}`);
    expect(lastUsed()).toEqual({ remote: null });
    expect((await run(['search', '生日'])).stderr).toBe('');
  });

  it('stands below the environment and flags', async () => {
    await useOnce('--sandbox');
    const settings = await json(['config'], { SVCD_REMOTE: OTHER });
    expect(settings).toMatchObject({
      remote: { value: OTHER, from: 'environment' },
      sandbox: { value: false, from: 'environment' },
    });
    const { stderr } = await run(['purchases'], { SVCD_REMOTE: OTHER, SVCD_OFFLINE: 'true' });
    expect(stderr).toContain(`now it uses ${OTHER} (SVCD_REMOTE)`);
    expect(lastUsed()).toEqual({ remote: 'sandbox' });
  });

  it('is told by svcd config, and ended by svcd config set remote', async () => {
    await useOnce('--sandbox');
    expect((await run(['config'])).stdout).toMatch(/\nsandbox +as this home was last used +true\n/);
    expect(await json(['config', 'show'])).toMatchObject({ sandbox: { value: true, from: 'last_used' } });
    const set = await run(['config', 'set', 'remote', OTHER]);
    expect(set.stdout).toBe(`remote is ${OTHER} from the next start on.\nThis home uses ${OTHER} then.\n`);
    expect(await json(['purchases'], { SVCD_OFFLINE: 'true' })).toEqual({ purchases: [] });
    expect((await run(['config', 'unset', 'remote'])).stdout).toContain('This home uses no remote then.');
  });

  it('that cannot be read is named, with what to do', async () => {
    writeFileSync(join(home, 'last-used.json'), '{');
    const { code, stderr } = await run(['search', '生日']);
    expect(code).toBe(2);
    expect(stderr).toContain(join(home, 'last-used.json'));
    expect(stderr).toContain('Remove it');
    writeFileSync(join(home, 'last-used.json'), '{"remote":"http://example.com"}');
    expect((await run(['search', '生日'])).stderr).toContain('must begin with https://');
  });
});
