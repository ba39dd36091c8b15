// Keys in files and packages, through the real program: read tolerantly, kept private, never shown.

import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { eachHome, expectRefusal } from '../support/in-test.js';
import { itIf, LINUX } from '../support/requires.js';
import { runHere } from '../support/run-here.js';
import { collect, runSvcd, spawnSvcd } from '../support/run-svcd.js';
import { startSvcd } from '../support/start-svcd.js';
import { startSandbox } from '../sandbox/start-sandbox.js';

const KEY = 'sk-file-0123456789-dddd';

let home: string;
eachHome((fresh) => (home = fresh));

const svcd = (args: readonly string[], env: Record<string, string> = {}, stdin = '') =>
  runHere(args, { home, env, stdin });

async function keyStatus(env: Record<string, string> = {}) {
  const { stdout, stderr, code } = await svcd(['key', 'status', '--json'], { SVCD_OFFLINE: 'true', ...env });
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as {
    source: string;
    last_four: string | null;
    path: string | null;
    warnings: string[];
  };
}

describe('what the service says of a Key', () => {
  const SET = ['key', 'set', '--key-file', 'k'];
  const get = ['get', 'fluent-emoji-flat/balloon', '-o', 'b.json', '--strict'];

  it.each(['without a daemon', 'through the daemon'])('is told when it is stored, %s', async (how) => {
    const remote = await startSandbox();
    const svcdHere = (args: readonly string[], stdin = '') => runHere(args, { home, cwd: home, stdin });
    await svcdHere(['config', 'set', 'remote', remote.url]);
    const daemon = how === 'without a daemon' ? undefined : await startSvcd([], { home });
    try {
      const good = await svcdHere(SET, remote.sandbox.key);
      expect([good.code, good.stdout]).toEqual([
        0,
        expect.stringContaining('The service takes it: 1,000 credits left.'),
      ]);
      const wrong = await svcdHere(SET, 'sk-wrong-0123456789');
      expect(wrong.code).toBe(10);
      expect(wrong.stdout).toMatch(/stored in .*\n.*\nThe service refuses it: .* "svcd key set" again\.\n$/);
      const told = JSON.parse((await svcdHere([...SET, '--json'], 'sk-wrong-0123456789')).stdout) as object;
      expect(told).toMatchObject({ service: null, service_error: { code: 'invalid_key' } });
      expect((await svcdHere(get)).stderr).toContain('"svcd key set" stores another');
      if (daemon === undefined) return;
      // Of the account nobody is told who shows no token.
      expect(await (await fetch(`${daemon.info.url}/svcd/status`)).json()).toMatchObject({ key_problem: null });
      const refused = await svcdHere(['key', 'status']);
      expect(refused.stdout).not.toContain('SERVICE_API_KEY');
      expect((await svcdHere(['status'])).stdout).toMatch(
        /Key +from your key file; the service refuses it: .*"svcd key set"/,
      );
      await svcdHere(SET, remote.sandbox.key);
      expect((await svcdHere(['status'])).stdout).not.toContain('refuses');
    } finally {
      await daemon?.stop();
    }
  });

  it('is told by the start, which knows it from the service', async () => {
    const remote = await startSandbox();
    await svcd(['config', 'set', 'remote', remote.url]);
    await svcd(['config', 'set', 'port', '0']);
    await svcd(['key', 'set', '--key-file', join(home, 'k')], {}, 'sk-wrong-0123456789');
    const { stdout } = await runSvcd(['start', '--detach'], { home });
    await runSvcd(['stop'], { home });
    expect(stdout).toMatch(/Key +from your key file; the service refuses it: .*"svcd key set"[^]*\nTry:\n/);
  });

  it('is not torn apart by lines of the log', async () => {
    await svcd(['config', 'set', 'remote', 'http://127.0.0.1:1']);
    const options = { home, stdin: KEY, through: ['sh', '-c', '"$@" 2>&1', 'sh'] };
    const { stdout } = await runSvcd(['key', 'set', '--key-file', join(home, 'k')], options);
    expect(stdout).toMatch(/stored in[^]*not known yet[^]*warn: the remote is away/);
  });

  it('is left open where it cannot be asked', async () => {
    await svcd(['config', 'set', 'remote', 'http://127.0.0.1:1']);
    for (const [env, why] of [
      [{}, 'ECONNREFUSED'],
      [{ SVCD_OFFLINE: 'true' }, 'svcd is set to offline'],
    ] as const) {
      const { code, stdout } = await svcd(['key', 'set', '--key-file', join(home, 'k')], env, KEY);
      expect([code, stdout]).toEqual([0, expect.stringContaining('Whether the service takes it is not known yet')]);
      expect(stdout).toContain(why);
    }
  });
});

