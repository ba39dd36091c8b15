// A library.db that is damaged, lost or too new: what svcd does at start and while it runs.

import {
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
  closeSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openLibrary } from '../../src/library/library.js';
import { silentLog } from '../../src/platform/log.js';
import type { Sticker } from '../../src/model/sticker.js';
import { startFaultyRemote, lottieOf } from '../faults/faulty-remote.js';
import { runSvcd } from '../support/run-svcd.js';
import { startTestDaemon, temporaryHome, type StartedDaemon } from '../support/start-daemon.js';
import { Sqlite } from '../support/sqlite.js';

const REMOTE = 'http://127.0.0.1:9';
const PAGE_BYTES = 16_384;
const FLAGS = { remote: REMOTE, offline: true };

function stickers(count: number): Sticker[] {
  return Array.from({ length: count }, (_, i) => ({
    preset: `snow/${i}`,
    title: `雪人${i}`,
    keywords: ['冬天', `第${i}号`],
  }));
}

/** A home with a library of its own, closed. */
function homeWith(count: number): { home: string; file: string } {
  const home = temporaryHome();
  const file = join(home, 'library.db');
  const library = openLibrary({ file, scope: REMOTE, synonyms: () => '', log: silentLog });
  library.importStickers(stickers(count), 'a test');
  library.prepare();
  library.close();
  return { home, file };
}

/** The same with the copy that a daemon made of it. */
async function homeWithCopy(count: number) {
  const made = homeWith(count);
  const svcd = await startTestDaemon({ home: made.home, flags: FLAGS, copyEveryMs: 20 });
  await vi.waitFor(() => expect(copyIn(made.home)).toBeDefined(), 60_000);
  await svcd.daemon.close();
  return { ...made, copy: join(made.home, copyIn(made.home)!) };
}

function copyIn(home: string): string | undefined {
  return readdirSync(home).find((name) => /^library-[0-9a-f]{12}\.ndjson\.gz$/.test(name));
}

function asideIn(home: string): string[] {
  return readdirSync(home).filter((name) => /^library\.db\.damaged-\d+$/.test(name));
}

async function find(svcd: StartedDaemon, q: string): Promise<string[]> {
  const answer = await svcd.get(`/api/v1/stickers/search?q=${encodeURIComponent(q)}`);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { results: { preset: string }[] }).results.map(({ preset }) => preset);
}

/** Overwrites the pages in which a text lies. */
function breakPagesWith(file: string, text: string): number {
  const bytes = readFileSync(file);
  const handle = openSync(file, 'r+');
  const pages = new Set<number>();
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1))
    pages.add(Math.floor(at / PAGE_BYTES));
  for (const page of pages) writeSync(handle, Buffer.alloc(PAGE_BYTES, 0xff), 0, PAGE_BYTES, page * PAGE_BYTES);
  closeSync(handle);
  return pages.size;
}

it('fills a library that is damaged at start from the copy it keeps, and answers meanwhile', async () => {
  const { home, file } = await homeWithCopy(3000);
  writeFileSync(file, 'this is no database');
  const svcd = await startTestDaemon({ home, flags: FLAGS });
  expect(asideIn(home)).toHaveLength(1);
  expect((await find(svcd, '生日蛋糕')).length).toBeGreaterThan(0);
  await vi.waitFor(async () => expect(await find(svcd, '雪人2999')).toContain('snow/2999'), 60_000);
});

it('sets aside what turns out damaged while it runs, answers without an error, and fills it again', async () => {
  const { home, file } = await homeWithCopy(3000);
  expect(breakPagesWith(file, '雪人1500')).toBeGreaterThan(0);
  const svcd = await startTestDaemon({ home, flags: FLAGS });
  await find(svcd, '雪人1500');
  expect(asideIn(home)).toHaveLength(1);
  await vi.waitFor(async () => expect((await find(svcd, '雪人1500'))[0]).toBe('snow/1500'), 60_000);
});

it('never lets a library that knows less take the place of the copy', async () => {
  const { home, file, copy } = await homeWithCopy(3000);
  const size = statSync(copy).size;
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  const svcd = await startTestDaemon({ home, flags: FLAGS, copyEveryMs: 5 });
  await vi.waitFor(async () => expect((await find(svcd, '雪人77'))[0]).toBe('snow/77'), 60_000);
  await svcd.daemon.close();
  expect(statSync(copy).size).toBeGreaterThan(size * 0.9);
});

it('uses what it can read of a copy that is damaged too', async () => {
  const { home, file, copy } = await homeWithCopy(3000);
  writeFileSync(copy, readFileSync(copy).subarray(0, -2000));
  writeFileSync(file, 'this is no database');
  const svcd = await startTestDaemon({ home, flags: FLAGS });
  await vi.waitFor(async () => expect((await find(svcd, '雪人1'))[0]).toBe('snow/1'), 60_000);
});

it('fills a lost library before a command that runs alone answers', async () => {
  const { home, file } = await homeWithCopy(500);
  writeFileSync(file, 'this is no database');
  const svcd = await startTestDaemon({ home, flags: FLAGS, listens: false });
  const url = `${svcd.daemon.info.url}/api/v1/stickers/search?q=${encodeURIComponent('雪人499')}`;
  const answer = await svcd.daemon.fetch(new Request(url));
  expect(await answer.text()).toContain('snow/499');
});

it('serves and finds what is owned while the library is lost', async () => {
  const remote = await startFaultyRemote();
  const home = temporaryHome();
  const start = () => startTestDaemon({ home, userKey: remote.key, flags: { remote: remote.url } });
  const first = await start();
  await first.get('/api/v1/stickers/pets%2Fsleepy-otter');
  await first.daemon.close();
  await remote.refuse();
  writeFileSync(join(home, 'library.db'), 'this is no database');
  const svcd = await start();
  const got = await svcd.get('/api/v1/stickers/pets%2Fsleepy-otter');
  expect([got.headers.get('x-svcd-source'), await got.text()]).toEqual(['owned', lottieOf('pets/sleepy-otter')]);
  await vi.waitFor(async () => expect((await find(svcd, 'sleepy otter'))[0]).toBe('pets/sleepy-otter'), 60_000);
});

it('refuses the home of a newer svcd in plain words, and touches nothing', async () => {
  const { home, file } = homeWith(3);
  const db = new Sqlite(file);
  db.pragma('user_version = 99');
  db.close();
  copyFileSync(file, `${file}.same`);
  const outcome = await runSvcd(['search', '雪人'], { home });
  expect(outcome.code).toBe(16);
  expect(outcome.stderr).toContain('library.db was written by a newer svcd');
  expect(outcome.stderr).toContain('Update svcd');
  expect(existsSync(file)).toBe(true);
  expect(asideIn(home)).toEqual([]);
});

it('serves what is owned though the library cannot be read: that costs a credit line, not the file', async () => {
  const remote = await startFaultyRemote();
  const svcd = await startTestDaemon({ userKey: remote.key, flags: { remote: remote.url } });
  const path = '/api/v1/stickers/snow%2F1';
  expect((await svcd.get(path)).headers.get('x-svcd-source')).toBe('remote');
  const db = new Sqlite(join(svcd.home, 'library.db'));
  db.exec('DROP TABLE sticker');
  db.close();
  const answer = await svcd.get(path);
  expect([answer.status, answer.headers.get('x-svcd-source')]).toEqual([200, 'owned']);
  expect(await answer.text()).toBe(lottieOf('snow/1'));
});
