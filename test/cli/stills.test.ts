// svcd apply --stills: a picture of each sticker beside its file, named by the lock; checked by verify, brought back by fetch.

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Lock } from '../../src/api/lock.js';
import { sha256Hex } from '../../src/model/hash.js';
import { openCli } from '../support/open-cli.js';
import { homeInTest } from '../support/in-test.js';
import { runHere } from '../support/run-here.js';

const SLOTS = [
  { id: 'opening', preset: 'default/heart' },
  { id: 'again', preset: 'default/heart' },
  { id: 'cover', want: 'image', prompt: 'a lantern', size: '1024x1024' },
];
const cli = openCli();
const out = () => join(cli.folder, 'svcd-assets');
const lockText = () => readFileSync(join(out(), 'assets.lock.json'), 'utf8');
const apply = (...flags: string[]) => cli.run(['apply', '--copy', 'copy.json', '--yes', ...flags]);

it('draws each once, as the lock says, and the same again where it is lost', async () => {
  cli.write('copy.json', { slots: SLOTS });
  await apply();
  const plain = lockText();
  expect((await apply('--stills', '128')).code).toBe(0);
  const { lock, assets } = JSON.parse(lockText()) as Lock;
  const { still } = assets['opening'] as Extract<Lock['assets'][string], { kind: 'sticker' }>;
  expect(still).toMatchObject({ file: expect.stringMatching(/^default~heart~still\.\w{8}\.png$/), height: 128 });
  expect([lock, assets['again']]).toMatchObject([2, { still }]);
  expect(assets['cover']).not.toHaveProperty('still');
  const png = readFileSync(join(out(), still?.file ?? ''));
  expect([png.subarray(1, 4).toString(), png.readUInt32BE(20)]).toEqual(['PNG', 128]);

  const locked = lockText();
  rmSync(join(out(), still?.file ?? ''));
  expect((await cli.run(['verify'])).stdout).toContain(`${still?.file} is missing`);
  await apply();
  expect([lockText(), (await cli.run(['verify'])).code]).toEqual([locked, 0]);
  await apply('--stills', '64');
  const pictures = readdirSync(out()).filter((name) => name.includes('~still.'));
  expect([pictures.length, pictures.includes(still?.file ?? '')]).toEqual([1, false]);
  expect(plain).not.toContain('still');
  expect((await apply('--stills', '5000')).stderr).toContain('--stills must be a whole number from 16 to 1024');
});

it('is brought back, here and elsewhere, and refused where it would be another', async () => {
  cli.write('copy.json', { slots: SLOTS.slice(0, 2) });
  await apply('--stills', '96');
  const files = readdirSync(out());
  const elsewhere = await cli.run([
    'fetch',
    '--out',
    '../elsewhere',
    '--lock',
    'svcd-assets/assets.lock.json',
    '--json',
  ]);
  expect(JSON.parse(elsewhere.stdout)).toMatchObject({
    kept: [],
    bought: [],
    written: expect.objectContaining({ length: 2 }),
  });
  expect(readdirSync(join(cli.folder, '..', 'elsewhere'))).toEqual(files);

  // A still of another svcd: none that is drawn here.
  const lock = JSON.parse(lockText()) as Lock;
  const png = Buffer.concat([
    readFileSync(join(out(), files.find((name) => name.endsWith('.png')) ?? '')),
    Buffer.from('x'),
  ]);
  const sha256 = sha256Hex(png);
  const file = `default~heart~still.${sha256.slice(0, 8)}.png`;
  const still = { file, sha256, bytes: png.length, width: 96, height: 96, frame: 1 };
  for (const asset of Object.values(lock.assets)) Object.assign(asset, { still });
  writeFileSync(join(out(), 'assets.lock.json'), JSON.stringify(lock));
  const refused = await cli.run(['fetch']);
  expect([refused.code, refused.stderr]).toEqual([17, expect.stringContaining('does not draw the still of')]);
  writeFileSync(join(out(), file), png);
  expect((await cli.run(['owned', 'export', '--lock', 'svcd-assets/assets.lock.json', 'bundle.ndjson.gz'])).code).toBe(
    0,
  );
  const home = homeInTest();
  const colleague = (...args: string[]) => runHere(args, { home, cwd: home });
  expect((await colleague('owned', 'import', join(cli.folder, 'bundle.ndjson.gz'))).code).toBe(0);
  await colleague('fetch', '--lock', join(out(), 'assets.lock.json'), '--out', 'mine');
  expect(readFileSync(join(home, 'mine', file))).toEqual(png);
});