describe('svcd key set', () => {
  it.each([[['key', 'set', KEY]], [['key', 'set', `--key=${KEY}`]], [['key', 'set', '--key', KEY, '--key-file', 'k']]])(
    'refuses a Key in its arguments, %#, and does not repeat it',
    async (args) => {
      const { code, stdout, stderr } = await svcd(args);
      expect(code).toBe(2);
      expect(stderr).toContain("shell's history");
      expect(stdout + stderr).not.toContain(KEY);
    },
  );

  it.each([
    ['', 'holds no Key: nothing was typed or piped in, and --key-file names the file to write the Key to'],
    ['two words', 'is not a Key'],
    ['svcd_0123456789', 'is a token of svcd'],
  ])('refuses %j from stdin', async (stdin, why) => {
    expectRefusal(await svcd(['key', 'set', '--key-file', join(home, 'k')], {}, stdin), why);
    expect(existsSync(join(home, 'k'))).toBe(false);
  });

  it('says that there is no place for the Key before it asks for it, in a keychain and in a file', async () => {
    const nowhere = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere', SVCD_REMOTE: 'https://assets.example.com' };
    writeFileSync(join(home, 'file'), '');
    for (const [code, args] of [
      [15, []],
      [7, ['--key-file', join(home, 'file', 'k')]],
    ] as const) {
      // Nothing is ever typed, nor is the input closed: a command that reads it would not end.
      const child = spawnSvcd(['key', 'set', ...args], { home, env: nowhere }, ['pipe', 'pipe', 'pipe']);
      const said = collect(child.stderr);
      await once(child, 'close');
      expect([child.exitCode, said()]).toEqual([code, expect.stringContaining('You were not asked for the Key')]);
      expect(said()).toContain('--key-file');
    }
  });

  it('writes a private key file, which the next start uses; and not one that others can read', async () => {
    const file = join(home, 'own.json');
    writeFileSync(file, 'old', { mode: 0o644 });
    const { code, stdout } = await svcd(['key', 'set', '--key-file', file], {}, `${KEY}\n`);
    expect([code, stdout.includes(KEY)]).toEqual([0, false]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await keyStatus()).toMatchObject({ source: 'key_file', last_four: 'dddd', path: file });

    chmodSync(file, 0o640);
    const exposed = await keyStatus();
    expect(exposed.source).toBe('none');
    expect(exposed.warnings.join()).toContain(`chmod 600 ${file}`);

    chmodSync(file, 0o600);
    await svcd(['key', 'remove', '--key-file', file]);
    expect(existsSync(file)).toBe(false);
    expect((await keyStatus()).source).toBe('none');
  });
});

