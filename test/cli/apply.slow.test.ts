// svcd apply, verify and fetch as a person or a script calls them, against the sandbox.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Lock } from '../../src/api/lock.js';
import { sha256Hex } from '../../src/model/hash.js';
import { expectRefusal, homeInTest } from '../support/in-test.js';
import { onTerminal } from '../support/on-terminal.js';
import { itIf, TERMINAL } from '../support/requires.js';
import { runCommand } from '../support/run-command.js';
import { runHere } from '../support/run-here.js';
import { makeHome, runSvcd, type Outcome } from '../support/run-svcd.js';
import { startSvcd } from '../support/start-svcd.js';

const COPY = {
  slots: [
    { id: 'opening', text: '小明生日快乐' },
    { id: 'flower', text: '送你一束花' },
    { id: 'cover', want: 'image', prompt: 'a cake on a table', size: '1536x1024' },
  ],
};
const PRICE = 12;

interface Place {
  readonly home: string;
  readonly work: string;
  run(...args: string[]): Promise<Outcome>;
  at(...names: string[]): string;
  write(name: string, content: unknown): void;
  lock(folder?: string): Lock;
  files(folder?: string): string[];
  bytes(folder?: string): Record<string, string>;
}

/** A home with a folder to work in. */
function openPlace(): Place {
  const home = homeInTest();
  const work = join(home, 'work');
  mkdirSync(work);
  const at = (...names: string[]) => join(work, ...names);
  const files = (folder = 'svcd-assets') => (existsSync(at(folder)) ? readdirSync(at(folder)).toSorted() : []);
  return {
    home,
    work,
    at,
    files,
    run: (...args) => runHere(args, { home, cwd: work, env: { SVCD_DEADLINE_MS: '60000' } }),
    write: (name, content) => writeFileSync(at(name), typeof content === 'string' ? content : JSON.stringify(content)),
    lock: (folder = 'svcd-assets') => JSON.parse(readFileSync(at(folder, 'assets.lock.json'), 'utf8')) as Lock,
    bytes: (folder = 'svcd-assets') =>
      Object.fromEntries(files(folder).map((name) => [name, readFileSync(at(folder, name), 'base64')])),
  };
}

/** The same with a daemon in front of the sandbox, and the copy. */
async function openShop(): Promise<Place & { spent(): Promise<number>; stop(): Promise<unknown> }> {
  const place = openPlace();
  const daemon = await startSvcd(['--sandbox', '--seed', '1'], { home: place.home });
  onTestFinished(() => daemon.stop());
  place.write('copy.json', COPY);
  return {
    ...place,
    stop: () => daemon.end(),
    spent: async () => {
      const { url, token } = daemon.info;
      const answer = await fetch(`${url}/svcd/spending`, { headers: { Authorization: `Bearer ${token}` } });
      return ((await answer.json()) as { spent: number }).spent;
    },
  };
}

const APPLY = ['apply', '--copy', 'copy.json', '--yes', '--json'];

