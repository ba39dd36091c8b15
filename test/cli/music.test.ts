// Music of a video: planned, taken, locked, brought back and heard, where the service says that it has some; and a service
// that has none, or gives what is no music: each a sentence, nothing locked, nothing spent.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Lock } from '../../src/api/lock.js';
import type { Plan } from '../../src/api/plan.js';
import { connect } from '../../src/client/connect.js';
import { music } from '../../src/sandbox/music/music-module.js';
import { startHub } from '../support/machine.js';
import { startSidecar } from '../hub/start-sidecar.js';
import { runHere } from '../support/run-here.js';
import { startTestDaemon, type StartedDaemon } from '../support/start-daemon.js';
import { startPair } from '../support/start-pair.js';
import { portOf } from '../support/in-test.js';

const THEME = { id: 'theme', want: 'music', mood: 'happy', style: 'piano', duration_s: 10 };
const CAKE = { id: 'opening', text: '生日蛋糕' };

function workIn(svcd: StartedDaemon) {
  const folder = join(svcd.home, 'work');
  const out = join(folder, 'svcd-assets');
  const file = join(out, 'assets.lock.json');
  mkdirSync(folder, { recursive: true });
  const run = (...args: string[]) => runHere(args, { home: svcd.home, cwd: folder });
  return {
    folder,
    out,
    file,
    run,
    apply: (slots: readonly object[], ...flags: string[]) => {
      writeFileSync(join(folder, 'copy.json'), JSON.stringify({ slots }));
      return run('apply', '--copy', 'copy.json', '--yes', ...flags);
    },
    lock: () => JSON.parse(readFileSync(file, 'utf8')) as Lock,
    spent: async () => ((await (await svcd.get('/svcd/spending')).json()) as { spent: number }).spent,
  };
}

describe('a service with music', () => {
  it('is asked for candidates, and what it gave is locked, brought back, exported and read without svcd', async () => {
    const { svcd, remote } = await startPair({ remote: { modules: [music] } });
    const { apply, run, lock, out, file, folder, spent } = workIn(svcd);
    const slots = [THEME, { ...THEME, id: 'end' }, { id: 'calm', want: 'music', track: 'calm-folk-15' }, CAKE];
    writeFileSync(join(folder, 'copy.json'), JSON.stringify({ slots }));
    const planned = async (...flags: string[]) =>
      JSON.parse((await run('plan', '--copy', 'copy.json', '--json', ...flags)).stdout) as Plan;
    const unasked = await planned();
    expect(unasked.slots.slice(0, 3).map((one) => 'track' in one && one.track)).toEqual([null, null, 'calm-folk-15']);
    expect(unasked.warnings).toContainEqual(expect.objectContaining({ slot: 'theme', code: 'not_found' }));
    const [theme, end] = (await planned('--refresh')).slots;
    // Of at least 10 s the nearest first; each track once, in the order of the slots' names.
    expect(end).toMatchObject({ track: 'happy-piano-15', title: '欢快钢琴 15 秒', duration_s: 15, price: 0, cost: 0 });
    expect(theme).toMatchObject({ track: 'happy-piano-30' });
    const [other] = end !== undefined && 'track' in end ? end.others : [];
    const preview = await svcd.get(other?.preview ?? '');
    expect([preview.status, preview.headers.get('content-type')]).toEqual([200, 'audio/wav']);

    const { code, stderr } = await apply(slots, '--strict', '--max-credits', '1');
    expect(code, stderr).toBe(0);
    expect(lock()).toMatchObject({
      lock: 2,
      assets: {
        end: { kind: 'music', track: 'happy-piano-15', source: 'service', price: 0, duration_s: 15 },
        calm: { kind: 'music', track: 'calm-folk-15', duration_s: 15 },
        opening: { kind: 'sticker', source: 'service' },
      },
    });
    expect(await spent()).toBe(1);
    const before = readFileSync(file);
    expect(await apply(slots, '--strict')).toMatchObject({ code: 0 });
    expect(readFileSync(file)).toEqual(before);
    expect(await run('verify', '--strict')).toMatchObject({ code: 0 });

    const { file: name, sha256 } = lock().assets['end']!;
    expect(name).toBe(`happy-piano-15.${sha256.slice(0, 8)}.wav`);
    for (const again of [
      ['fetch', '--locked'],
      ['apply', '--copy', 'copy.json', '--yes'],
    ]) {
      rmSync(join(out, name));
      expect(await run(...again)).toMatchObject({ code: 0 });
      expect(await run('verify')).toMatchObject({ code: 0 });
    }
    expect(readFileSync(file)).toEqual(before);
    const heard = await (await connect({ lock: file, baseUrl: svcd.url })).slot('end');
    expect(heard).toMatchObject({ source: 'locked', sha256, contentType: 'audio/wav' });
    // What a colleague imports needs no service.
    expect(await run('owned', 'export', '--lock', file, 'all.ndjson.gz')).toMatchObject({ code: 0 });
    expect(await run('owned', 'import', 'all.ndjson.gz')).toMatchObject({ code: 0 });
    rmSync(join(out, name));
    await remote.stop();
    expect(await run('fetch', '--locked')).toMatchObject({ code: 0 });
  });

  it('is told that a track is selected only where a person says so', async () => {
    const { svcd, remote } = await startPair({ remote: { modules: [music] } });
    const { apply } = workIn(svcd);
    const selected = async () => ((await (await remote.call('/api/v1/assets')).json()) as { assets: object[] }).assets;
    await apply([THEME]);
    expect(await selected()).toEqual([]);
    expect(await apply([THEME], '--update', 'theme', '--select')).toMatchObject({ code: 0 });
    expect(await selected()).toMatchObject([{ track: 'happy-piano-15' }]);
  });

  it('is told so of music that stands in the lock, too', async () => {
    const { svcd, remote } = await startPair({ remote: { modules: [music] } });
    const { apply, file } = workIn(svcd);
    await apply([THEME]);
    const before = readFileSync(file);
    expect(await apply([THEME], '--select')).toMatchObject({ code: 0 });
    const { assets } = (await (await remote.call('/api/v1/assets')).json()) as { assets: object[] };
    expect([assets, readFileSync(file)]).toMatchObject([[{ track: 'happy-piano-15' }], before]);
  });

  it('makes a plan that did not ask it stale, and the hint leads to one that did', async () => {
    const { svcd } = await startPair({ remote: { modules: [music] } });
    const { apply, run } = workIn(svcd);
    expect((await apply([THEME], '--no-refresh')).code).not.toBe(0);
    const plan = (...flags: string[]) => run('plan', '--copy', 'copy.json', '--out', 'plan.json', ...flags);
    await plan();
    const stale = await apply([THEME], '--plan', 'plan.json');
    expect(stale).toMatchObject({ code: 17, stderr: expect.stringContaining('"svcd plan --refresh"') });
    await plan('--refresh');
    expect(await apply([THEME], '--plan', 'plan.json')).toMatchObject({ code: 0 });
  });
});

