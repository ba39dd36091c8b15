// A disk that takes no more, under a real daemon: what was paid for still reaches the client, the journal tells
// the truth, and nothing is sent that could not be written down first.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { runSvcd } from '../support/run-svcd.js';
import { describeIf, LIMITED_WRITES, SMALL_DISKS } from '../support/requires.js';
import { startSvcd, type StartedSvcd } from '../support/start-svcd.js';
import { statesOf } from '../support/purchases.js';
import { allowWrites, fillUp, forbidWrites, mountSmallDisk } from './disk-trouble.js';
import { lottieOf, startFaultyRemote, type FaultyRemote } from './faulty-remote.js';
import { joinMachine } from './farm/machine.js';
import { readHome } from './read-home.js';
import { Sqlite } from '../support/sqlite.js';
import { homeInTest } from '../support/in-test.js';

const BULK_BYTES = 150 * 1024;
/** Over the size that svcd holds in memory, so that it is read from the disk each time. */
const LARGE_BYTES = 600 * 1024;
/** More than any of the small disks can hold. */
const MOST = 100;
const START = ['start', '--sandbox', '--port', '0', '--json'];

describeIf(SMALL_DISKS, 'a disk that is full', () => {
  it('costs no sticker: each reaches its client, and is kept when there is room again', async () => {
    const disk = mountSmallDisk(8, 3);
    const { svcd, remote, get, restart } = await startOn(disk.folder);
    const first = await buyUntilFull(get, 'first');
    expect(first.kept.length).toBeGreaterThan(5);
    for (const preset of first.kept) expect(await sourceOf(svcd, preset)).toBe('owned');
    for (const preset of first.unkept) expect(await statesOf(get, preset)).toEqual(['sent']);

    disk.free();
    for (const preset of first.unkept) {
      await expect.poll(() => statesOf(get, preset)).toEqual(['paid']);
      expect(await sourceOf(svcd, preset)).toBe('owned');
    }

    const second = await buyUntilFull(get, 'second');
    await svcd.end('SIGKILL');
    // A log that was written back may have made room for it just before.
    const unkept = second.unkept.filter((preset) => !isPaid(disk.folder, preset));
    expectSound(disk.folder, remote, unkept);
    disk.grow();
    const again = await restart();
    for (const preset of first.kept) expect(await sourceOf(again, preset)).toBe('owned');
    for (const preset of unkept) {
      const asked = await fetchFrom(again, stickerPath(preset));
      expect(factsOf(asked)).toEqual(['default', null, 'unsettled']);
    }
    expect(await again.end()).toBe(0);
    expectSound(disk.folder, remote, unkept);
  });
});

describeIf(SMALL_DISKS, 'a start on a disk without room', () => {
  for (const leftBytes of [0, 64 * 1024, 1024 * 1024]) {
    it(`with ${leftBytes} bytes left says so, and what to do`, async () => {
      const disk = mountSmallDisk(4, 0);
      fillUp(disk.folder, leftBytes);
      const { code, stderr } = await runSvcd(START, { home: disk.folder });
      const told: unknown = JSON.parse(stderr.trim().split('\n').at(-1) ?? '');
      expect([code, told]).toMatchObject([19, { code: 'disk_full' }]);
      expect(told).toHaveProperty('hint', expect.stringContaining('Free some space'));
    });
  }
});

describeIf(SMALL_DISKS, 'a hub whose disk is full', () => {
  it('serves its machines what is owned and says so; with room again it buys, but not again what was sent', async () => {
    const disk = mountSmallDisk(12, 4);
    const { svcd, remote, restart } = await startOn(disk.folder, ['--hub-listen', '127.0.0.1:0']);
    const { stdout } = await runSvcd(['hub', 'invite', '--json', '--project', 'promo'], { home: svcd.home });
    const machine = await joinMachine((JSON.parse(stdout) as { code: string }).code, 'first');
    onTestFinished(() => machine.close());
    const asked = async (preset: string) => {
      const { status, headers, bytes } = await machine.ask(preset);
      const { code } = (status === 200 ? {} : JSON.parse(bytes.toString())) as { code?: string };
      return [headers['x-svcd-source'], headers['x-svcd-cost'], code];
    };
    expect(await asked('bulk/owned')).toEqual(['remote', '1', undefined]);
    remote.trouble = () => ({ until: () => sleep(60_000) });
    const cut = machine.ask('bulk/sent').catch(() => undefined);
    await expect.poll(() => remote.seen.at(-1)).toContain('sent');
    await svcd.end('SIGKILL');
    await cut;
    remote.trouble = () => undefined;
    fillUp(disk.folder, 0);

    const again = await restart();
    expect(await asked('bulk/owned')).toEqual(['owned', '0', undefined]);
    expect(await asked('bulk/wanted')).toEqual(['library', '0', 'disk_full']);
    const { stdout: told } = await runSvcd(['hub', 'status', '--json'], { home: svcd.home });
    expect(JSON.parse(told)).toMatchObject({
      checks: expect.arrayContaining([expect.objectContaining({ code: 'disk_full' })]),
    });

    disk.grow();
    await expect.poll(() => asked('bulk/wanted').catch(() => [])).toEqual(['remote', '1', undefined]);
    const get = (path: string, headers?: Record<string, string>) => fetchFrom(again, path, headers);
    expect(await statesOf(get, 'bulk/sent')).toEqual(['unknown']);
    expect(await asked('bulk/sent')).toEqual(['library', '0', 'unsettled']);
    expect(remote.account.timesCharged('sticker:bulk/sent')).toBeLessThan(2);
    expect(await again.end()).toBe(0);
  });
});