describe('svcd apply', () => {
  it('buys for the price it shows, writes files and lock, and costs nothing again', async () => {
    const shop = await openShop();
    const first = await shop.run(...APPLY);
    expect(first.code, first.stderr).toBe(0);
    expect(JSON.parse(first.stdout)).toMatchObject({ lock: join('svcd-assets', 'assets.lock.json'), cost: PRICE });
    expect(first.stderr).toContain(`It costs ${PRICE} credits.`);
    const { assets, ...about } = shop.lock();
    expect(about).toMatchObject({ lock: 1, remote: 'sandbox', copy_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(assets['opening']).toMatchObject({ kind: 'sticker', source: 'service', price: 1, form: 'as-bought' });
    expect(assets['cover']).toMatchObject({ kind: 'image', source: 'service', price: 10, width: 1536, height: 1024 });
    expect(shop.files()).toEqual(['assets.lock.json', ...Object.values(assets).map(({ file }) => file)].toSorted());
    const text = readFileSync(shop.at('svcd-assets', 'assets.lock.json'), 'utf8');
    for (const secret of ['小明', 'a cake on a table', shop.home]) expect(text).not.toContain(secret);

    const before = shop.bytes();
    expect(JSON.parse((await shop.run(...APPLY)).stdout)).toMatchObject({ cost: 0 });
    expect(shop.bytes()).toEqual(before);
    // The same choice gives the same bytes.
    expect(JSON.parse((await shop.run(...APPLY, '--out', 'other')).stdout)).toMatchObject({ cost: 0 });
    expect(shop.bytes('other')).toEqual(before);
    expect(await shop.spent()).toBe(PRICE);
  });

  it('keeps what stands, and chooses anew where the copy changed or a slot is named', async () => {
    const shop = await openShop();
    await shop.run(...APPLY);
    const { assets } = shop.lock();
    shop.write('copy.json', { slots: [{ id: 'opening', text: '下雪了堆雪人' }, ...COPY.slots.slice(1, 2)] });
    const changed = await shop.run(...APPLY);
    expect(changed.code, changed.stderr).toBe(0);
    const now = shop.lock().assets;
    expect(Object.keys(now)).toEqual(['flower', 'opening']);
    expect(now['flower']).toEqual(assets['flower']);
    expect(now['opening']?.sha256).not.toBe(assets['opening']?.sha256);
    // What the lock does not name any more is gone, and nothing else.
    expect(shop.files()).toEqual(['assets.lock.json', ...Object.values(now).map(({ file }) => file)].toSorted());

    // The choice of a lock stands against what would be chosen today.
    const other = 'twemoji/bouquet';
    shop.write('named.json', { slots: [{ id: 'flower', preset: other }] });
    await shop.run('apply', '--copy', 'named.json', '--yes', '--out', 'stood');
    const stood = shop.lock('stood');
    const digest = now['flower']?.slot_sha256 ?? '';
    const handmade = { ...stood, assets: { flower: { ...stood.assets['flower'], slot_sha256: digest } } };
    writeFileSync(shop.at('stood', 'assets.lock.json'), JSON.stringify(handmade));
    shop.write('copy.json', { slots: COPY.slots.slice(1, 2) });
    await shop.run(...APPLY, '--out', 'stood');
    expect(shop.lock('stood').assets['flower']).toMatchObject({ preset: other });
    await shop.run(...APPLY, '--out', 'stood', '--update', 'flower');
    expect(shop.lock('stood').assets['flower']).toEqual(now['flower']);
  });

  it('buys nothing and writes nothing without a yes, beyond a ceiling, or for what is wrong', async () => {
    const shop = await openShop();
    const refused = async (code: number, words: string, ...args: string[]) => {
      const { code: exit, stderr, stdout } = await shop.run('apply', ...args);
      expect([exit, stderr, stdout]).toEqual([code, expect.stringContaining(words), '']);
      expect(shop.files()).toEqual([]);
    };
    await refused(11, 'no terminal to ask on', '--copy', 'copy.json');
    await refused(11, '--max-credits allows 3', '--copy', 'copy.json', '--yes', '--max-credits', '3');
    await refused(2, 'no slot of that name', '--copy', 'copy.json', '--update', 'nobody');
    await refused(2, '--copy FILE is missing');
    await refused(2, 'there.json cannot be read', '--copy', 'there.json');
    shop.write('bad.json', { slots: [{ id: 'a', text: 'b', colour: 'red' }] });
    await refused(2, 'unknown field', '--copy', 'bad.json', '--yes');
    shop.write('many.json', { slots: Array.from({ length: 51 }, (_, i) => ({ id: `s${i}`, text: '花' })) });
    await refused(2, '51', '--copy', 'many.json', '--yes');
    const home = await shop.run(...APPLY, '--out', shop.home);
    expect([home.code, home.stderr]).toEqual([2, expect.stringContaining('is a home of svcd')]);
    expect(existsSync(join(shop.home, 'assets.lock.json'))).toBe(false);
    await refused(2, '--form', '--copy', 'copy.json', '--form', 'small');
    mkdirSync(shop.at('svcd-assets'));
    for (const [code, words, lock] of [
      [16, 'is a lock of version 3', { lock: 3 }],
      [17, 'is no lock', 'no JSON'],
    ] as const) {
      shop.write(join('svcd-assets', 'assets.lock.json'), lock);
      const { code: exit, stderr } = await shop.run(...APPLY);
      expect([exit, stderr]).toEqual([code, expect.stringContaining(words)]);
      expect(shop.files()).toEqual(['assets.lock.json']);
    }
    expect(await shop.spent()).toBe(0);
  });

  it('does what a plan says, and refuses what would be another thing or cost more', async () => {
    const shop = await openShop();
    await shop.run('plan', '--copy', 'copy.json', '--out', 'plan.json');
    const plan = JSON.parse(readFileSync(shop.at('plan.json'), 'utf8')) as {
      cost: number;
      slots: { preset?: string }[];
    };
    shop.write('cheap.json', { ...plan, cost: plan.cost - 1 });
    shop.write('other.json', {
      ...plan,
      slots: plan.slots.map((slot, i) => (i === 0 ? { ...slot, preset: 'a/b' } : slot)),
    });
    shop.write('newer.json', { ...plan, plan: 2 });
    for (const [file, code] of [
      ['cheap.json', 17],
      ['other.json', 17],
      ['copy.json', 2],
    ] as const) {
      expect((await shop.run(...APPLY, '--plan', file)).code, file).toBe(code);
    }
    expect(await shop.spent()).toBe(0);
    expect((await shop.run(...APPLY, '--plan', 'plan.json')).code).toBe(0);
    // Applied twice it buys nothing twice, though it was made for a higher price.
    expect(JSON.parse((await shop.run(...APPLY, '--plan', 'plan.json', '--out', 'again')).stdout)).toMatchObject({
      cost: 0,
    });
    expect(await shop.spent()).toBe(PRICE);
  });

  it('says which slots hold a default, fails for them when told to, and tries them again when told to', async () => {
    const shop = await openShop();
    await shop.run('offline');
    const strict = await shop.run(...APPLY, '--strict');
    expect([strict.code, shop.files()]).toEqual([20, []]);
    const served = await shop.run('apply', '--copy', 'copy.json', '--yes');
    expect([served.code, served.stderr]).toEqual([0, expect.any(String)]);
    expect(served.stdout).toContain('opening: a default replaces');
    expect(served.stdout).toContain('cover: a default replaces an image (svcd was set to offline');
    expect(shop.lock().assets['cover']).toMatchObject({
      source: 'default',
      reason: 'offline',
      file: expect.stringMatching(/^default~1536x1024\.[0-9a-f]{8}\.png$/),
    });
    expect((await shop.run('verify')).code).toBe(0);
    await shop.run('online');
    // A lock's choice stands, a default too.
    expect(JSON.parse((await shop.run(...APPLY)).stdout)).toMatchObject({ cost: 0, defaults: [{}, {}, {}] });
    expect((await shop.run(...APPLY, '--strict')).code).toBe(20);
    const again = await shop.run(...APPLY, '--replace-defaults', '--strict');
    expect([again.code, JSON.parse(again.stdout)]).toMatchObject([0, { cost: PRICE, defaults: [] }]);
    expect(shop.files()).toHaveLength(4);
  });

  it('warns of what the template does not declare, as the plan does', async () => {
    const shop = await openShop();
    const motion = JSON.stringify({ name: 'card', version: '1.0.0', service: { capabilities: ['stickers.file'] } });
    mkdirSync(shop.at('card'));
    shop.write('card/motion.json', motion);
    shop.write('card/integrity.json', { algorithm: 'sha256', files: { 'motion.json': sha256Hex(motion) } });
    const words = 'cover: card@1.0.0 does not declare images.generate';
    // Also where all of it is there already.
    for (const cost of [PRICE, 0]) {
      const { code, stdout, stderr } = await shop.run('apply', 'card', ...APPLY.slice(1));
      expect([code, JSON.parse(stdout)]).toMatchObject([0, { cost }]);
      expect(stderr.split(words)).toHaveLength(2);
    }
    expect(shop.lock()).toMatchObject({ template: 'card@1.0.0' });
  });

  it('counts a thing that slots share once', async () => {
    const shop = await openShop();
    const cover = COPY.slots[2];
    const sticker = 'twemoji/bouquet';
    const slots = [{ id: 'a', preset: sticker }, { id: 'b', preset: sticker }, cover, { ...cover, id: 'back' }];
    shop.write('copy.json', { slots });
    const applied = await shop.run(...APPLY, '--max-credits', '11');
    expect([applied.code, JSON.parse(applied.stdout)]).toMatchObject([0, { cost: 11 }]);
    expect(applied.stderr).toContain('It costs 11 credits.');
    const { assets } = shop.lock();
    expect([assets['a']?.file, assets['cover']?.file]).toEqual([assets['b']?.file, assets['back']?.file]);
    expect(await shop.spent()).toBe(11);
  });

  itIf(TERMINAL, 'asks once on a terminal: y buys; n, Ctrl+C and Ctrl+D buy and write nothing', async () => {
    const shop = await openShop();
    const question = `Buy for ${PRICE} credits? [y/N]`;
    for (const typed of ['n\r', '\r', '\u0003', '\u0004']) {
      const { code, said } = await onTerminal(shop, ['apply', '--copy', 'copy.json'], typed);
      expect([code, said], typed).toEqual([130, expect.stringContaining(question)]);
      expect(said).toContain('nothing was bought');
      expect([shop.files(), await shop.spent()]).toEqual([[], 0]);
    }
    const { code, said } = await onTerminal(shop, ['apply', '--copy', 'copy.json'], 'y\r');
    expect([code, said.split(question).length]).toEqual([0, 2]);
    expect([shop.files().length, await shop.spent()]).toEqual([4, PRICE]);
    // What costs nothing is not asked.
    const again = await onTerminal(shop, ['apply', '--copy', 'copy.json'], '');
    expect([again.code, again.said]).toEqual([0, expect.not.stringContaining('[y/N]')]);
  });

  it('is refused, or waits, while another one works in the folder', async () => {
    const shop = await openShop();
    const ends = await Promise.all(
      Array.from({ length: 4 }, () => runSvcd(APPLY, { home: shop.home, cwd: shop.work })),
    );
    const codes = ends.map(({ code }) => code);
    expect(codes).toContain(0);
    for (const { code, stderr } of ends)
      if (code !== 0) expect([code, stderr]).toEqual([12, expect.stringContaining('another svcd command')]);
    expect((await shop.run('verify')).code).toBe(0);
    expect(await shop.spent()).toBe(PRICE);
  });
});

describe('svcd verify', () => {
  let folder: string;
  beforeAll(async () => {
    const { home } = makeHome();
    folder = home;
  });

  it('needs no home, no HOME and no daemon, and reads only', async () => {
    const shop = await openShop();
    await shop.run(...APPLY);
    await shop.stop();
    const before = shop.bytes();
    const bin = join(import.meta.dirname, '..', '..', 'bin', 'svcd.js');
    const env = { PATH: process.env['PATH'] };
    const lock = shop.at('svcd-assets', 'assets.lock.json');
    const good = await runCommand(process.execPath, [bin, 'verify', '--json', '--lock', lock], env);
    expect([good.code, JSON.parse(good.stdout)]).toEqual([0, expect.objectContaining({ ok: true, problems: [] })]);
    // The folder stands for the lock in it.
    const inFolder = await runCommand(
      process.execPath,
      [bin, 'verify', '--json', '--lock', shop.at('svcd-assets')],
      env,
    );
    expect(inFolder).toEqual(good);
    const { file = '' } = shop.lock().assets['flower'] ?? {};
    const bytes = readFileSync(shop.at('svcd-assets', file));
    bytes[50] = (bytes[50] ?? 0) ^ 4;
    writeFileSync(shop.at('svcd-assets', file), bytes);
    const bad = await runCommand(process.execPath, [bin, 'verify', '--json', '--lock', lock], env);
    expect(bad.code).toBe(17);
    expect(JSON.parse(bad.stdout)).toMatchObject({ ok: false, problems: [{ slot: 'flower', file, code: 'digest' }] });
    expect(JSON.parse(bad.stderr)).toMatchObject({ code: 'lock_mismatch' });
    expect({ ...shop.bytes(), [file]: '' }).toEqual({ ...before, [file]: '' });
    // What is owned mends it, and what lay there is kept.
    expect((await shop.run('fetch', '--locked')).code).toBe(0);
    expect(shop.bytes()).toEqual({ ...before, [`${file}.old`]: bytes.toString('base64') });
  });

  it('says that there is no lock', async () => {
    expectRefusal(await runHere(['verify'], { home: folder, cwd: folder }), 'there is no lock', 3);
    rmSync(folder, { recursive: true });
  });
});

describe('svcd fetch --locked', () => {
  it('brings the same bytes to another home from an export of what the lock names', async () => {
    const shop = await openShop();
    await shop.run('get', 'twemoji/sun', '-o', 'sun.json');
    await shop.run(...APPLY);
    await shop.stop();
    const lock = shop.at('svcd-assets', 'assets.lock.json');
    const other = openPlace();
    const unmet = await other.run('fetch', '--locked', '--lock', lock, '--out', 'here');
    expect([unmet.code, other.files('here')]).toEqual([17, []]);
    expect(unmet.stderr).toContain('not owned here: cover, flower, opening (12 credits)');
    expect(unmet.stderr).toContain('opening: fluent-emoji-flat/birthday-cake, 1 credit');

    expect((await shop.run('owned', 'export', '--lock', lock, 'bundle.ndjson.gz')).code).toBe(0);
    const imported = await other.run('owned', 'import', shop.at('bundle.ndjson.gz'), '--json');
    // Only what the lock names.
    expect(JSON.parse(imported.stdout)).toMatchObject({ added: 3, bad: 0, whole: true });
    const fetched = await other.run('fetch', '--locked', '--lock', lock, '--out', 'here', '--json');
    expect([fetched.code, fetched.stderr]).toEqual([0, '']);
    expect(other.bytes('here')).toEqual(shop.bytes());
    expect((await other.run('verify', '--lock', join('here', 'assets.lock.json'))).code).toBe(0);
    // What is there already is kept.
    const again = await other.run('fetch', '--out', 'here', '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ written: [], bought: [], cost: 0 });
  });

  it('brings defaults that were fitted, and safe forms, by the same export', async () => {
    const shop = await openShop();
    const wide = { w: 900, h: 300, fr: 30, ip: 0, op: 60 };
    const layer = { ty: 4, ip: 0, op: 60, st: 0, ks: { o: { a: 0, k: 100, x: 'var $bm_rt = 100;' } }, shapes: [] };
    shop.write('fire.json', { v: '5.7.0', ...wide, layers: [layer] });
    await shop.run('library', 'add', 'fire.json', '--title', '火');
    await shop.run('offline');
    shop.write('copy.json', { slots: [{ id: 'fire', preset: 'own/fire' }, ...COPY.slots] });
    const applied = await shop.run(...APPLY, '--form', 'safe');
    expect(applied.code, applied.stderr).toBe(0);
    const { assets } = shop.lock();
    expect(assets['fire']).toMatchObject({ source: 'own', price: 0, form: 'safe', verdict: 'clean' });
    const { file = '' } = assets['fire'] ?? {};
    expect(readFileSync(shop.at('svcd-assets', file), 'utf8')).not.toContain('bm_rt');
    // Without an export: the safe form is made again from the file that is owned, and a default is there as long as svcd runs.
    const before = shop.bytes();
    rmSync(shop.at('svcd-assets', file));
    expect((await shop.run('fetch', '--locked')).code).toBe(0);
    expect(shop.bytes()).toEqual(before);

    await shop.run('owned', 'export', '--lock', join('svcd-assets', 'assets.lock.json'));
    const other = openPlace();
    await other.run('owned', 'import', shop.at('bundle.ndjson.gz'));
    const lock = shop.at('svcd-assets', 'assets.lock.json');
    const fetched = await other.run('fetch', '--locked', '--lock', lock, '--out', 'here');
    expect([fetched.code, fetched.stderr]).toEqual([0, '']);
    expect(other.bytes('here')).toEqual(before);
  });

  it('buys stickers only when told to, up to a ceiling, and refuses other bytes than those of the lock', async () => {
    const seller = await openShop();
    seller.write('copy.json', { slots: COPY.slots.slice(0, 2) });
    await seller.run(...APPLY);
    const shop = await openShop();
    mkdirSync(shop.at('svcd-assets'));
    const lock = seller.lock();
    shop.write(join('svcd-assets', 'assets.lock.json'), lock);
    const fetch = (...args: string[]) => shop.run('fetch', '--locked', ...args);
    expect((await shop.run('fetch')).code).toBe(17);
    expect((await fetch('--buy')).code).toBe(2);
    expect((await fetch()).code).toBe(17);
    expect((await fetch('--buy', '--max-credits', '1')).code).toBe(11);
    expect(await shop.spent()).toBe(0);
    expect((await fetch('--buy', '--max-credits', '2')).code).toBe(0);
    expect(await shop.spent()).toBe(2);
    expect(shop.lock()).toEqual(lock);
    expect((await shop.run('verify')).code).toBe(0);

    const sun = { ...lock.assets['opening'], preset: 'twemoji/sun', sha256: '0'.repeat(64), file: 'sun.00000000.json' };
    shop.write(join('svcd-assets', 'assets.lock.json'), { ...lock, assets: { sun } });
    const other = await fetch('--buy', '--max-credits', '2');
    expect([other.code, other.stderr]).toEqual([17, expect.stringContaining('other bytes than the lock')]);
    expect(shop.files()).not.toContain('sun.00000000.json');
    // It is owned all the same.
    expect((await shop.run('purchases', '--json')).stdout).toContain('twemoji/sun');
    const owned = await fetch('--buy', '--max-credits', '2');
    expect([owned.code, owned.stderr]).toEqual([17, expect.stringContaining('what is owned for sun has other bytes')]);
    expect(owned.stderr).toContain('Nothing was bought');
    expect(await shop.spent()).toBe(3);
  });

  it('buys nothing for a lock that names what no service has, and writes over no file of the user', async () => {
    const seller = await openShop();
    seller.write('copy.json', { slots: COPY.slots.slice(0, 1) });
    await seller.run(...APPLY);
    const lock = seller.lock();
    const shop = await openShop();
    shop.write('package.json', { name: 'mine' });
    const fetch = async (assets: object) => {
      shop.write('assets.lock.json', { ...lock, assets: { ...lock.assets, ...assets } });
      return shop.run('fetch', '--locked', '--buy', '--max-credits', '9');
    };
    const [one] = Object.values(lock.assets);
    const digest = 'a'.repeat(64);
    const own = { ...one, preset: 'own/logo', source: 'service', sha256: digest, file: 'own~logo.aaaaaaaa.json' };
    const unmet = await fetch({ own });
    expect([unmet.code, unmet.stderr]).toEqual([17, expect.stringContaining('(1 credit); nothing was written')]);
    expect(unmet.stderr).toContain("own: own/logo, the user's own, which cannot be bought");
    expect((await fetch({ own: { ...one, file: 'package.json' } })).stderr).toContain(
      'own has the file "package.json"',
    );
    writeFileSync(shop.at(one?.file ?? ''), 'mine');
    rmSync(shop.at('assets.lock.json'));
    const out = ['--out', '.', '--lock', seller.at('svcd-assets', 'assets.lock.json')];
    const other = await shop.run('fetch', '--locked', '--buy', '--max-credits', '9', ...out);
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('it is not overwritten')]);
    expect([readFileSync(shop.at(one?.file ?? ''), 'utf8'), await shop.spent()]).toEqual(['mine', 0]);
    expect(readFileSync(shop.at('package.json'), 'utf8')).toContain('mine');
    rmSync(shop.at(one?.file ?? ''));
    const [id = ''] = Object.keys(lock.assets);
    const odd = await fetch({ [id]: { ...one, bytes: (one?.bytes ?? 0) + 1 } });
    expect(odd.stderr).toContain(`gives ${id} a number of bytes that the file with its digest does not have`);
    expect(shop.files('.')).not.toContain(one?.file);
  });
});
