// svcd run --template and svcd done, through the real program: a package as the sandbox hands it out, what its template may
// do, and what the service is told of a production, and when it is not.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { PurchaseView } from '../../src/api/answers.js';
import { sha256Hex } from '../../src/model/hash.js';
import { runHere } from '../support/run-here.js';
import { collect, runSvcd } from '../support/run-svcd.js';
import { onTerminal } from '../support/on-terminal.js';
import { itIf, TERMINAL } from '../support/requires.js';
import { startSvcd, type StartedSvcd } from '../support/start-svcd.js';
import { packageOf, zipOf, type Files } from '../support/template-package.js';

const PROMO = packageOf('product-promo@2.0.0');

let daemon: StartedSvcd;
beforeAll(async () => {
  daemon = await startSvcd(['--sandbox']);
});
afterAll(() => daemon.stop());

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svcd-template-'));
});
afterEach(async () => {
  await svcd(['config', 'unset', 'registerProductions']);
  rmSync(folder, { recursive: true, force: true });
});

/** What a command under `svcd run` says goes past svcd: that needs a process of its own. */
const svcd = (args: readonly string[], env: Record<string, string> = {}) =>
  (args[0] === 'run' ? runSvcd : runHere)(args, { home: daemon.home, cwd: folder, env });

function write(files: Files, name = 'card.motion'): string {
  const path = join(folder, name);
  writeFileSync(path, zipOf(files));
  return path;
}

/** Asks for a sticker and an image, as a template with defaults of its own would. */
const TEMPLATE = `
  const { SERVICE_BASE_URL: url, SERVICE_API_KEY: key } = process.env;
  const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' };
  const sticker = await fetch(url + '/api/v1/stickers/fluent-emoji-flat%2Fbirthday-cake', { headers });
  const body = JSON.stringify({ prompt: 'a cake', size: '1024x1024' });
  const image = await fetch(url + '/api/v1/images', { method: 'POST', headers, body });
  console.log(sticker.status, image.status, (await image.json()).message ?? 'an image');
`;

/** The last production that the sandbox was told of, and how many there are. */
async function productions(): Promise<number> {
  const { stdout } = await svcd(['sandbox', 'requests', '--json']);
  const { requests } = JSON.parse(stdout) as { requests: { path: string; status: number }[] };
  return requests.filter(({ path, status }) => path === '/api/v1/productions' && status === 200).length;
}

describe('svcd run --template', () => {
  it('gives a command what its template declares, tells it of the rest, and notes the template with what it buys', async () => {
    const script = join(folder, 'render.mjs');
    writeFileSync(script, TEMPLATE);
    const command = ['--', process.execPath, script];
    const fenced = await svcd(['run', '--template', write(PROMO), '--strict', ...command]);
    const sentence = 'motion.json of product-promo declares stickers.file; images.generate is not among them';
    expect(fenced.stdout).toBe(`200 403 ${sentence}\n`);
    expect(fenced.stderr).toContain('(not_declared)');
    expect(fenced.stderr).toContain('--allow');
    expect(fenced.code).toBe(20);
    const { stdout } = await svcd(['purchases', '--json']);
    const { purchases } = JSON.parse(stdout) as { purchases: PurchaseView[] };
    expect(purchases[0]).toMatchObject({ preset: 'fluent-emoji-flat/birthday-cake', template: 'product-promo@2.0.0' });
    expect((await svcd(['purchases'])).stdout).toMatch(/template\n.*birthday-cake.*product-promo@2\.0\.0\n/);

    const allowed = await svcd(['run', '--template', 'card.motion', '--allow', 'images', ...command]);
    expect(allowed.stdout).toBe('200 200 an image\n');
    const narrowed = await svcd(['run', '--template', 'card.motion', '--only', 'images', ...command]);
    // What is owned is free, and declared.
    expect(narrowed.stdout).toBe(`200 403 ${sentence}\n`);
  });

  it('runs nothing of a package that was changed, unless that is on purpose', async () => {
    const changed = write({ ...PROMO, 'scenes/scenes.json': '{}' });
    const refused = await svcd(['run', '--template', changed, '--', 'echo', 'ran']);
    expect(refused).toMatchObject({ code: 17, stdout: '' });
    expect(refused.stderr).toContain('scenes/scenes.json has another digest');
    const ran = await svcd(['run', '--template', changed, '--changed-on-purpose', '--', 'echo', 'ran']);
    expect(ran).toMatchObject({ code: 0, stdout: 'ran\n' });
    expect(ran.stderr).toContain('product-promo@2.0.0 is not as it was published');
  });

  it('says which declared words it does not know', async () => {
    const service = { capabilities: ['music.search', 'stickers.file', 'evil\u202Egpj.exe'] };
    const path = write(packageOf('product-promo@2.0.0', { service }));
    const { code, stderr } = await svcd(['run', '--template', path, '--', 'true']);
    expect(code).toBe(0);
    expect(stderr).toContain('declares music.search, evil gpj.exe, which svcd does not know: they grant nothing');
  });

  it.each([
    [['--allow', 'other'], '--allow is for a template'],
    [['--changed-on-purpose'], '--changed-on-purpose is for a template'],
    [['--template', 'nowhere'], 'there is no package at nowhere'],
    [['--template', 'card.motion', '--allow', 'everything'], '--allow must name some of'],
  ])('is refused as %j', async (options, words) => {
    write(PROMO);
    const { code, stdout, stderr } = await svcd(['run', ...options, '--', 'echo', 'ran']);
    expect([code, stdout]).toEqual([words.startsWith('there') ? 3 : 2, '']);
    expect(stderr).toContain(words);
  });
});