describeIf(LIMITED_WRITES, 'a home that became read-only', () => {
  it('still serves what is owned, and sends nothing that it could not write down', async () => {
    const { svcd, remote, get } = await startOn(homeInTest());
    await expectBought(get, 'large/owned');
    const seen = [...remote.seen];
    forbidWrites(svcd.child.pid);
    const answer = await get(stickerPath('bulk/wanted'));
    expect([answer.status, answer.headers.get('x-svcd-reason')]).toEqual([200, 'upstream_failure']);
    const strict = await get(stickerPath('bulk/wanted'), { 'X-Svcd-Fallback': 'off' });
    expect([strict.status, await strict.json()]).toMatchObject([500, { code: 'internal' }]);
    expect(await sourceOf(svcd, 'large/owned')).toBe('owned');
    expect(remote.seen).toEqual(seen);
    expect((await get('/api/v1/usage')).status).toBe(200);

    allowWrites(svcd.child.pid);
    await expectBought(get, 'bulk/wanted');
    expect(await svcd.end()).toBe(0);
    expectSound(svcd.home, remote);
  });

  it('serves a default in place of a damaged file that cannot be set aside, and never buys it again by itself', async () => {
    const { svcd, remote, get } = await startOn(homeInTest());
    await expectBought(get, 'large/owned');
    damage(svcd.home);
    forbidWrites(svcd.child.pid);
    expect(await sourceOf(svcd, 'large/owned')).toBe('default');
    allowWrites(svcd.child.pid);
    for (const tries of [1, 2]) {
      expect(factsOf(await get(stickerPath('large/owned'))), `try ${tries}`).toEqual(['default', null, 'unsettled']);
    }
    expect(remote.account.spent()).toBe(1);
  });

  it('in mid purchase passes on what was paid for, with a warning, and keeps it when it can', async () => {
    const { svcd, remote, get } = await startOn(homeInTest());
    await expectBought(get, 'bulk/before');
    remote.trouble = () => {
      forbidWrites(svcd.child.pid);
      return undefined;
    };
    for (const tries of [1, 2]) {
      const answer = await get(stickerPath('bulk/wanted'));
      expect(factsOf(answer), `try ${tries}`).toEqual(['remote', 'not_kept', null]);
      expect(await answer.text()).toBe(bulkyLottie('bulk/wanted'));
    }
    expect(await statesOf(get, 'bulk/wanted')).toEqual(['sent']);

    allowWrites(svcd.child.pid);
    await expect.poll(() => statesOf(get, 'bulk/wanted')).toEqual(['paid']);
    expect(await sourceOf(svcd, 'bulk/wanted')).toBe('owned');
    expect(await svcd.end()).toBe(0);
    expectSound(svcd.home, remote);
  });

  it('in mid purchase, and killed before it can keep it, owns up to not knowing and pays no second time', async () => {
    const { svcd, remote, get, restart } = await startOn(homeInTest());
    remote.trouble = () => {
      forbidWrites(svcd.child.pid);
      return undefined;
    };
    const answer = await get(stickerPath('bulk/wanted'));
    expect(factsOf(answer)).toEqual(['remote', 'not_kept', null]);
    await svcd.end('SIGKILL');
    remote.trouble = () => undefined;
    const again = await restart();
    const asked = await fetchFrom(again, stickerPath('bulk/wanted'));
    expect(factsOf(asked)).toEqual(['default', null, 'unsettled']);
    expect(await again.end()).toBe(0);
    expectSound(svcd.home, remote, ['bulk/wanted']);
  });

  it('under many at once loses none of them and pays for each once', async () => {
    const { svcd, remote, get } = await startOn(homeInTest());
    let arrived = 0;
    remote.trouble = () => {
      arrived += 1;
      if (arrived === 5) forbidWrites(svcd.child.pid);
      return { until: () => sleep(20 * arrived) };
    };
    const presets = Array.from({ length: 10 }, (_, i) => `bulk/${i}`);
    const given = await Promise.all(presets.map((preset) => get(stickerPath(preset))));
    const charged = presets.filter((preset) => remote.account.timesCharged(`sticker:${preset}`) > 0);
    const delivered = presets.filter((_, i) => given[i]?.headers.get('x-svcd-source') === 'remote');
    expect(delivered).toEqual(charged);
    allowWrites(svcd.child.pid);
    for (const preset of charged) {
      await expect.poll(() => sourceOf(svcd, preset)).toBe('owned');
    }
    expect(await svcd.end()).toBe(0);
    expectSound(svcd.home, remote);
  });
});