describe('a package', () => {
  const json = JSON.stringify({ key: KEY, kind: 'template', unknown: [1] });

  it.each([
    ['JSON', json],
    ['JSON with a byte order mark', `\uFEFF${json}\r\n`],
    ['the bare Key', `${KEY}\n`],
  ])('gives its Key, as %s', async (_form, text) => {
    const folder = join(home, 'birthday.motion');
    mkdirSync(folder);
    writeFileSync(join(folder, 'service.key.json'), text, { mode: 0o600 });
    expect(await keyStatus({ SVCD_PACKAGE: folder })).toMatchObject({
      source: 'package',
      last_four: 'dddd',
      warnings: [],
    });
    chmodSync(join(folder, 'service.key.json'), 0o644);
    expect((await keyStatus({ SVCD_PACKAGE: folder })).warnings.join()).toContain('can be read by other users');
  });

  it.each(['service.key.json', 'birthday/service.key.json'])('that is a zip gives it from %s', async (name) => {
    const zip = join(home, 'birthday.motion');
    writeFileSync(zip, zipOf({ 'motion.json': '{}', [name]: json, [`other/${name}`]: '{}' }), {
      mode: 0o600,
    });
    expect((await keyStatus({ SVCD_PACKAGE: zip })).last_four).toBe('dddd');
    const own = join(home, 'own.json');
    const imported = await svcd(['key', 'import', zip, '--key-file', own]);
    expect(imported.stdout).toContain('does not rewrite packages');
    expect(readFileSync(own, 'utf8')).toContain(KEY);
    const refused = await svcd(['key', 'import', zip, '--key-file', own, '--remove']);
    expect([refused.code, existsSync(zip)]).toEqual([2, true]);
  });

  it.each([
    ['is cut off', 'cannot be read as a package', zipOf({ 'service.key.json': json }).subarray(0, 90)],
    ['unpacks to far more than a Key', 'is too large', zipOf({ 'service.key.json': ' '.repeat(5_000_000) })],
    ['tells of less than it unpacks to', 'in it is damaged', lyingZip()],
    ['has none', 'no service.key.json', zipOf({ 'motion.json': '{}' })],
  ])('that is a zip and %s gives no Key, with a reason', async (_how, words, bytes) => {
    const zip = join(home, 'birthday.motion');
    writeFileSync(zip, bytes, { mode: 0o600 });
    const { code, stdout, stderr } = await svcd(['key', 'import', zip, '--key-file', join(home, 'own')]);
    expect([2, 3]).toContain(code);
    expect(stdout + stderr).toContain(zip);
    expect(stderr).toContain(words);
    expect(existsSync(join(home, 'own'))).toBe(false);
  });

  it.each([
    ['{"key": 5}', 2],
    [`{"key":"${KEY}`, 2],
    ['{}', 2],
    ['', 2],
  ])('with %j has no Key, and the reason does not repeat its content', async (text, exit) => {
    const file = join(home, 'service.key.json');
    writeFileSync(file, text);
    expect((await svcd(['key', 'import', file, '--key-file', join(home, 'own')])).code).toBe(exit);
    expect((await svcd(['key', 'import', join(home, 'nowhere')])).code).toBe(3);
  });

  itIf(LINUX, 'can stay in its file where there is no keychain, by the command that is named', async () => {
    const file = join(home, 'service.key.json');
    writeFileSync(file, json, { mode: 0o600 });
    const refused = await svcd(['key', 'import', file, '--remote', 'https://assets.example.com']);
    expect([refused.code, refused.stderr]).toEqual([15, expect.stringContaining(`"svcd config set keyFile ${file}"`)]);
    expect((await svcd(['config', 'set', 'keyFile', file])).code).toBe(0);
    expect(await keyStatus()).toMatchObject({ source: 'key_file', last_four: 'dddd' });
  });

  it('loses its plain file only if that is wanted', async () => {
    const file = join(home, 'service.key.json');
    const own = join(home, 'own.json');
    writeFileSync(file, json, { mode: 0o600 });
    const kept = await svcd(['key', 'import', home, '--key-file', own, '--keep']);
    expect([kept.code, existsSync(file), kept.stdout.includes(KEY)]).toEqual([0, true, false]);
    // Without a terminal to ask on it stays.
    await svcd(['key', 'import', home, '--key-file', own]);
    expect(existsSync(file)).toBe(true);
    const removed = await svcd(['key', 'import', home, '--key-file', own, '--remove', '--json']);
    expect(JSON.parse(removed.stdout)).toMatchObject({ removed: true, last_four: 'dddd' });
    expect(existsSync(file)).toBe(false);
  });
});

function zipOf(files: Readonly<Record<string, string>>): Uint8Array {
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
}

/** A zip whose only file says it is of 8 bytes and is of five millions. */
function lyingZip(): Uint8Array {
  const text = `{"key":"${KEY}"}${' '.repeat(5_000_000)}`;
  const zip = Buffer.from(zipOf({ 'service.key.json': text }));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(text.length);
  for (let at = zip.indexOf(size); at !== -1; at = zip.indexOf(size, at)) zip.writeUInt32LE(8, at);
  return zip;
}
