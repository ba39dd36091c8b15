// What counts as a choice: every cell of the table "the lock's entry × how apply is called", `verify --strict`, and a home that
// knows too little. One that is slow is in `video/ask-about-slots.test.ts`.

import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Lock, LockedAsset } from '../../src/api/lock.js';
import { canonicalLock } from '../../src/video/lock/locked-folder.js';
import { startScript } from '../client/scripted-server.js';
import { openCli } from '../support/open-cli.js';
import { runHere } from '../support/run-here.js';
import { startTestDaemon } from '../support/start-daemon.js';
import { startPair, type PairOptions } from '../support/start-pair.js';

const cli = openCli();
const CATALOGUE = new URL('../../data/catalogue', import.meta.url).pathname;
const WORDY = { id: 'opening', text: '小明生日快乐' };
const NAMED = { id: 'opening', preset: 'default/heart' };

const basisOf = (asset: LockedAsset) => (asset.kind === 'music' ? undefined : asset.basis);
const lockIn = (folder: string) => JSON.parse(readFileSync(join(folder, 'assets.lock.json'), 'utf8')) as Lock;

/** A folder whose lock says this of its one slot, and the command that is run on it. */
async function openCase(name: string, slot: object, change: Partial<LockedAsset>) {
  const base = join(cli.folder, `base-${'preset' in slot ? 'named' : 'wordy'}`);
  cli.write('copy.json', { slots: [slot] });
  if (!existsSync(base)) {
    expect(await cli.run(['apply', '--copy', 'copy.json', '--yes', '--out', base])).toMatchObject({ code: 0 });
  }
  const out = join(cli.folder, name);
  cpSync(base, out, { recursive: true });
  const lock = lockIn(base);
  const entry = { ...lock.assets['opening']!, ...change } as LockedAsset;
  const before = { ...lock, lock: 2 as const, assets: { opening: entry } };
  writeFileSync(join(out, 'assets.lock.json'), canonicalLock(before));
  const run = (...flags: string[]) => cli.run(['apply', '--copy', 'copy.json', '--yes', '--out', out, ...flags]);
  return { out, entry, run, now: () => lockIn(out).assets['opening']! };
}

type Cell = 'stands' | 'told' | 'refused' | 'anew';

/** Under no flag, --strict, --replace-defaults and --update opening. */
const TABLE: readonly [what: string, slot: object, change: object, cells: readonly [Cell, Cell, Cell, Cell]][] = [
  ['of the service', WORDY, {}, ['stands', 'stands', 'stands', 'stands']],
  ["the user's own", WORDY, { source: 'own' }, ['stands', 'stands', 'stands', 'anew']],
  ['shipped and named', NAMED, {}, ['stands', 'stands', 'stands', 'stands']],
  ['shipped, by words', WORDY, { source: 'shipped', price: 0 }, ['told', 'refused', 'anew', 'anew']],
  ['a default', WORDY, { source: 'default', reason: 'offline' }, ['told', 'refused', 'anew', 'anew']],
  [
    'a default of no preset',
    WORDY,
    { source: 'default', reason: 'unknown_preset' },
    ['told', 'refused', 'anew', 'anew'],
  ],
  ['a guess', WORDY, { basis: 'part' }, ['told', 'refused', 'anew', 'anew']],
  ['asked about', WORDY, { basis: 'asked' }, ['stands', 'stands', 'stands', 'anew']],
];
const HOW = [[], ['--strict'], ['--replace-defaults'], ['--update', 'opening']] as const;

