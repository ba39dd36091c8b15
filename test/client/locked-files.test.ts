// Files of a lock: served without svcd if their digest is right, and by nobody if it is not.

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { LOCK_FILE, lockSchema, type LockedAsset } from '../../src/api/lock.js';
import type { ConnectOptions } from '../../src/client/client-types.js';
import { openClient } from '../../src/client/open-client.js';
import { sha256Hex } from '../../src/model/hash.js';
import { imageDigest } from '../../src/purchases/image-item.js';
import { temporaryHome } from '../support/start-daemon.js';
import { LOTTIE, readAll, startScript } from './scripted-server.js';

const CAKE = 'x/cake';
const IMAGE = { prompt: 'a lamp', size: '1536x1024' } as const;
const named = (nm: string) => Buffer.from(JSON.stringify({ ...LOTTIE, nm }));
const BYTES = named('locked');
const PNG = Buffer.from('\x89PNG\r\n\x1a\nand so on', 'latin1');

function sticker(bytes: Buffer, more: object = {}): LockedAsset {
  const sha256 = sha256Hex(bytes);
  return {
    kind: 'sticker',
    preset: CAKE,
    source: 'service',
    price: 1,
    sha256,
    bytes: bytes.length,
    width: 100,
    height: 50,
    frame_rate: 25,
    frames: 50,
    form: 'as-bought',
    verdict: 'clean',
    file: `x~cake.${sha256.slice(0, 8)}.json`,
    ...more,
  };
}

const cover = {
  kind: 'image',
  image: imageDigest(IMAGE),
  source: 'service',
  price: 10,
  sha256: sha256Hex(PNG),
  bytes: PNG.length,
  width: 1536,
  height: 1024,
  file: 'cover.png',
} as const;

/** A folder with a lock and its files; the path of the lock. */
function writeLock(assets: Record<string, unknown>, files: Record<string, Buffer>): string {
  const folder = temporaryHome();
  writeFileSync(join(folder, LOCK_FILE), JSON.stringify({ lock: 1, remote: null, assets }));
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
  return join(folder, LOCK_FILE);
}

async function openBeside(lock: string, more: ConnectOptions = {}) {
  const svcd = await startScript([{ body: LOTTIE, headers: { 'X-Svcd-Source': 'owned', 'X-Svcd-Cost': '0' } }]);
  return { svcd, client: await openClient({ lock, baseUrl: svcd.url, ...more }, {}) };
}

describe('a locked file', () => {
  it('is served without svcd', async () => {
    const one = sticker(BYTES);
    const lock = writeLock({ opening: one, cover }, { [one.file]: BYTES, 'cover.png': PNG });
    expect(v.is(lockSchema, JSON.parse(readFileSync(lock, 'utf8')))).toBe(true);
    const { client, svcd } = await openBeside(lock, { otherwise: 'error' });
    await svcd.close();
    const cake = await client.sticker(CAKE, { fallback: 'error' });
    expect(cake).toMatchObject({ source: 'locked', cost: 0, reason: undefined, sha256: one.sha256 });
    expect(cake.facts).toMatchObject({ frames: 50, verdict: 'clean' });
    expect(cake.json()).toMatchObject({ nm: 'locked' });
    const picture = await client.image(IMAGE);
    expect(picture).toMatchObject({ source: 'locked', width: 1536, height: 1024, contentType: 'image/png' });
    expect(Buffer.from(picture.bytes)).toEqual(PNG);
    expect(svcd.asked).toEqual([]);
  });

  it('is not served if one bit of it is another, or if it is away: svcd is asked', async () => {
    const one = sticker(BYTES);
    const flipped = Buffer.from(BYTES);
    flipped[flipped.length - 2]! ^= 1;
    for (const files of [{ [one.file]: flipped }, {}]) {
      const { client, svcd } = await openBeside(writeLock({ opening: one }, files));
      expect(await client.sticker(CAKE)).toMatchObject({ source: 'owned', cost: 0 });
      expect(svcd.seen).toHaveLength(1);
    }
  });

  it('that is damaged or away is told by what stands for it: of svcd, plain, or another of the lock', async () => {
    const one = sticker(BYTES);
    const other = named('safe');
    const safe = sticker(other, { form: 'safe' });
    const cases: [Record<string, Buffer>, string][] = [
      [{ [one.file]: other, 'cover.png': other }, 'locked_file_damaged'],
      [{}, 'locked_file_missing'],
    ];
    for (const [files, warning] of cases) {
      const { client, svcd } = await openBeside(writeLock({ opening: one, cover }, files));
      expect(await client.sticker(CAKE)).toMatchObject({ source: 'owned', warnings: [warning] });
      expect(await client.sticker('x/other')).toMatchObject({ warnings: [] });
      await svcd.close();
      expect(await client.sticker(CAKE)).toMatchObject({ reason: 'no_svcd', warnings: [warning] });
      expect(await client.image(IMAGE)).toMatchObject({ reason: 'no_svcd', warnings: [warning] });
      const both = await openBeside(writeLock({ a: one, b: safe }, { ...files, [safe.file]: other }));
      const served = await both.client.sticker(CAKE);
      expect(served).toMatchObject({ source: 'locked', warnings: [warning] });
      expect(served.json()).toMatchObject({ nm: 'safe' });
    }
  });

  it('is of its preset, variant and words alone', async () => {
    const one = sticker(BYTES);
    const lock = writeLock({ opening: one, cover }, { [one.file]: BYTES, 'cover.png': PNG });
    const { client, svcd } = await openBeside(lock);
    await client.sticker('x/other');
    for (const request of [
      { ...IMAGE, variant: '2' },
      { ...IMAGE, fresh: true },
      { ...IMAGE, prompt: 'a lamp.' },
    ]) {
      await client.image(request).catch(() => undefined);
    }
    expect(svcd.seen).toHaveLength(4);
  });

  it('that is a default says so, and is not served where none will do', async () => {
    const one = sticker(BYTES, { source: 'default', reason: 'no_key' });
    const { client, svcd } = await openBeside(writeLock({ opening: one }, { [one.file]: BYTES }));
    expect(await client.sticker(CAKE)).toMatchObject({ source: 'default', reason: 'no_key', cost: 0 });
    expect(await client.sticker(CAKE, { fallback: 'error' })).toMatchObject({ source: 'owned' });
    expect(svcd.seen).toHaveLength(1);
  });

  it('as it was bought is preferred to its safe form, and that to a default', async () => {
    const [safe, plain] = [named('safe'), named('default')];
    const slots = {
      a: sticker(plain, { source: 'default', reason: 'offline' }),
      b: sticker(safe, { form: 'safe' }),
      c: sticker(BYTES),
    };
    const files = { [slots.a.file]: plain, [slots.b.file]: safe, [slots.c.file]: BYTES };
    const { client } = await openBeside(writeLock(slots, files));
    expect((await client.sticker(CAKE)).json()).toMatchObject({ nm: 'locked' });
    const { client: other } = await openBeside(writeLock({ a: slots.a, b: slots.b }, files));
    expect((await other.sticker(CAKE)).json()).toMatchObject({ nm: 'safe' });
  });

  it('is the one beside the lock, though that is a link or the working folder is another', async () => {
    const one = sticker(BYTES);
    const lock = writeLock({ opening: one }, { [one.file]: BYTES });
    const folder = join(temporaryHome(), 'linked');
    symlinkSync(dirname(lock), folder);
    const { client } = await openBeside(join(folder, LOCK_FILE));
    expect(await client.sticker(CAKE)).toMatchObject({ source: 'locked' });
  });
});