it('is refused behind a hub in a sentence, with nothing locked or spent', async () => {
  const svcd = await startSidecar(await startHub({ remote: { modules: [music] } }), 'one');
  const { apply, out, spent } = workIn(svcd);
  const { code, stderr } = await apply([THEME, { id: 'cover', preset: 'default/heart' }]);
  expect([code, stderr]).toEqual([
    10,
    expect.stringMatching(/theme: no budget of the hub bounds .*; nothing was bought/),
  ]);
  expect([existsSync(out) ? readdirSync(out) : [], await spent()]).toEqual([[], 0]);
});

/** A service of one track of `seconds`, whose answers the test gives. */
async function startMusic(answers: {
  enabled?: boolean;
  cost?: number;
  search?: number;
  file?: Buffer | 'html' | 'none';
}) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '');
    const send = (status: number, body: Buffer | string, type = 'application/json') =>
      response.writeHead(status, { 'Content-Type': type }).end(body);
    const { enabled = true, cost = 0, search = 200, file = wav(30) } = answers;
    if (path === '/api/v1/capabilities') {
      return send(200, JSON.stringify({ capabilities: [{ id: 'music.search', enabled, cost }] }));
    }
    if (path.startsWith('/api/v1/music/')) asked.push(path);
    if (path === '/api/v1/music/search' && search === 200) {
      return send(200, JSON.stringify({ results: [{ track: 't-30', title: 'Sun', duration: 30, cost: 0 }] }));
    }
    if (!path.endsWith('/file')) return send(404, JSON.stringify({ code: 'not_found', message: 'nothing here' }));
    if (file === 'none') return send(404, JSON.stringify({ code: 'not_found', message: 'nothing here' }));
    return file === 'html' ? send(200, '<script>alert(1)</script>', 'text/html') : send(200, file, 'audio/wav');
  });
  const remote = `http://127.0.0.1:${await portOf(server)}`;
  const svcd = await startTestDaemon({ userKey: 'key', flags: { remote } });
  return { svcd, asked, answers };
}

/** One channel of 8,000 bytes a second. */
function wav(seconds: number, sample?: number): Buffer {
  const data = Buffer.alloc(seconds * 8000, sample);
  if (sample === undefined) data.forEach((_, i) => (data[i] = i % 251));
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  [16, 0x0001_0001, 8000, 8000, 0x0008_0001].forEach((word, i) => head.writeUInt32LE(word, 16 + 4 * i));
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}

