// Makes the fixture 0.1.0.br: the home folder of svcd 0.1.0 after a clean stop, with an example of everything that must
// never be lost, and `recorded.json`, the answers that version gave about it. The file in the repository was made by
// the program of version 0.1.0 and is never made again. For a later version: build it, then run
// `npx tsx test/platform/homes/make.ts NAME.br`.
//
// The real program makes it, from an installation whose catalogue is cut down to about 50 stickers, to keep the files
// small; opening it later is therefore also an update of the catalogue. There are two remotes: a standalone sandbox on
// a port, which runs only while the home is made, and the embedded sandbox, whose database is part of the home.

import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync } from 'node:zlib';

const CLONE = join(import.meta.dirname, '..', '..', '..');
const EVERY = 250;
/** Fixed, because the address of a remote is stored with everything that came from it. */
const REMOTE_PORT = 47_823;
const JSON_TYPE = { 'Content-Type': 'application/json' };

type Json = Record<string, unknown>;

interface Running {
  readonly info: Json & { url: string; token: string; key: string; control_token: string; sandbox: Json };
  stop(): Promise<void>;
}

/** A copy of this clone's built program with fewer stickers in its catalogue. */
function cutInstallation(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svcd-cut-'));
  for (const part of ['bin', 'dist', 'data', 'package.json'])
    cpSync(join(CLONE, part), join(folder, part), { recursive: true });
  symlinkSync(join(CLONE, 'node_modules'), join(folder, 'node_modules'));
  const catalogue = join(folder, 'data', 'catalogue');
  const file = join(catalogue, 'stickers.jsonl');
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const part = lines.filter((line, i) => i % EVERY === 0 || /"title":"(生日蛋糕|气球)"/.test(line));
  writeFileSync(file, `${part.join('\n')}\n`);
  const index = join(catalogue, 'packs', 'index.json');
  writeFileSync(index, readFileSync(index, 'utf8').replace(/"stamp": "/, '"stamp": "cut '));
  return folder;
}

const installation = cutInstallation();
const home = mkdtempSync(join(tmpdir(), 'svcd-home-'));
const remoteHome = mkdtempSync(join(tmpdir(), 'svcd-remote-'));

function run(args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, [join(installation, 'bin', 'svcd.js'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], HOME: home, SVCD_HOME: home, SVCD_BACKGROUND_SYNC: 'false', ...env },
  });
}

async function runToEnd(...args: readonly string[]): Promise<void> {
  const child = run(args);
  child.stdout?.resume();
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`svcd ${args.join(' ')} ended with ${code}`);
}

/** Starts a long-running command and reads the JSON on its first line. */
async function start(args: readonly string[], env: Record<string, string> = {}): Promise<Running> {
  const child = run([...args, '--json'], env);
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    if (text.includes('\n')) break;
  }
  const stop = async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  };
  return { info: JSON.parse(text.split('\n', 1)[0] ?? '') as Running['info'], stop };
}

type Ask = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Response>;