describe('a strict connection', () => {
  it('takes no default in place of an asset, and no slot of a lock that is no choice', async () => {
    const one = sticker(BYTES, { source: 'default', reason: 'late' });
    const [shipped, guessed, good] = [{ source: 'shipped' }, { basis: 'part' }, { basis: 'asked', preset: 'x/good' }];
    const slots = {
      stood: one,
      shipped: sticker(BYTES, shipped),
      guessed: sticker(BYTES, guessed),
      good: sticker(BYTES, good),
    };
    const lock = writeLock(
      { ...slots, shipped: { ...slots.shipped, preset: 'x/a' }, guessed: { ...slots.guessed, preset: 'x/b' } },
      { [one.file]: BYTES },
    );
    const { client, svcd } = await openBeside(lock, { strict: true });
    for (const slot of ['stood', 'shipped', 'guessed']) {
      const message = expect.stringMatching(`^slot ${slot}: .*"svcd apply --strict --replace-defaults"`) as string;
      await expect(client.slot(slot)).rejects.toMatchObject({ code: 'defaults_served', message });
    }
    expect(await client.slot('good')).toMatchObject({ source: 'locked' });
    expect(await client.sticker(CAKE)).toMatchObject({ source: 'owned' });
    await readAll(client.prefetch({ presets: [CAKE], maxCredits: 1 })).catch(() => undefined);
    expect(svcd.seen[0]?.headers['x-svcd-fallback']).toBe('off');
    expect(JSON.parse(svcd.seen[1]?.body ?? '')).toMatchObject({ fallback: false });
    await svcd.close();
    await expect(client.image(IMAGE)).rejects.toMatchObject({ code: 'not_running' });
    // A call may say otherwise.
    expect(await client.sticker(CAKE, { fallback: 'default' })).toMatchObject({ source: 'default', reason: 'late' });
    const lax = await openBeside(lock);
    expect(await lax.client.slot('stood')).toMatchObject({ source: 'default', reason: 'late' });
  });
});

describe('a lock that cannot be used', () => {
  it.each<[string, string | undefined]>([
    ['invalid_argument', undefined],
    ['damaged', 'no JSON'],
    ['damaged', 'null'],
    ['damaged', '{"lock":1}'],
    ['damaged', '{"lock":"1","assets":{}}'],
    ['newer_file', '{"lock":3,"assets":{}}'],
    ['damaged', JSON.stringify({ lock: 1, assets: { a: sticker(BYTES), b: sticker(BYTES) } }).replace('"b"', '"a"')],
    ['damaged', JSON.stringify({ lock: 1, assets: { one: { ...sticker(BYTES), sha256: undefined } } })],
    ['damaged', JSON.stringify({ lock: 1, assets: { one: { ...sticker(BYTES), sha256: 'A'.repeat(64) } } })],
    ...['../x.json', 'a/b', 'a\\b', '..', '.', ''].map((file): [string, string] => [
      'damaged',
      JSON.stringify({ lock: 1, assets: { one: sticker(BYTES, { file }) } }),
    ]),
  ])('is told at once: %s %s', async (code, text) => {
    const lock = join(temporaryHome(), 'deep', LOCK_FILE);
    mkdirSync(dirname(lock));
    if (text !== undefined) writeFileSync(lock, text);
    await expect(openClient({ lock }, {})).rejects.toMatchObject({
      code,
      message: expect.stringContaining(lock) as string,
    });
  });
});
