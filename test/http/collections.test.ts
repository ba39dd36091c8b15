// The user's collections, the folder and the zip over HTTP: what is answered, what is refused, and that none of it buys.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { RECENT_MAX } from '../../src/api/collections.js';
import { writeSetting } from '../../src/config/config.js';
import { stickerPath } from '../../src/model/sticker.js';
import { BIRTHDAY_CAKE, CAKE, RAIN, tinyLottie } from '../sandbox/tiny-catalogue.js';
import { itIf, PYTHON } from '../support/requires.js';
import { listPurchases } from '../support/purchases.js';
import { temporaryHome, type StartedDaemon } from '../support/start-daemon.js';
import { startPair, type PairOptions } from '../support/start-pair.js';

const SHIPPED = 'default/birthday-cake';
const USUAL = ['favourites', 'wanted', 'recent'];

interface Told {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

async function start(options: PairOptions = {}) {
  const pair = await startPair(options);
  const { svcd } = pair;
  const ask = async (method: string, path: string, body?: unknown): Promise<Told> => {
    const answer = await svcd.send(method, path, body);
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const at = (name: string, preset?: string) =>
    `/svcd/collections/${encodeURIComponent(name)}${preset === undefined ? '' : `/${encodeURIComponent(preset)}`}`;
  const lists = async () => {
    const { body } = await ask('GET', '/svcd/collections');
    const all = body['collections'] as { name: string; presets: string[] }[];
    return Object.fromEntries(all.map(({ name, presets }) => [name, presets]));
  };
  return { ...pair, ask, at, lists };
}

async function buy({ get }: StartedDaemon, ...presets: string[]): Promise<void> {
  for (const preset of presets) await (await get(stickerPath(preset))).arrayBuffer();
}

describe('collections', () => {
  it('begin with those that are always there, empty and never changed', async () => {
    const { ask } = await start();
    const { body } = await ask('GET', '/svcd/collections');
    expect(body).toEqual({ collections: USUAL.map((name) => ({ name, presets: [], changed_at: null })) });
  });

  it('are changed as a whole or by one, and answer what they are now', async () => {
    const { ask, at, lists } = await start();
    const made = await ask('PUT', at('第二集/A'), { presets: [CAKE, RAIN, CAKE] });
    expect(made).toMatchObject({ status: 200, body: { name: '第二集/A', presets: [CAKE, RAIN] } });
    expect(await ask('PUT', at('第二集/A', BIRTHDAY_CAKE))).toMatchObject({
      body: { presets: [CAKE, RAIN, BIRTHDAY_CAKE] },
    });
    expect(await ask('PUT', at('第二集/A', BIRTHDAY_CAKE))).toMatchObject({
      body: { presets: [CAKE, RAIN, BIRTHDAY_CAKE] },
    });
    expect(await ask('DELETE', at('第二集/A', RAIN))).toMatchObject({ body: { presets: [CAKE, BIRTHDAY_CAKE] } });
    expect(await ask('PUT', `${at('favourites')}/${CAKE}`)).toMatchObject({ body: { presets: [CAKE] } });
    expect(await lists()).toEqual({ favourites: [CAKE], wanted: [], recent: [], '第二集/A': [CAKE, BIRTHDAY_CAKE] });
    expect(await ask('DELETE', at('第二集/A'))).toMatchObject({ status: 200, body: { removed: '第二集/A' } });
    expect(await ask('DELETE', at('favourites'))).toMatchObject({ status: 200 });
    expect(await lists()).toEqual({ favourites: [], wanted: [], recent: [] });
  });

  it.each([
    ['DELETE', '/svcd/collections/nobody', 404, 'not_found'],
    ['PUT', '/svcd/collections/recent/a', 400, 'invalid_request'],
    ['PUT', `/svcd/collections/${'x'.repeat(61)}/a`, 400, 'invalid_request'],
    ['PUT', '/svcd/collections/a%0Ab/a', 400, 'invalid_request'],
    ['PUT', '/svcd/collections/%20/a', 400, 'invalid_request'],
    ['PUT', '/svcd/collections/wanted/a%2F..%2Fb', 400, 'invalid_request'],
    ['POST', '/svcd/collections', 405, 'method_not_allowed'],
    ['GET', '/svcd/collections/wanted', 405, 'method_not_allowed'],
  ])('refuse %s %s with %i %s', async (method, path, status, code) => {
    const { ask, lists } = await start();
    expect(await ask(method, path)).toMatchObject({ status, body: { code } });
    expect(await lists()).toEqual({ favourites: [], wanted: [], recent: [] });
  });

  it('refuse a list that is none, with what is wrong in it', async () => {
    const { ask, at } = await start();
    const code = async (body: unknown) => (await ask('PUT', at('wanted'), body)).body;
    expect(await code({ presets: ['a/../b'] })).toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('"a/../b"') as string,
    });
    expect(await code({ presets: CAKE })).toMatchObject({ code: 'invalid_request' });
    expect(await code({})).toMatchObject({ code: 'invalid_request' });
    expect(await ask('PUT', at('recent'), { presets: [CAKE] })).toMatchObject({ status: 400 });
  });

  it('hold what was exported last, the newest first, in `recent`', async () => {
    const { ask, lists } = await start();
    expect(await ask('POST', '/svcd/exports', { presets: [CAKE, RAIN] })).toEqual({ status: 200, body: { noted: 2 } });
    await ask('POST', '/svcd/exports', { presets: [CAKE] });
    expect((await lists())['recent']).toEqual([CAKE, RAIN]);
    const many = Array.from({ length: 200 }, (_, nth) => `many/${nth}`);
    await ask('POST', '/svcd/exports', { presets: many });
    expect((await lists())['recent']).toEqual(many.toReversed().slice(0, RECENT_MAX));
    expect(await ask('POST', '/svcd/exports', { presets: [] })).toMatchObject({ status: 400 });
  });

  it('go along with an export of what is owned, and an old export leaves them alone', async () => {
    const [from, to] = [await start(), await start()];
    await buy(from.svcd, CAKE);
    const old = await (await from.svcd.get('/svcd/owned/export')).text();
    await from.ask('PUT', from.at('wanted', RAIN));
    await to.ask('PUT', to.at('wanted', CAKE));
    const exported = await (await from.svcd.get('/svcd/owned/export')).text();
    // The remote of the other has another address.
    const here = exported.replaceAll(from.remote.url, to.remote.url);
    const take = (body: string) => to.svcd.post('/svcd/owned/import', body, { 'Content-Type': 'application/x-ndjson' });
    expect(await (await take(old)).json()).toMatchObject({ bad: 0, added: 1, whole: true });
    expect((await to.lists())['wanted']).toEqual([CAKE]);
    expect(await (await take(here)).json()).toMatchObject({ bad: 0, whole: true });
    expect((await to.lists())['wanted']).toEqual([CAKE, RAIN]);
  });
});