describe('an entry of a lock', () => {
  it.each(
    TABLE.flatMap(([what, slot, change, cells]) =>
      cells.map((cell, i) => [what, HOW[i]!.join(' ') || 'apply', cell, slot, change, HOW[i]!] as const),
    ),
  )('%s, with %s: %s', async (what, _how, cell, slot, change, flags) => {
    const { out, entry, run, now } = await openCase(`${what}${flags.join('')}`.replaceAll(/\W/g, '-'), slot, change);
    const text = readFileSync(join(out, 'assets.lock.json'), 'utf8');
    const { code, stdout, stderr } = await run(...flags);
    if (cell === 'refused') {
      expect(code, stderr).toBe(20);
      expect(stderr).toMatch(/^svcd: opening .+; nothing was bought and no lock was written/m);
      expect(stderr).toContain('svcd apply --strict --replace-defaults');
      expect(readFileSync(join(out, 'assets.lock.json'), 'utf8')).toBe(text);
      return;
    }
    expect(code, stderr).toBe(0);
    if (cell === 'anew') expect(now()).toMatchObject({ source: 'service' });
    else expect(now()).toEqual(entry);
    if (cell === 'anew') expect(now()).not.toHaveProperty('basis');
    expect(stdout.includes('--strict makes this an error')).toBe(cell === 'told');
  });

  it('keeps the preset of a default that is tried again, and none that the service does not have', async () => {
    const preset = 'fluent-emoji-flat/balloon';
    const kept = await openCase('kept', WORDY, { source: 'default', reason: 'offline', preset } as never);
    await kept.run('--replace-defaults');
    expect(kept.now()).toMatchObject({ preset, source: 'service' });
    const gone = await openCase('gone', WORDY, { source: 'default', reason: 'unknown_preset', preset } as never);
    await gone.run('--replace-defaults', '--strict');
    expect(gone.now()).toMatchObject({ preset: 'fluent-emoji-flat/birthday-cake', source: 'service' });
  });

  it.each([
    ['a default', { source: 'default', reason: 'late' }, /opening: a default \(it was not there in time/],
    ['shipped art that nobody named', { source: 'shipped' }, /opening: svcd's own art/],
    ['a guess', { basis: 'part' }, /opening: a guess/],
  ])('is refused by verify --strict: %s', async (what, change, words) => {
    const { out } = await openCase(`verify ${what}`.replaceAll(' ', '-'), WORDY, change as never);
    const lock = join(out, 'assets.lock.json');
    expect(await cli.run(['verify', '--lock', lock])).toMatchObject({ code: 0 });
    const strict = await cli.run(['verify', '--strict', '--lock', lock]);
    expect(strict.code).toBe(20);
    expect(strict.stderr).toMatch(words);
    // What was changed comes first.
    writeFileSync(join(out, lockIn(out).assets['opening']!.file), '{}');
    expect(await cli.run(['verify', '--strict', '--lock', lock])).toMatchObject({ code: 17 });
  });

  it('is one at least for verify --strict: of an empty lock nothing was looked at', async () => {
    const { out } = await openCase('verify-empty', WORDY, {});
    const lock = join(out, 'assets.lock.json');
    writeFileSync(lock, canonicalLock({ ...lockIn(out), assets: {} }));
    expect(await cli.run(['verify', '--lock', lock])).toMatchObject({ code: 0 });
    const strict = await cli.run(['verify', '--strict', '--lock', lock]);
    expect(strict).toMatchObject({ code: 20, stderr: expect.stringContaining('nothing was looked at') });
  });
});

describe('a lock of version 2', () => {
  it('is written only where it says something new, and keeps what a later svcd has said', async () => {
    const plain = await openCase('plain', WORDY, {});
    await plain.run();
    expect(lockIn(plain.out).lock).toBe(1);
    const named = await openCase('named-again', NAMED, {});
    await named.run();
    expect(lockIn(named.out)).toMatchObject({ lock: 2, assets: { opening: { source: 'shipped', basis: 'named' } } });
    const later = await openCase('later', WORDY, { basis: 'asked', glow: 3 } as never);
    const file = join(later.out, 'assets.lock.json');
    const { lock: _, ...said } = lockIn(later.out);
    writeFileSync(file, canonicalLock({ ...said, lock: 2, $schema: 'lock.schema.json', mood: 'calm' } as Lock));
    await later.run('--update', 'opening');
    expect(lockIn(later.out)).toMatchObject({ lock: 2, $schema: 'lock.schema.json', mood: 'calm' });
    await openCase('later', WORDY, { basis: 'asked', glow: 3 } as never);
    await later.run();
    expect(lockIn(later.out).assets['opening']).toMatchObject({ basis: 'asked', glow: 3 });
  });
});

const COPY = ['小明生日快乐', '送你一束花', '全场五折', '高考加油', '谢谢大家', '新年快乐'];

/** A home that knows only its own art, before a service with the whole catalogue. */
async function openFresh(options: PairOptions = {}) {
  const remote = { catalogueFolder: CATALOGUE, ...options.remote };
  const { svcd, remote: service } = await startPair({ ...options, remote });
  const folder = join(svcd.home, 'work');
  mkdirSync(folder);
  writeFileSync(join(folder, 'copy.json'), JSON.stringify({ slots: COPY.map((text, i) => ({ id: `s${i}`, text })) }));
  const run = (...args: string[]) => runHere(args, { home: svcd.home, cwd: folder });
  const apply = (...flags: string[]) => run('apply', '--copy', 'copy.json', '--yes', ...flags);
  const spent = async () => ((await (await svcd.get('/svcd/spending')).json()) as { spent: number }).spent;
  const file = join(folder, 'svcd-assets', 'assets.lock.json');
  return {
    svcd,
    service,
    run,
    apply,
    spent,
    file,
    assets: () => Object.values(lockIn(join(folder, 'svcd-assets')).assets),
  };
}

describe('a fresh home', () => {
  it('asks about every slot first, buys what the service has, and is strict about it', async () => {
    const { apply, assets, run } = await openFresh();
    const { code, stderr } = await apply('--strict');
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('the service is asked about 6 slots first');
    expect(assets().map((one) => [one.source, basisOf(one)])).toEqual(COPY.map(() => ['service', 'asked']));
    expect(await run('verify', '--strict')).toMatchObject({ code: 0 });
    // What is learned later moves nothing that stands.
    const before = assets();
    await run('search', '生日', '蛋糕');
    expect(await apply('--strict')).toMatchObject({ code: 0 });
    expect(assets()).toEqual(before);
  });

  it.each([
    [20, true],
    [21, false],
  ])('of %i slots asks what else each is shown by: %s', async (count, asksBesides) => {
    const { svcd, service } = await openFresh({ remote: { controlToken: 'control' } });
    const slots = Array.from({ length: count }, (_, i) => ({ id: `s${i}`, text: `${COPY[i % COPY.length]}${i}` }));
    expect((await svcd.post('/svcd/plan', { slots, refresh: 'auto' })).status).toBe(200);
    const headers = { Authorization: 'Bearer control' };
    const answer = await fetch(`${service.url}/sandbox/requests?limit=1000`, { headers });
    const { requests } = (await answer.json()) as { requests: { path: string }[] };
    const asked = (what: string) => requests.filter(({ path }) => path.startsWith(`/api/v1/stickers/${what}`)).length;
    expect([asked('match'), asked('search') > 0]).toEqual([count, asksBesides]);
  });

  it('guesses where it is told not to ask, says so, and chooses anew later', async () => {
    const { apply, assets, spent, file, run } = await openFresh();
    const strict = await apply('--strict', '--no-refresh');
    expect(strict.code).not.toBe(0);
    expect([existsSync(file), await spent()]).toEqual([false, 0]);
    const { code, stdout } = await apply('--no-refresh');
    expect(code).toBe(0);
    expect(stdout).toContain('--strict makes this an error');
    expect(assets().every((one) => basisOf(one) === 'part')).toBe(true);
    expect(await run('verify', '--strict')).toMatchObject({ code: 20 });
    expect(await apply('--strict')).toMatchObject({ code: 20 });
    expect(await apply('--strict', '--replace-defaults')).toMatchObject({ code: 0 });
    expect(await run('verify', '--strict')).toMatchObject({ code: 0 });
  });

  it('locks and spends nothing under --strict while it is offline', async () => {
    const { apply, spent, file } = await openFresh({ flags: { offline: true } });
    const { code, stderr } = await apply('--strict');
    expect(code, stderr).not.toBe(0);
    expect([existsSync(file), await spent()]).toEqual([false, 0]);
  });
});

describe('a service that answers what apply asks', () => {
  it.each([
    ['with a page', 200, '<!doctype html>'],
    ['with what was not asked for', 200, { results: 'all of them' }],
    ['with 429', 429, { code: 'rate_limited', message: 'slow down' }],
    ['with 503', 503, 'busy'],
  ])('%s: a sentence for each slot, nothing locked, nothing spent', async (_what, status, body) => {
    const service = await startScript([{ status, body, headers: { 'Retry-After': '1' } }]);
    // Each question takes ten seconds of the minute in which apply is patient.
    const clock = { now: Date.now, monotonic: () => performance.now() + 10_000 * service.seen.length };
    const svcd = await startTestDaemon({ userKey: 'key', clock, flags: { remote: service.url } });
    const folder = join(svcd.home, 'work');
    mkdirSync(folder);
    writeFileSync(join(folder, 'copy.json'), JSON.stringify({ slots: [WORDY, { id: 'end', text: '送你一束花' }] }));
    const run = { home: svcd.home, cwd: folder };
    const { code, stderr } = await runHere(['apply', '--copy', 'copy.json', '--yes', '--strict'], run);
    expect(code, stderr).not.toBe(0);
    expect(stderr).toMatch(/^svcd: .*opening/m);
    expect(existsSync(join(folder, 'svcd-assets'))).toBe(false);
    expect(await (await svcd.get('/svcd/spending')).json()).toMatchObject({ spent: 0 });
    expect(service.seen.length).toBeGreaterThan(1);
    expect(service.seen.map(({ path }) => path).filter((path) => /stickers\/[^ms]|images/.test(path))).toEqual([]);
  });

  it('is not asked without a Key, and that is what is said', async () => {
    const service = await startScript([{ status: 401, body: {} }]);
    const svcd = await startTestDaemon({ flags: { remote: service.url } });
    writeFileSync(join(svcd.home, 'copy.json'), JSON.stringify({ slots: [{ id: 'opening', text: '小明生日快乐' }] }));
    const run = { home: svcd.home, cwd: svcd.home };
    const { code, stderr } = await runHere(['apply', '--copy', 'copy.json', '--yes', '--strict'], run);
    expect([code, stderr]).toEqual([10, expect.stringContaining('there is no Key, so the service cannot be asked')]);
  });
});