describe('a service whose music is none', () => {
  it.each([
    ['does not offer it', { enabled: false }, 9, /theme: the service does not offer music now/, []],
    ['wants credits for it', { cost: 3 }, 9, /theme: .* for nothing any more, and svcd buys none/, []],
    ['answers 404', { search: 404 }, 9, /theme: the service does not offer music where svcd looks/, ['search']],
    ['has no file of it', { file: 'none' }, 3, /no t-30 that can be used: /, ['search', 'file']],
    ['gives a page', { file: 'html' }, 8, /no sound for the track t-30, but "text\/html"/, ['search', 'file']],
    [
      "gives another track's bytes",
      { file: wav(15) },
      8,
      /t-30.*15 s and not 30 s.*another track's/,
      ['search', 'file'],
    ],
    ['gives an hour of silence', { file: wav(3600, 128) }, 8, /t-30.*silence from end to end/, ['search', 'file']],
    ['gives bytes of no form', { file: Buffer.from('music') }, 8, /t-30.*it is no sound/, ['search', 'file']],
  ] as const)('%s: a sentence, nothing locked, nothing spent', async (_what, answers, _code, words, asked) => {
    const { svcd, asked: seen } = await startMusic({ ...answers });
    const { apply, out, spent } = workIn(svcd);
    const { code, stderr } = await apply([THEME, { id: 'cover', preset: 'default/heart' }]);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(words);
    expect(stderr).toMatch(/nothing was bought|no sound/);
    expect(seen.map((path) => path.split('/').at(-1))).toEqual(asked);
    expect([existsSync(out) ? readdirSync(out) : [], await spent()]).toEqual([[], 0]);
  });

  it('leaves out what is optional, and refuses other bytes than were locked', async () => {
    const { svcd, asked } = await startMusic({ enabled: false });
    const { apply, lock } = workIn(svcd);
    const slots = [
      { ...THEME, optional: true },
      { id: 'cover', preset: 'default/heart' },
    ];
    expect(await apply(slots)).toMatchObject({ code: 0 });
    expect(Object.keys(lock().assets)).toEqual(['cover']);
    // A track that is named needs no search, and is found missing when it is taken.
    const named = [{ id: 'theme', want: 'music', track: 't-30', optional: true }, slots[1]!];
    const left = { code: 0, stderr: expect.stringMatching(/theme is left out: .*music/) };
    expect(await apply(named)).toMatchObject(left);
    expect(Object.keys(lock().assets)).toEqual(['cover']);
    expect((await apply([{ ...named[0], optional: false }])).code).not.toBe(0);
    expect(await apply([THEME], '--no-refresh')).toMatchObject({ stderr: expect.stringMatching(/theme: .*--refresh/) });
    expect(asked).toEqual([]);

    const gone = await startMusic({ file: 'none' });
    const without = await workIn(gone.svcd).apply(slots);
    expect(without.stderr).toMatch(/theme is left out: .*no t-30 that can be used/);
    // For the rest was.
    expect(without.stderr).not.toContain('nothing was bought');

    const second = await startMusic({});
    const there = workIn(second.svcd);
    expect(await there.apply([THEME])).toMatchObject({ code: 0 });
    const before = readFileSync(there.file);
    rmSync(join(there.out, there.lock().assets['theme']!.file));
    second.answers.file = wav(30, 7);
    second.answers.file[99] = 0;
    for (const args of [
      ['fetch', '--locked'],
      ['apply', '--copy', 'copy.json', '--yes'],
    ]) {
      const { code, stderr } = await there.run(...args);
      expect(code).toBe(17);
      expect(stderr).toMatch(/other bytes than the lock's for theme; nothing was written/);
    }
    expect([readdirSync(there.out), readFileSync(there.file)]).toEqual([['assets.lock.json'], before]);
  });

  it.each([
    [{ id: 'a', want: 'music', text: '生日' }, /takes purpose, mood, style, duration_s, track and optional alone/],
    [{ id: 'a', text: '生日', mood: 'happy' }, /music needs "want": "music"/],
    [{ id: 'a', want: 'music', mood: 'x'.repeat(61) }, /61 characters, at most 60/],
    [{ id: 'a', want: 'music', track: '../me' }, /must be the name of a track/],
    [{ id: 'a', want: 'music', duration_s: 0 }, /more than 0/],
  ])('refuses %o', async (slot, words) => {
    const { svcd } = await startMusic({});
    expect(await workIn(svcd).apply([slot])).toMatchObject({ code: 2, stderr: expect.stringMatching(words) });
  });
});
