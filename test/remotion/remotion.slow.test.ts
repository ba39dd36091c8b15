// The whole way of a template: a fresh home before a sandbox as its remote, strictly applied, rendered by Remotion; the same on
// a second machine, offline; and what `svcd/remotion` shows compared with what is written by hand.

import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { Lock } from '../../src/api/lock.js';
import { music } from '../../src/sandbox/music/music-module.js';
import { atFileEnd } from '../support/at-file-end.js';
import { CHROMIUM, CHROMIUM_PATH, describeIf, FFMPEG, type Need } from '../support/requires.js';
import { runHere } from '../support/run-here.js';
import { startTestDaemon } from '../support/start-daemon.js';
import { startPair } from '../support/start-pair.js';

const HERE = import.meta.dirname;
const REMOTION: Need = {
  isMet: () => existsSync(join(HERE, 'node_modules', '@remotion', 'renderer')) && CHROMIUM.isMet() && FFMPEG.isMet(),
  advice: '"npm ci" in test/remotion; Chromium and FFmpeg',
  instead: 'svcd/slots in Chromium, and the playhead by a table and a property',
};
const CATALOGUE = new URL('../../data/catalogue', import.meta.url).pathname;
const COPY = {
  slots: [
    { id: 'opening', text: '小明生日快乐' },
    { id: 'end', text: '送你一束花' },
    { id: 'cover', want: 'image', prompt: 'a birthday table', size: '1024x1024' },
    { id: 'theme', want: 'music', mood: 'happy', style: 'piano', duration_s: 10 },
  ],
};
const SIDE = 320;
/** What a render says that stops, by what is wrong. */
const SPOILED = {
  changed: /slot opening: .* is not the file of the lock/,
  missing: /slot opening: .* cannot be read \(404\)/,
  stood: /slot opening: a default/,
};
const PLAYS = ['loop', 'once', 'bounce', 'fit', 'at'];

interface Job {
  readonly id: 'video' | 'one' | 'changing' | 'fetched';
  readonly out: string;
  readonly props?: object;
  readonly tabs?: number;
}

interface Rendered {
  readonly frames?: number;
  readonly heard?: readonly string[];
  readonly error?: string;
}

/** A folder with the template and the client that it imports; its packages are those of this one. */
function openTemplate() {
  const folder = mkdtempSync(join(tmpdir(), 'svcd-template-'));
  atFileEnd(async () => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(HERE, 'template'), folder, { recursive: true });
  cpSync(join(HERE, '../../dist/client-package'), join(folder, 'node_modules/@svcd/client'), { recursive: true });
  const out = join(folder, 'public', 'svcd');
  mkdirSync(out, { recursive: true });
  return { folder, out };
}

async function render(folder: string, jobs: readonly Job[]): Promise<Rendered[]> {
  const asked = JSON.stringify({ folder, jobs, browser: CHROMIUM_PATH });
  const options = { cwd: HERE, maxBuffer: 1e8 };
  const { stdout } = await promisify(execFile)(process.execPath, [join(HERE, 'render.js'), asked], options);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Rendered[];
}

/** All frames of a folder, one behind the other, three bytes a pixel. */
function pixelsIn(out: string): Buffer {
  const args = [
    '-v',
    'error',
    '-pattern_type',
    'glob',
    '-i',
    join(out, '*.png'),
    '-f',
    'rawvideo',
    '-pix_fmt',
    'rgb24',
    '-',
  ];
  return execFileSync('ffmpeg', args, { maxBuffer: 1e9 });
}

/** Two renders of as many frames, that show something: in no frame more channels differ by more than a shade than a row has pixels. */
function expectSame(one: Buffer, other: Buffer): void {
  expect(one.length).toBe(other.length);
  expect(worstFrame(one, Buffer.alloc(one.length, 255))).toBeGreaterThan(20 * SIDE);
  expect(worstFrame(one, other)).toBeLessThan(SIDE);
}

function worstFrame(one: Buffer, other: Buffer): number {
  const bytes = SIDE * SIDE * 3;
  let worst = 0;
  for (let at = 0; at < one.length; at += bytes) {
    let differ = 0;
    for (let i = at; i < at + bytes; i++) if (Math.abs(one[i]! - other[i]!) > 8) differ += 1;
    worst = Math.max(worst, differ);
  }
  return worst;
}

