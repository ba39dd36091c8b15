// What machines give a hub: kept until somebody decides, bounded, and as what its bytes are.

import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { createTakeGiven, type GivenLimits } from '../../src/hub/app/take-given.js';
import type { HubStores } from '../../src/purchases/open-purchases.js';
import { tinyLottie } from '../sandbox/tiny-catalogue.js';
import { openPurchases, type PurchaseStores } from '../purchases/open-test-purchases.js';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const HTML = '<script>alert(1)</script>';
const PLENTY: GivenLimits = { ofMachine: { bytes: 1e9, rows: 1e6 }, ofAll: { bytes: 1e9, rows: 1e6 } };

let stores: PurchaseStores;
let hub: HubStores;
beforeEach(() => {
  stores = openPurchases();
  hub = stores.openHub();
  onTestFinished(() => stores.close());
});

async function addMachine(name: string) {
  const wish = { projects: ['promo'], only: null, user: null, uses: 1, expiresInS: 60, machineLivesS: null } as const;
  const { secret } = await hub.machines.invite(wish);
  return (await hub.machines.join(secret, { name, user: null })).machine;
}

function lineOf(item: string, plain: string | Buffer, contentType = 'text/html'): string {
  const bytes = Buffer.from(plain);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const told = { scope: 'test', item, content_type: contentType, sha256, kept_at: '2026-01-01T00:00:00Z' };
  return JSON.stringify({ ...told, gzip: gzipSync(bytes).toString('base64') });
}

async function* piecesOf(lines: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const line of lines) yield Buffer.from(`${line}\n`);
}

const stickers = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => lineOf(`sticker:a/${from + n}`, tinyLottie(`${from + n}`)));

it('is served as what its bytes are, whatever the machine says of them', async () => {
  const machine = await addMachine('one');
  const image = `image:${'a'.repeat(64)}`;
  const lines = [
    lineOf('sticker:a/b', tinyLottie(HTML)),
    lineOf(image, JSON.stringify({ url: HTML })),
    lineOf('file:/pictures/1.png', PNG),
    lineOf('file:/pictures/2.png', HTML),
    lineOf('file:/pictures/3.svg', `<svg xmlns="http://www.w3.org/2000/svg">${HTML}</svg>`, 'image/svg+xml'),
  ];
  expect(await createTakeGiven(hub.given, 1e6)(machine, piecesOf(lines))).toMatchObject({ waiting: 5, bad: 0 });
  await hub.given.decide(true);
  const typeOf = async (item: string) => (await stores.owned.find(item))?.contentType;
  expect(await typeOf('sticker:a/b')).toBe('application/json');
  expect(await typeOf(image)).toBe('application/json');
  expect(await typeOf('file:/pictures/1.png')).toBe('image/png');
  expect(await typeOf('file:/pictures/2.png')).toBe('application/octet-stream');
  expect(await typeOf('file:/pictures/3.svg')).toBe('application/octet-stream');
});

it.each([
  ['image:zz', /none of an image/],
  [`image:${'a'.repeat(64)}:${'v'.repeat(3000)}`, /longer than 2048/],
])('is not kept under a name that nothing has: %s', async (item, why) => {
  const machine = await addMachine('one');
  const purchase = JSON.stringify({ scope: 'test', item, purchase: { paid: 1, unknown: false } });
  const lines = [lineOf(item, '{}'), purchase];
  const report = await createTakeGiven(hub.given, 1e6)(machine, piecesOf(lines));
  expect(report).toMatchObject({ waiting: 0, bad: 2 });
  for (const bad of report.bad_lines) expect(bad.why).toMatch(why);
});

it('is refused beyond what a hub keeps of a machine, with what to do, and taken again once there is room', async () => {
  const [machine, other] = [await addMachine('one'), await addMachine('two')];
  const limits = { ...PLENTY, ofMachine: { bytes: 1e9, rows: 3 } };
  const take = createTakeGiven(hub.given, 1e6, limits);
  expect(await take(machine, piecesOf(stickers(0, 3)))).toMatchObject({ waiting: 3 });
  await expect(take(machine, piecesOf(stickers(3, 1)))).rejects.toMatchObject({
    code: 'body_too_large',
    message: expect.stringContaining('3 things that this machine gave, and at most') as unknown,
    hint: expect.stringContaining(`"svcd hub given approve ${machine.id}"`) as unknown,
  });
  expect(await take(other, piecesOf(stickers(3, 1)))).toMatchObject({ waiting: 1 });
});

it('is refused beyond what a hub keeps in bytes of all, and takes none once it is decided on', async () => {
  const machines = [await addMachine('one'), await addMachine('two')] as const;
  const take = createTakeGiven(hub.given, 1e6, { ...PLENTY, ofAll: { bytes: 200, rows: 1e6 } });
  expect(await take(machines[0], piecesOf(stickers(0, 5)))).toMatchObject({ waiting: 5 });
  expect((await hub.given.size(machines[0].id)).all.bytes).toBeGreaterThan(200);
  await expect(take(machines[1], piecesOf(stickers(5, 1)))).rejects.toMatchObject({ code: 'body_too_large' });
  await hub.given.decide(false);
  expect(await take(machines[1], piecesOf(stickers(5, 1)))).toMatchObject({ waiting: 1 });
  expect(await hub.given.list()).toMatchObject([
    { name: 'one', state: 'refused', files: 5 },
    { name: 'two', state: 'waiting', files: 1 },
  ]);
});

it('is looked at while one upload goes on', async () => {
  const machine = await addMachine('one');
  const take = createTakeGiven(hub.given, 1e6, { ...PLENTY, ofMachine: { bytes: 1e9, rows: 10 } });
  const purchase = (n: number) =>
    JSON.stringify({ scope: 'test', item: `sticker:a/${n}`, purchase: { paid: 1, unknown: false } });
  const endless = Array.from({ length: 10_000 }, (_, n) => purchase(n));
  await expect(take(machine, piecesOf(endless))).rejects.toMatchObject({ code: 'body_too_large' });
  expect((await hub.given.size(machine.id)).own.rows).toBeLessThan(10_000);
});