/** The same incompressible text for the same preset. */
const texts = new Map<string, string>();
function bulkyLottie(preset: string): string {
  const size = preset.startsWith('large/') ? LARGE_BYTES : BULK_BYTES;
  const text =
    texts.get(preset) ?? lottieOf(preset).replace(/}$/, `,"meta":"${randomBytes(size).toString('base64')}"}`);
  texts.set(preset, text);
  return text;
}

/** Puts other bytes in the place of every owned file, sound but for their digest. */
function damage(home: string): void {
  const db = new Sqlite(join(home, 'owned.db'));
  db.prepare('UPDATE owned SET gzip = ?').run(gzipSync(lottieOf('other')));
  db.close();
}

/** A daemon in a process of its own, on this home, before a remote that sells large stickers. */
async function startOn(home: string, flags: readonly string[] = []) {
  const remote = await startFaultyRemote({ lottie: bulkyLottie });
  const start = async () => {
    const svcd = await startSvcd(['--remote', remote.url, ...flags], { home, env: { SERVICE_API_KEY: remote.key } });
    onTestFinished(async () => void (await svcd.end('SIGKILL')));
    return svcd;
  };
  const svcd = await start();
  const get = (path: string, headers: Record<string, string> = {}) => fetchFrom(svcd, path, headers);
  return { svcd, remote, get, restart: start };
}

type Get = (path: string, headers?: Record<string, string>) => Promise<Response>;

function fetchFrom({ info }: StartedSvcd, path: string, headers: Record<string, string> = {}) {
  return fetch(info.url + path, { headers: { Authorization: `Bearer ${info.token}`, ...headers } });
}

/** Buys until the disk takes no more. Each is either had whole, or not paid for. */
async function buyUntilFull(get: Get, set: string): Promise<{ kept: string[]; unkept: string[] }> {
  const kept: string[] = [];
  for (let i = 0; i < MOST; i++) {
    const preset = `${set}/${i}`;
    const answer = await get(stickerPath(preset));
    const [source, warning, reason] = factsOf(answer);
    if (source === 'default') {
      expect(reason).toBe('disk_full');
      return { kept, unkept: [] };
    }
    expect([source, await answer.text()]).toEqual(['remote', bulkyLottie(preset)]);
    if (warning === 'not_kept') return { kept, unkept: [preset] };
    kept.push(preset);
  }
  throw new Error(`the disk took all ${MOST}`);
}

async function expectBought(get: Get, preset: string): Promise<void> {
  const answer = await get(stickerPath(preset));
  expect(factsOf(answer)).toEqual(['remote', null, null]);
  expect(await answer.text()).toBe(bulkyLottie(preset));
}

/** Where a sticker comes from for somebody without a Key. */
async function sourceOf({ info }: StartedSvcd, preset: string): Promise<string | null> {
  const answer = await fetch(info.url + stickerPath(preset));
  const text = await answer.text();
  const source = answer.headers.get('x-svcd-source');
  if (source === 'owned') expect(text).toBe(bulkyLottie(preset));
  return source;
}

function factsOf({ headers }: Response) {
  // What players make of such large stickers is not the matter here.
  const isUnkept = headers.get('x-svcd-warning')?.includes('not_kept') === true;
  return [headers.get('x-svcd-source'), isUnkept ? 'not_kept' : null, headers.get('x-svcd-reason')];
}

function isPaid(home: string, preset: string): boolean {
  return readHome(home).journal.some(({ item, state }) => item === `sticker:${preset}` && state === 'paid');
}

/** Both files are whole, and each charge is a paid purchase that is owned, but for those named. */
function expectSound(home: string, { account }: FaultyRemote, unkept: readonly string[] = []): void {
  const { integrity, journal, owned } = readHome(home);
  expect(integrity).toEqual({ 'owned.db': 'ok', 'library.db': 'ok' });
  // The balance has told since that what could not be kept was paid.
  const kept = journal.filter(({ state, reason }) => state === 'paid' && reason !== 'bytes_lost');
  const paid = kept.map(({ item }) => item);
  const charged = account.charges.map(({ subject }) => subject);
  expect(new Set(charged).size).toBe(charged.length);
  expect([...paid, ...unkept.map((preset) => `sticker:${preset}`)].toSorted()).toEqual(charged.toSorted());
  expect([...owned.keys()].toSorted()).toEqual(paid.toSorted());
}