/** Applied on a fresh home, strictly; with an export of it, and everything of it rendered. Its service is gone by then. */
async function prepare() {
  const { folder, out } = openTemplate();
  const { svcd, remote } = await startPair({
    untilFileEnds: true,
    remote: { catalogueFolder: CATALOGUE, modules: [music] },
  });
  const run = (...args: string[]) => runHere(args, { home: svcd.home, cwd: folder });
  writeFileSync(join(folder, 'copy.json'), JSON.stringify(COPY));
  const applied = await run('apply', '--copy', 'copy.json', '--out', out, '--strict', '--yes');
  expect(applied.code, applied.stderr).toBe(0);
  const file = join(out, 'assets.lock.json');
  const exported = join(folder, 'all.ndjson.gz');
  expect(await run('owned', 'export', '--lock', file, exported)).toMatchObject({ code: 0 });
  await svcd.daemon.close();
  await remote.stop();
  const lock = JSON.parse(readFileSync(file, 'utf8')) as Lock;
  const { opening } = lock.assets;
  // Locks below public/ with which something is wrong.
  for (const place of Object.keys(SPOILED)) {
    const beside = join(folder, 'public', place);
    cpSync(out, beside, { recursive: true });
    const assets = {
      ...lock.assets,
      ...(place === 'stood' && { opening: { ...opening, source: 'default', reason: 'late' } }),
    };
    writeFileSync(join(beside, 'assets.lock.json'), JSON.stringify({ ...lock, assets }));
    if (place === 'changed') writeFileSync(join(beside, opening!.file), '{}');
    if (place === 'missing') rmSync(join(beside, opening!.file));
  }
  const fetched = (place: string): Job => ({
    id: 'fetched',
    out: join(folder, `fetched ${place}`),
    props: { folder: place },
  });
  // Bundled once, which takes most of the time.
  const [video, ...others] = await render(folder, [
    { id: 'video', out: join(folder, 'video') },
    ...PLAYS.flatMap((play): Job[] => [
      { id: 'one', out: join(folder, `${play} ours`), props: { play, byHand: false } },
      { id: 'one', out: join(folder, `${play} by hand`), props: { play, byHand: true } },
    ]),
    { id: 'changing', out: join(folder, 'changing'), tabs: 1 },
    ...['svcd', ...Object.keys(SPOILED)].map(fetched),
  ]);
  const spoiled = others.splice(-Object.keys(SPOILED).length).map(({ error }) => error);
  expect(others.flatMap(({ error }) => error ?? [])).toEqual([]);
  return { file, lock, exported, video, spoiled, shown: (name: string) => pixelsIn(join(folder, name)) };
}

const suite = () => {
  let prepared: ReturnType<typeof prepare> | undefined;
  const first = () => (prepared ??= prepare());

  it('shows the same frames on a second machine, offline, in other tabs, with the music that is locked', async () => {
    const { file, lock, exported, video, shown } = await first();
    const second = openTemplate();
    const offline = await startTestDaemon({ flags: { offline: true } });
    const run = (...args: string[]) => runHere(args, { home: offline.home, cwd: second.folder });
    expect(await run('owned', 'import', exported)).toMatchObject({ code: 0 });
    const fetched = await run('fetch', '--lock', file, '--out', second.out);
    expect(fetched.code, fetched.stderr).toBe(0);
    await offline.daemon.close();
    expect(await run('verify', '--strict', '--lock', join(second.out, 'assets.lock.json'))).toMatchObject({ code: 0 });
    const there = await render(second.folder, [{ id: 'video', out: join(second.folder, 'video'), tabs: 2 }]);
    expect(video).toMatchObject({ heard: [lock.assets['theme']?.file] });
    expect(there).toEqual([video]);
    expectSame(pixelsIn(join(second.folder, 'video')), shown('video'));
  });

  it.each(PLAYS)('plays as one would by hand: %s', async (play) => {
    const { shown } = await first();
    expectSame(shown(`${play} ours`), shown(`${play} by hand`));
  });

  it('waits for another slot in the same place', async () => {
    const { shown } = await first();
    const lime = Buffer.from([0, 255, 0]);
    const pixels = shown('changing');
    expect(pixels.equals(Buffer.concat(Array.from({ length: pixels.length / 3 }, () => lime)))).toBe(true);
  });

  it('plays a file of more frames than its video has, of a lock that is fetched', async () => {
    const { shown } = await first();
    const short = shown('fetched svcd');
    expectSame(short, shown('loop ours').subarray(0, short.length));
  });

  it('stops with the name of the slot whose file is changed, missing or a stand-in', async () => {
    const { spoiled } = await first();
    expect(spoiled).toEqual(Object.values(SPOILED).map((words) => expect.stringMatching(words) as string));
  });
};

describeIf(REMOTION, 'a template in Remotion', suite, { timeout: 1_800_000 });
