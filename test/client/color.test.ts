// Other colors for a template: asked of svcd by the client, and kept by a lock, of which they come back offline.

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Lock } from '../../src/api/lock.js';
import { openClient } from '../../src/client/open-client.js';
import { colorsOf } from '../../src/lottie/recolor.js';
import { sha256Hex } from '../../src/model/hash.js';
import { openCli } from '../support/open-cli.js';

const cli = openCli();
const { run } = cli;
const CAKE = 'fluent-emoji-flat/birthday-cake';
const COLOR = '#e5484d';
const HELD = { slots: [{ id: 'cake', preset: CAKE, color: COLOR }] };

const lockIn = (folder: string) =>
  JSON.parse(readFileSync(join(cli.folder, folder, 'assets.lock.json'), 'utf8')) as Lock;

describe('a sticker in other colors', () => {
  it('is what svcd makes of the one that is bought, which stays; words that are no color buy nothing', async () => {
    const client = await openClient({ home: cli.svcd.home }, {});
    await expect(client.sticker(CAKE, { color: 'red' })).rejects.toMatchObject({
      code: 'invalid_request',
      status: 400,
    });
    expect((await client.spending()).spent).toBe(0);
    const colored = await client.sticker(CAKE, { color: `all=${COLOR}` });
    const plain = await client.sticker(CAKE);
    expect([colored.cost, plain.cost, colored.warnings]).toEqual([1, 0, []]);
    const all = colorsOf(colored.json()).map(({ color }) => color);
    expect([all.includes(COLOR), all.length]).toEqual([true, colorsOf(plain.json()).length]);
    const away = await openClient({ baseUrl: 'http://127.0.0.1:9' }, {});
    expect(await away.sticker(CAKE, { color: COLOR })).toMatchObject({ source: 'default', warnings: ['not_colored'] });
  });

  it('a default keeps its own, and says so', async () => {
    const client = await openClient({ home: cli.svcd.home }, {});
    await run(['offline']);
    const { source, warnings } = await client.sticker('fluent-emoji-flat/sparkler', { color: COLOR });
    await run(['offline', '--off']);
    expect([source, warnings.includes('not_colored')]).toEqual(['default', true]);
  });

  it('is in the lock, by which the client gives it, and fetch makes it again of what is owned', async () => {
    cli.write('copy.json', HELD);
    expect(await run(['apply', '--copy', 'copy.json', '--out', 'held', '--yes'])).toMatchObject({ code: 0 });
    const lock = lockIn('held');
    const { cake } = lock.assets;
    expect([lock.lock, cake]).toMatchObject([2, { color: COLOR, recolor: 1, source: 'service' }]);
    const path = join(cli.folder, 'held', 'assets.lock.json');
    const file = join(cli.folder, 'held', cake!.file);
    const offline = await openClient({ lock: path, baseUrl: 'http://127.0.0.1:9' }, {});
    const { sha256, source } = await offline.sticker(CAKE, { color: COLOR });
    expect([sha256, source]).toEqual([cake!.sha256, 'locked']);
    // Another color than that of the lock is not served by it.
    expect((await offline.sticker(CAKE)).source).toBe('default');
    rmSync(file);
    expect(await run(['fetch', '--locked', '--lock', path])).toMatchObject({ code: 0 });
    expect(sha256Hex(readFileSync(file))).toBe(cake!.sha256);
    rmSync(file);
    expect(await run(['apply', '--copy', 'copy.json', '--out', 'held', '--yes'])).toMatchObject({ code: 0 });
    expect(lockIn('held')).toEqual(lock);
  });

  it('of another color is chosen anew, and what is no sticker or color is refused before anything is bought', async () => {
    cli.write('blue.json', { slots: [{ ...HELD.slots[0], color: '#00a6ed' }] });
    const before = lockIn('held').assets['cake']!;
    expect(await run(['apply', '--copy', 'blue.json', '--out', 'held', '--yes'])).toMatchObject({ code: 0 });
    const after = lockIn('held').assets['cake']!;
    expect([after, after.sha256 === before.sha256]).toMatchObject([{ color: '#00a6ed' }, false]);
    cli.write('wrong.json', { slots: [{ id: 'cover', prompt: 'a cake', size: '1024x1024', color: COLOR }] });
    const image = await run(['plan', '--copy', 'wrong.json']);
    expect([image.code === 0, image.stderr]).toEqual([false, expect.stringContaining('only a sticker takes a color')]);
    cli.write('mine.json', readFileSync(join(cli.folder, 'held', after.file), 'utf8'));
    await run(['library', 'add', 'mine.json', '--title', '我的', '--licence', 'CC-BY-ND-4.0']);
    cli.write('nd.json', { slots: [{ id: 'mine', preset: 'own/mine', color: COLOR }] });
    expect((await run(['plan', '--copy', 'nd.json'])).stderr).toContain('forbids changed copies');
  });
});