describe('the folder', () => {
  async function withFolder() {
    const folder = join(temporaryHome(), '视频 files');
    mkdirSync(folder);
    const opened: string[] = [];
    const openOutside = (target: string) => Promise.resolve(opened.push(target) > 0);
    return { folder, opened, ...(await start({ flags: { folder }, openOutside })) };
  }

  it('gets owned files under names for people, once, and nothing else', async () => {
    const { svcd, ask, folder, remote } = await withFolder();
    await buy(svcd, CAKE);
    const charges = remote.sandbox.charges().length;
    const { status, body } = await ask('POST', '/svcd/folder', { presets: [CAKE, RAIN, SHIPPED, CAKE] });
    const [first, second] = body['files'] as { preset: string; path: string; there: boolean }[];
    expect([status, body['folder'], first?.preset, first?.there, second?.preset]).toEqual([
      200,
      folder,
      CAKE,
      false,
      SHIPPED,
    ]);
    expect(body['failed']).toEqual([
      { preset: RAIN, code: 'not_owned', message: expect.stringContaining(RAIN) as string },
    ]);
    expect(readFileSync(first?.path ?? '')).toEqual(
      Buffer.from(await (await svcd.get(stickerPath(CAKE))).arrayBuffer()),
    );
    const again = await ask('POST', '/svcd/folder', { presets: [CAKE] });
    expect(again.body['files']).toEqual([{ preset: CAKE, path: first?.path, there: true }]);
    expect(readdirSync(folder)).toHaveLength(2);
    expect(remote.sandbox.charges()).toHaveLength(charges);
  });

  it('never loses what its owner put there', async () => {
    const { svcd, ask } = await withFolder();
    await buy(svcd, CAKE);
    const { body } = await ask('POST', '/svcd/folder', { presets: [CAKE] });
    const path = (body['files'] as { path: string }[])[0]?.path ?? '';
    writeFileSync(path, 'mine');
    const again = await ask('POST', '/svcd/folder', { presets: [CAKE] });
    const [other] = again.body['files'] as { path: string; there: boolean }[];
    expect([readFileSync(path, 'utf8'), other?.there, other?.path === path]).toEqual(['mine', false, false]);
  });

  it('is shown in the window of the system, where files drag from', async () => {
    const { ask, folder, opened } = await withFolder();
    expect(await ask('POST', '/svcd/folder/reveal')).toEqual({ status: 200, body: { revealed: folder } });
    expect(opened).toEqual([folder]);
  });

  it('is 409 no_folder with the command where none is set, or it is gone', async () => {
    const { svcd, ask, folder } = await withFolder();
    rmSync(folder, { recursive: true });
    expect(await ask('POST', '/svcd/folder', { presets: [SHIPPED] })).toMatchObject({
      status: 409,
      body: { code: 'no_folder' },
    });
    expect(existsSync(folder)).toBe(false);
    await svcd.daemon.close();
    const none = await start();
    for (const [path, body] of [
      ['/svcd/folder', { presets: [SHIPPED] }],
      ['/svcd/folder/reveal', undefined],
    ] as const) {
      const answer = await none.ask('POST', path, body);
      expect(answer).toMatchObject({
        status: 409,
        body: { code: 'no_folder', hint: expect.stringContaining('svcd config set folder DIR') as string },
      });
    }
  });

  it('gets what the page made, piece by piece, in the folder of a script, and never over another file', async () => {
    const { svcd, ask, folder, opened } = await withFolder();
    const put = async (query: string, bytes: string) => {
      const path = `/svcd/folder/made?project=${encodeURIComponent('五岁生日')}&file=01-a.gif&${query}`;
      const answer = await svcd.call(path, {
        method: 'PUT',
        headers: { Authorization: `Bearer ${svcd.token}` },
        body: bytes,
      });
      return [answer.status, ((await answer.json()) as Record<string, unknown>)['path'] ?? null];
    };
    const whole = (text: string) => `bytes=${text.length}&sha256=${createHash('sha256').update(text).digest('hex')}`;
    const at = (name: string) => join(folder, '五岁生日', name);
    expect(await put('offset=0', 'GIF89a')).toEqual([200, null]);
    expect(await put('offset=4', 'late')).toEqual([400, null]);
    expect(await put('offset=0', 'GIF89a')).toEqual([200, null]);
    expect(existsSync(at('01-a.gif'))).toBe(false);
    expect(await put(`offset=6&${whole('GIF89a-one')}`, '-one')).toEqual([200, at('01-a.gif')]);
    expect(await put(`offset=0&${whole('GIF89a-one')}`, 'GIF89a-one')).toEqual([200, at('01-a.gif')]);
    expect(await put(`offset=0&${whole('GIF89a-two')}`, 'GIF89a-two')).toEqual([200, at('01-a 2.gif')]);
    expect(await put(`offset=0&${whole('GIF89a-two')}`, 'GIF89a-odd')).toEqual([400, null]);
    expect(await put('offset=0', '<html>')).toEqual([400, null]);
    for (const name of ['../a.gif', 'a.exe', 'con.gif', 'a\u202egif.gif', '.a.gif', 'a/b.gif']) {
      const path = `/svcd/folder/made?file=${encodeURIComponent(name)}&offset=0`;
      expect(await ask('PUT', path), name).toMatchObject({ status: 400 });
    }
    symlinkSync(folder, join(folder, 'link'));
    expect(await ask('POST', '/svcd/folder/reveal?project=link')).toMatchObject({ body: { code: 'no_folder' } });
    expect(await ask('POST', `/svcd/folder/reveal?project=${encodeURIComponent('五岁生日')}`)).toMatchObject({
      status: 200,
    });
    expect(opened).toEqual([join(folder, '五岁生日')]);
    // Nothing is left of what was refused.
    expect(readdirSync(folder).toSorted()).toEqual(['link', '五岁生日']);
    expect(readFileSync(at('01-a.gif'), 'utf8')).toBe('GIF89a-one');
  });

  it("is svcd in the system's folder of videos where none is set and the page asks for it", async () => {
    const user = temporaryHome();
    vi.stubEnv('HOME', user);
    onTestFinished(() => void vi.unstubAllEnvs());
    mkdirSync(join(user, '.config'));
    writeFileSync(join(user, '.config', 'user-dirs.dirs'), 'XDG_MUSIC_DIR="$HOME/a"\nXDG_VIDEOS_DIR="$HOME/视频"\n');
    const { ask } = await start();
    const folder = join(user, process.platform === 'darwin' ? 'Movies' : '视频', 'svcd');
    expect(await ask('POST', '/svcd/folder/default')).toEqual({ status: 200, body: { folder } });
    expect((await ask('GET', '/svcd/summary')).body['folder']).toBe(true);
  });

  it('that is set while svcd runs is there at once, and a page cannot set it', async () => {
    const { svcd, ask } = await start();
    const folder = temporaryHome();
    const isTold = async () => (await ask('GET', '/svcd/summary')).body['folder'];
    expect(await isTold()).toBe(false);
    writeSetting(svcd.home, 'folder', folder);
    expect(await isTold()).toBe(true);
    expect(await ask('POST', '/svcd/folder', { presets: [SHIPPED], folder: '/tmp' })).toMatchObject({ status: 400 });
    expect(await ask('POST', '/svcd/folder', { presets: [SHIPPED] })).toMatchObject({ body: { folder } });
    expect(readdirSync(folder)).toHaveLength(1);
  });
});