describe('svcd done', () => {
  const always = { SVCD_REGISTER_PRODUCTIONS: 'always' };

  it('tells the service, with the digest of integrity.json, and prints what it has to say', async () => {
    write(packageOf('birthday-card@1.0.0'));
    const before = await productions();
    const { code, stdout } = await svcd(['done', 'card.motion'], always);
    expect(code).toBe(0);
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      'The service was told of birthday-card@1.0.0 (done).',
      '  notice: birthday-card 1.1.0 is out; this is 1.0.0.',
      '  notice: Captions of more than two lines cover the cake.',
      '  tip: Keep the headline under 12 characters.',
    ]);
    expect(await productions()).toBe(before + 1);
    const told = JSON.parse((await svcd(['done', 'card.motion', '--json'], always)).stdout) as object;
    expect(told).toMatchObject({ registered: true, stage: 'done', reason: null, latest_version: '1.1.0' });
  });

  it('tells nothing without a terminal, where it declines, of a changed package, or offline; and is no failure', async () => {
    const path = write(PROMO);
    const before = await productions();
    const asked = await svcd(['done', path]);
    expect([asked.code, asked.stdout]).toEqual([0, expect.stringContaining('there was no terminal to ask on')]);
    const declined = await svcd(['done', path, '--json'], { SVCD_REGISTER_PRODUCTIONS: 'never' });
    expect([declined.code, JSON.parse(declined.stdout)]).toMatchObject([0, { registered: false, reason: 'declined' }]);
    const changed = await svcd(['done', write({ ...PROMO, 'README.md': '' })], always);
    expect([changed.code, changed.stdout]).toEqual([17, '']);
    await svcd(['offline']);
    const offline = await svcd(['done', write(PROMO)], always);
    await svcd(['online']);
    expect([offline.code, offline.stdout]).toEqual([0, expect.stringContaining('it cannot be reached (offline)')]);
    expect(offline.stdout.trim().split('\n')).toHaveLength(2);
    expect(await productions()).toBe(before);
  });

  it.each([
    [['card.motion', '--layout', '../x'], '--layout must be a word'],
    [['card.motion', '--duration', '-1'], '--duration must be seconds'],
    [['card.motion', '--lock', 'other.json'], 'other.json is of "other@1.0.0", and the package is product-promo@2.0.0'],
    [['card.motion', '--lock', 'card.motion'], 'is no report and no lock'],
    [['card.motion', '--report', 'nowhere.json'], 'nowhere.json'],
    [[], 'PACKAGE is missing'],
  ])('is refused as %j', async (args, words) => {
    write(PROMO);
    writeFileSync(join(folder, 'other.json'), JSON.stringify({ lock: 1, template: 'other@1.0.0', assets: {} }));
    const { code, stdout, stderr } = await svcd(['done', ...args], always);
    expect([[2, 3].includes(code ?? 0), stdout]).toEqual([true, '']);
    expect(stderr).toContain(words);
  });

  it('sends the seven fields of the document, and of materials those that were used', async () => {
    const remote = await startRecorder();
    const env = { ...always, SVCD_REMOTE: remote.url, SVCD_PORT: '0' };
    const home = mkdtempSync(join(tmpdir(), 'svcd-home-'));
    const card = packageOf('birthday-card@1.1.0');
    const done = async (...options: string[]) => {
      const outcome = await runHere(['done', 'card.motion', ...options], { home, cwd: folder, env });
      expect(outcome.code, outcome.stderr).toBe(0);
      return [remote.bodies.at(-1), outcome.stdout];
    };
    write(card);
    const fields = {
      template: 'birthday-card@1.1.0',
      package_sha256: sha256Hex(card['integrity.json'] ?? ''),
      host: 'svcd',
      layout: 'portrait',
      duration_s: 12,
      materials: ['stickers.file', 'images.generate'],
      stage: 'done',
    };
    const [first, words] = await done();
    expect(first).toEqual(fields);
    expect(words).toContain(`  notice: ${'长'.repeat(60)}…\n  notice: [31mred text\n  tip: 7\n`);
    expect(words).toContain('  notice: birthday-card has version 9.0.0; this is 1.1.0.\n');
    const asset = { kind: 'sticker', source: 'service' };
    const image = { kind: 'image', source: 'default', reason: 'not_enabled' };
    mkdirSync(join(folder, 'svcd-assets'));
    const lock = { lock: 1, template: 'birthday-card@1.1.0', assets: { cover: image, opening: asset } };
    writeFileSync(join(folder, 'svcd-assets', 'assets.lock.json'), JSON.stringify(lock));
    expect((await done('--layout', 'square', '--duration', '9.5'))[0]).toEqual({
      ...fields,
      layout: 'square',
      duration_s: 9.5,
      materials: ['stickers.file'],
    });
    const report = { report: 1, assets: [{ ...image, source: 'remote', error: null }] };
    writeFileSync(join(folder, 'report.json'), JSON.stringify(report));
    expect((await done('--report', 'report.json'))[0]).toEqual({ ...fields, materials: ['images.generate'] });
    rmSync(home, { recursive: true, force: true });
  });

  itIf(TERMINAL, 'asks once on a terminal and keeps the answer, yes or no', async () => {
    const path = write(PROMO);
    const config = () => JSON.parse(readFileSync(join(daemon.home, 'config.json'), 'utf8')) as object;
    const before = await productions();
    const question = 'Tell the service that product-promo@2.0.0 is used for a video?';
    expect(await answering(path, 'y')).toContain('The service was told of product-promo@2.0.0 (done).');
    expect(config()).toMatchObject({ registerProductions: 'always' });
    expect(await answering(path)).not.toContain(question);
    await svcd(['config', 'unset', 'registerProductions']);
    expect(await answering(path, '')).toContain('you declined');
    expect(config()).toMatchObject({ registerProductions: 'never' });
    expect(await answering(path)).not.toContain(question);
    expect(await productions()).toBe(before + 2);
    // A question that was left is not answered.
    await svcd(['config', 'unset', 'registerProductions']);
    expect(await answering(path, '\u0003')).toContain(question);
    expect(config()).not.toHaveProperty('registerProductions');
  });
});

/** What "svcd done" says on a terminal, where this is typed as soon as it asks. */
async function answering(path: string, typed = ''): Promise<string> {
  const { said } = await onTerminal(daemon, ['done', path], typed === '\u0003' ? typed : `${typed}\r`);
  return said;
}

/** A service that accepts every production, notes it, and answers with what must not reach a terminal as it is. */
async function startRecorder(): Promise<{ url: string; bodies: unknown[] }> {
  const bodies: unknown[] = [];
  const advice = {
    production_id: 1,
    latest_version: '9.0.0',
    notices: ['长'.repeat(200), { text: '\u001B[31mred\u202Etext' }],
    tips: [7],
  };
  const server = createServer((request, response) => {
    const said = collect(request);
    request.on('end', () => {
      if (request.url === '/api/v1/productions') bodies.push(JSON.parse(said()));
      response.setHeader('content-type', 'application/json').end(JSON.stringify(advice));
    });
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies };
}