function asker(url: string, token: string): Ask {
  return (method, path, body, headers = {}) =>
    fetch(url + path, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...(body === undefined ? {} : JSON_TYPE), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
}

async function read(answer: Promise<Response>): Promise<Json> {
  const response = await answer;
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Json;
}

const sticker = (preset: string) => `/api/v1/stickers/${encodeURIComponent(preset)}`;
const STRICT = { 'X-Svcd-Fallback': 'off' };

function lottie(width: number, height: number): Json {
  const layers = [{ ty: 4, ip: 0, op: 60, st: 0, ks: {}, shapes: [] }];
  return { v: '5.9.0', fr: 30, ip: 0, op: 60, w: width, h: height, layers };
}

/** Buys these presets; the digest of each file. Throws when one is not bought. */
async function buy(ask: Ask, presets: readonly string[], headers = {}): Promise<Json[]> {
  const bought: Json[] = [];
  for (const preset of presets) {
    const answer = await ask('GET', sticker(preset), undefined, { ...STRICT, ...headers });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (answer.headers.get('x-svcd-source') !== 'remote') throw new Error(`${preset}: ${bytes.toString()}`);
    bought.push({ preset, sha256: createHash('sha256').update(bytes).digest('hex') });
  }
  return bought;
}

async function generate(ask: Ask, prompt: string): Promise<Json> {
  const answer = await read(ask('POST', '/api/v1/images', { prompt, size: '1024x1024' }, STRICT));
  const { pathname } = new URL(String(answer['url']));
  const picture = await ask('GET', pathname);
  const bytes = Buffer.from(await picture.arrayBuffer());
  return { prompt, picture: pathname, sha256: createHash('sha256').update(bytes).digest('hex') };
}

async function recordAnswers(ask: Ask): Promise<Json> {
  const recorded: Json = {};
  for (const path of RECORDED) recorded[path] = await read(ask('GET', path));
  return recorded;
}

const RECORDED = [
  '/svcd/purchases?limit=10000',
  '/svcd/spending',
  '/svcd/tokens',
  '/svcd/defaults/stickers',
  '/svcd/origins',
  '/svcd/library',
  '/svcd/library/stickers',
  '/api/v1/me',
  '/api/v1/usage',
];

const PRESETS = readFileSync(join(installation, 'data', 'catalogue', 'stickers.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => (JSON.parse(line) as { preset: string }).preset);

async function makeRemotePart(): Promise<Json> {
  const service = ['sandbox', 'start', '--home', remoteHome, '--port', String(REMOTE_PORT), '--seed', '11'];
  const remote = await start([...service, '--credits', '60']);
  const control = asker(remote.info.url, remote.info.control_token);
  await runToEnd('config', 'set', 'remote', remote.info.url);
  await runToEnd('config', 'set', 'timeZone', 'Asia/Shanghai');
  await runToEnd('config', 'set', 'deadlineMs', '5000');
  writeFileSync(join(home, 'synonyms.txt'), '# mine\n寿星公的点心 生日蛋糕\n');
  const svcd = await start(['start', '--port', '0', '--sync-share', '100'], { SERVICE_API_KEY: remote.info.key });
  const ask = asker(svcd.info.url, svcd.info.token);

  // The library learns from what a person searches for, and from being filled.
  await read(ask('GET', '/api/v1/stickers/search?q=%E7%94%9F%E6%97%A5'));
  await read(ask('POST', '/api/v1/stickers/match', { keywords: ['气球', '派对'] }));
  await (await ask('POST', '/svcd/library/sync?max_requests=12')).text();
  await read(ask('POST', '/svcd/library/pause'));

  await read(ask('PUT', '/svcd/budget', { request: 15, day: 40, month: 400 }));
  await read(ask('PUT', '/svcd/origins/http%3A%2F%2Flocalhost%3A3000'));
  await read(ask('PUT', '/svcd/origins/https%3A%2F%2Fstudio.example'));
  const promo = await read(ask('POST', '/svcd/tokens', { name: 'promo', day: 3, only: ['stickers'] }));
  const studio = await read(ask('POST', '/svcd/tokens', { name: 'studio', month: 30, only: ['images', 'purchases'] }));
  const late = await read(ask('POST', '/svcd/tokens', { name: 'late', day: 2, only: ['stickers'] }));
  const ended = await read(ask('POST', '/svcd/tokens', { name: 'ended' }));
  await read(ask('DELETE', '/svcd/tokens/ended'));

  const bought = await buy(ask, PRESETS.slice(0, 4));
  bought.push(...(await buy(asker(svcd.info.url, String(promo['token'])), PRESETS.slice(4, 6))));
  const images = [await generate(asker(svcd.info.url, String(studio['token'])), '一只戴帽子的猫')];
  const [, , , , , , chargedFor = '', lost = ''] = PRESETS;
  // One is refused; one is cut off, and the balance then shows that it was charged.
  await ask('GET', sticker('none/such'), undefined, STRICT);
  const cut = { kind: 'reset', at_byte: 100, path: '/api/v1/stickers/*', count: 1 };
  await read(control('POST', '/sandbox/faults', cut));
  await ask('GET', sticker(chargedFor), undefined, STRICT);

  await read(ask('PUT', `/svcd/defaults/stickers/${encodeURIComponent(lost)}`, lottie(160, 90)));
  await read(ask('PUT', '/svcd/defaults/stickers/*', lottie(200, 200)));
  const own = { title: '公司片头', keywords: ['公司', '标志'], color: '#ff8800' };
  await read(ask('PUT', '/svcd/library/stickers/own%2Fintro', { ...own, lottie: JSON.stringify(lottie(300, 150)) }));
  for (const preset of PRESETS.slice(0, 3)) await (await ask('GET', sticker(preset))).arrayBuffer();
  for (const path of ['/api/v1/me', '/api/v1/usage', '/api/v1/capabilities']) await read(ask('GET', path));
  // Cut off too, and the balance cannot be read: it stays unknown whether it was charged.
  for (const path of ['/api/v1/usage', '/api/v1/me'])
    await read(control('POST', '/sandbox/faults', { kind: 'status', status: 503, path }));
  await read(control('POST', '/sandbox/faults', cut));
  await ask('GET', sticker(lost), undefined, STRICT);
  await runToEnd('offline');
  const recorded = await recordAnswers(ask);
  const library = await (await ask('GET', '/svcd/library/export')).text();
  await svcd.stop();
  await remote.stop();
  const tokens = { late: late['token'], promo: promo['token'], studio: studio['token'], ended: ended['token'] };
  return { key: remote.info.key, tokens, bought, images, lost: [chargedFor, lost], library, recorded };
}

async function makeSandboxPart({ promo, late }: Record<string, string>): Promise<Json> {
  const flags = ['start', '--port', '0', '--sandbox', '--seed', '5', '--credits', '200'];
  const svcd = await start(flags, { SVCD_OFFLINE: 'false' });
  const ask = asker(svcd.info.url, svcd.info.token);
  const control = asker(String(svcd.info.sandbox['url']), String(svcd.info.sandbox['control_token']));
  await read(ask('PUT', '/svcd/budget', { day: 25 }));
  // The first was bought from the other remote too, which does not make it owned here.
  const bought = await buy(ask, [PRESETS[0] ?? '', ...PRESETS.slice(10, 13)]);
  bought.push(...(await buy(asker(svcd.info.url, late ?? ''), PRESETS.slice(13, 14))));
  const images = [await generate(ask, '红色的气球')];
  await ask('GET', sticker('none/such'), undefined, STRICT);
  await ask('GET', sticker(PRESETS[20] ?? ''), undefined, { ...STRICT, Authorization: `Bearer ${promo}` });
  await read(control('POST', '/sandbox/topups', { amount: '12.50' }));
  await read(control('POST', '/sandbox/accounts', { name: 'ada', invited_by: 'main' }));
  const recorded = await recordAnswers(ask);
  const paths = ['/sandbox/accounts', '/sandbox/keys', '/sandbox/payments', '/sandbox/ledger'];
  const account: Json = {};
  for (const path of paths) account[path] = await read(control('GET', path));
  await svcd.stop();
  return { bought, images, next: PRESETS.slice(21, 23), recorded, account };
}

/** Every file of the home, and the recorded answers: a line of JSON with names and sizes, then the bytes in a row. */
function pack(recorded: Json): Uint8Array {
  const names = readdirSync(home, { withFileTypes: true }).filter((entry) => entry.isFile());
  const left = names.filter(({ name }) => /-(wal|shm|journal)$/.test(name));
  if (left.length > 0) throw new Error(`not stopped cleanly: ${left.map(({ name }) => name).join()}`);
  const files = [
    ...names.map(({ name }) => ({ name: `home/${name}`, bytes: readFileSync(join(home, name)) })),
    { name: 'recorded.json', bytes: Buffer.from(JSON.stringify(recorded)) },
  ];
  const list = files.map(({ name, bytes }) => ({ name, size: bytes.length }));
  return brotliCompressSync(
    Buffer.concat([Buffer.from(`${JSON.stringify(list)}\n`), ...files.map(({ bytes }) => bytes)]),
  );
}

try {
  const remote = await makeRemotePart();
  const sandbox = await makeSandboxPart(remote['tokens'] as Record<string, string>);
  // Both processes have ended: let the system close their files.
  await sleep(500);
  const target = join(import.meta.dirname, process.argv[2] ?? '0.1.0.br');
  const packed = pack({ at: new Date().toISOString(), remote, sandbox });
  writeFileSync(target, packed);
  process.stdout.write(`${target}: ${packed.length} bytes\n`);
} finally {
  for (const folder of [installation, home, remoteHome]) rmSync(folder, { recursive: true, force: true });
}