describe('a zip', () => {
  const READ = `import json,sys,zipfile,hashlib
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
print(json.dumps([[i.filename, i.file_size, hashlib.sha256(z.read(i)).hexdigest()] for i in z.infolist()]))`;

  itIf(PYTHON, 'of owned, own and shipped files is read by another program, and costs nothing', async () => {
    const { svcd, ask, remote } = await start();
    await buy(svcd, CAKE, BIRTHDAY_CAKE);
    const own = await ask('PUT', '/svcd/library/stickers/own%2Fintro', {
      title: '公司片头 / v2',
      keywords: [],
      lottie: tinyLottie('intro'),
    });
    expect(own.status).toBe(200);
    const presets = [CAKE, BIRTHDAY_CAKE, 'own/intro', SHIPPED, CAKE];
    const charges = remote.sandbox.charges();
    const query = presets.map((preset) => `preset=${encodeURIComponent(preset)}`).join('&');
    const answer = await svcd.call(`/svcd/owned.zip?${query}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment/);
    const file = join(temporaryHome(), 'some.zip');
    writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
    const read = JSON.parse(execFileSync('python3', ['-c', READ, file], { encoding: 'utf8' })) as [
      string,
      number,
      string,
    ][];
    const expected = [];
    for (const preset of presets.slice(0, 4)) {
      const bytes = Buffer.from(await (await svcd.call(`/svcd/pictures/${encodeURIComponent(preset)}`)).arrayBuffer());
      expected.push([bytes.byteLength, createHash('sha256').update(bytes).digest('hex')]);
    }
    expect(read.map(([, size, digest]) => [size, digest])).toEqual(expected);
    expect(read[2]?.[0]).toBe('公司片头-v2-intro.json');
    expect(new Set(read.map(([name]) => name)).size).toBe(4);
    expect(remote.sandbox.charges()).toEqual(charges);
  });

  it('of what is not owned is 404, with a token or without, and buys nothing', async () => {
    const { svcd, remote } = await start();
    for (const ask of [svcd.get, svcd.call]) {
      const answer = await ask(`/svcd/owned.zip?preset=${SHIPPED}&preset=${encodeURIComponent(CAKE)}`);
      expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'not_owned' }]);
    }
    expect((await svcd.call('/svcd/owned.zip')).status).toBe(400);
    expect(remote.sandbox.charges()).toEqual([]);
    expect(await listPurchases(svcd.get)).toEqual([]);
  });

  it('has no body for a HEAD', async () => {
    const { svcd } = await start();
    const answer = await svcd.call(`/svcd/owned.zip?preset=${SHIPPED}`, { method: 'HEAD' });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });
});
