// The Key in a real Secret Service, through the real program: each command is a process of its own.

import { expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../sandbox/start-sandbox.js';
import { makeHome, runSvcd, type Outcome } from '../support/run-svcd.js';
import { describeIf, SECRET_SERVICE } from '../support/requires.js';
import { startSvcd } from '../support/start-svcd.js';
import { startEmptyBus, startSecretService } from './secret-service.js';

const REMOTE = 'https://assets.example.com';
const OTHER = 'http://127.0.0.1:1/other';
const FIRST = 'sk-first-0123456789-aaaa';
const SECOND = 'sk-second-0123456789-bbbb';

function aHome(env: Readonly<Record<string, string>>) {
  const { home, remove } = makeHome();
  onTestFinished(remove);
  const svcd = (args: readonly string[], stdin?: string): Promise<Outcome> =>
    runSvcd(args, { home, env, ...(stdin === undefined ? {} : { stdin }) });
  return { home, svcd };
}

/** What `svcd key status --json` says, for this remote; `offline`, so that nobody waits for an address that is not there. */
async function statusOf(home: string, env: Readonly<Record<string, string>>, remote = REMOTE) {
  const settings = { ...env, SVCD_REMOTE: remote, SVCD_OFFLINE: 'true' };
  const { code, stdout, stderr } = await runSvcd(['key', 'status', '--json'], { home, env: settings });
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as {
    source: string;
    last_four: string | null;
    keychain: { state: string; words: string; hint: string | null };
  };
}

describeIf(SECRET_SERVICE, 'a Key in the keychain', () => {
  it('is stored, read by new processes, changed and removed, one for each remote', async () => {
    const { env } = await startSecretService();
    const { home, svcd } = aHome(env);
    expect((await statusOf(home, env)).keychain.state).toBe('empty');

    const set = await svcd(['key', 'set', '--remote', REMOTE], `${FIRST}\n`);
    expect(set.code, set.stderr).toBe(0);
    expect(set.stdout + set.stderr).not.toContain(FIRST);
    await svcd(['key', 'set', '--remote', OTHER], 'sk-other-0123456789-cccc');
    expect(await statusOf(home, env)).toMatchObject({ source: 'keychain', last_four: 'aaaa' });
    expect(await statusOf(home, env, OTHER)).toMatchObject({ source: 'keychain', last_four: 'cccc' });

    await svcd(['key', 'set', '--remote', REMOTE], SECOND);
    expect((await statusOf(home, env)).last_four).toBe('bbbb');

    const removed = await svcd(['key', 'remove', '--remote', REMOTE, '--json']);
    expect(JSON.parse(removed.stdout)).toMatchObject({ removed: true });
    expect(await statusOf(home, env)).toMatchObject({ source: 'none', keychain: { state: 'empty' } });
    expect((await statusOf(home, env, OTHER)).last_four).toBe('cccc');
    const again = await svcd(['key', 'remove', '--remote', REMOTE, '--json']);
    expect(JSON.parse(again.stdout)).toMatchObject({ removed: false });
  });

  it('is spent by a daemon that finds it at its start, and by one that is told of it while it runs', async () => {
    const { env } = await startSecretService();
    const remote = await startSandbox();
    const { home, svcd } = aHome(env);
    const key = remote.sandbox.key;
    const before = await startSvcd(['--remote', remote.url], { home, env });
    onTestFinished(before.stop);
    const me = async ({ url, token }: { url: string; token: string }) =>
      (await fetch(`${url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await me(before.info)).toBe(401);

    const set = await svcd(['key', 'set'], key);
    expect(set.stdout).toContain('The running daemon spends with it from now on');
    expect(await me(before.info)).toBe(200);
    expect((await svcd(['status'])).stdout).toMatch(/Key +from the OS keychain/);
    await before.end();
    expect(before.stdout() + before.stderr()).not.toContain(key);

    const after = await startSvcd(['--remote', remote.url], { home, env });
    onTestFinished(after.stop);
    expect(await me(after.info)).toBe(200);
    const status = await svcd(['key', 'status']);
    expect(status.stdout).toContain(`ends in ${key.slice(-4)}, from the OS keychain`);
    expect(status.stdout).toContain('The service says:');
  });

  it('comes after SERVICE_API_KEY and the key file, and before the package', async () => {
    const { env } = await startSecretService();
    const { home, svcd } = aHome(env);
    await svcd(['key', 'set', '--remote', REMOTE], FIRST);
    await svcd(['key', 'set', '--key-file', `${home}/own.json`], 'sk-own-0123456789-ffff');
    const sources = [];
    const own = { ...env, SVCD_KEY_FILE: `${home}/own.json`, SVCD_PACKAGE: `${home}/own.json` };
    sources.push((await statusOf(home, { ...own, SERVICE_API_KEY: 'sk-env-0123456789-eeee' })).last_four);
    sources.push((await statusOf(home, own)).last_four);
    await svcd(['config', 'unset', 'keyFile']);
    const last = { ...env, SVCD_PACKAGE: `${home}/own.json` };
    sources.push((await statusOf(home, last)).last_four);
    await svcd(['key', 'remove', '--remote', REMOTE]);
    sources.push((await statusOf(home, last)).source);
    expect(sources).toEqual(['eeee', 'ffff', 'aaaa', 'package']);
  });
});

type Service = Awaited<ReturnType<typeof startSecretService>>;
const STATES: readonly [state: string, words: string, advice: string, enter: (service: Service) => unknown][] = [
  ['holds the Key', 'holds a Key for this remote', '', () => undefined],
  ['is locked', 'is locked, or has no keyring yet', 'Unlock it', (service) => service.lock()],
  ['has no service', 'has no keyring service to talk to', 'svcd key set --key-file', (s) => s.end()],
  ['hangs', 'does not answer: its keyring service hangs', 'Look for a password dialog', (s) => s.freeze()],
];

describeIf(SECRET_SERVICE, 'a keychain that cannot be used', () => {
  it('is told as locked, not as empty, when it is', async () => {
    const service = await startSecretService();
    const { home, svcd } = aHome(service.env);
    await svcd(['key', 'set', '--remote', REMOTE], FIRST);
    await service.lock();
    const { source, keychain } = await statusOf(home, service.env);
    expect([source, keychain.state]).toEqual(['none', 'locked']);
    expect(keychain.hint).toContain('Unlock it');
    const set = await svcd(['key', 'set', '--remote', REMOTE], SECOND);
    expect([set.code, set.stderr]).toEqual([15, expect.stringContaining('is locked')]);
    const removed = await svcd(['key', 'remove', '--remote', REMOTE]);
    expect(removed.code).toBe(15);
  });

  it('is told as no keyring service, where there is none on the bus, and where there is no bus', async () => {
    const bus = await startEmptyBus();
    for (const env of [bus, {}, { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere/at/all' }]) {
      const { home, svcd } = aHome(env);
      expect((await statusOf(home, env)).keychain.state).toBe('no_service');
      const set = await svcd(['key', 'set', '--remote', REMOTE], FIRST);
      expect([set.code, set.stderr]).toEqual([15, expect.stringContaining('--key-file')]);
      expect(set.stderr).not.toContain(FIRST);
    }
  });

  it('that hangs is given up on, and nobody waits for it: neither the start nor a request', async () => {
    const service = await startSecretService();
    const remote = await startSandbox();
    const { home, svcd } = aHome(service.env);
    await svcd(['key', 'set', '--remote', remote.url], remote.sandbox.key);
    service.freeze();
    const daemon = await startSvcd(['--remote', remote.url], { home, env: service.env });
    onTestFinished(daemon.stop);
    const { url, token } = daemon.info;
    const headers = { authorization: `Bearer ${token}` };
    // Its look still hangs, and so does the one that is asked for now: requests are answered meanwhile.
    const refreshed = fetch(`${url}/svcd/key/refresh`, { method: 'POST', headers });
    const first = await Promise.race([refreshed.then(() => 'refresh'), search(url)]);
    expect(first).toBe('search');
    const { keychain } = (await (await refreshed).json()) as { keychain: { state: string } };
    expect(keychain.state).toBe('no_answer');
    expect((await svcd(['status'])).stdout).toContain('does not answer');
    const set = await svcd(['key', 'set'], FIRST);
    expect([set.code, set.stderr]).toEqual([15, expect.stringContaining('does not answer')]);
  });

  it.each(STATES)('that %s is told so by status, key status and doctor alike', async (...row) => {
    const [, words, advice, enter] = row;
    const service = await startSecretService();
    const { home, svcd } = aHome(service.env);
    await svcd(['key', 'set', '--remote', REMOTE], FIRST);
    await enter(service);
    const daemon = await startSvcd(['--remote', REMOTE, '--offline'], { home, env: service.env });
    onTestFinished(daemon.stop);
    for (const args of [['key', 'status'], ['status'], ['doctor']]) {
      const { stdout } = await svcd(args);
      const lines = stdout.slice(stdout.search(/^.*keychain /m)).split('\n');
      expect(lines[0], args.join(' ')).toContain(words);
      expect(lines.slice(0, 3).join(' '), args.join(' ')).toContain(advice);
      expect(stdout).not.toContain(FIRST);
    }
    // No Key is not a fault of svcd, which works without one.
    expect((await svcd(['doctor', '--json'])).code).toBe(0);
  });

  it('comes back without a restart, once somebody asks again', async () => {
    const service = await startSecretService();
    const { home, svcd } = aHome(service.env);
    await svcd(['key', 'set', '--remote', REMOTE], FIRST);
    await service.end();
    const daemon = await startSvcd(['--remote', REMOTE, '--offline'], { home, env: service.env });
    onTestFinished(daemon.stop);
    const status = async () => JSON.parse((await svcd(['status', '--json'])).stdout) as { keychain: string };
    await expect.poll(async () => (await status()).keychain).toBe('no_service');
    await service.unlock();
    const keyStatus = async () => JSON.parse((await svcd(['key', 'status', '--json'])).stdout) as object;
    await expect.poll(keyStatus).toMatchObject({ source: 'keychain', last_four: 'aaaa' });
  });
});

async function search(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/stickers/search?q=%E7%94%9F%E6%97%A5`);
  expect(answer.status).toBe(200);
  return 'search';
}
