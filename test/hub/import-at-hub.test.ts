// svcd owned import at a hub: what it takes in is shown first and asked for, is booked as paid by nobody, and runs no code.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { HubPurchaseView } from '../../src/api/hub.js';
import { sha256Hex } from '../../src/model/hash.js';
import { CAKE, RAIN } from '../sandbox/tiny-catalogue.js';
import { startHub } from '../support/machine.js';
import { runHere } from '../support/run-here.js';
import { temporaryHome } from '../support/start-daemon.js';

const PLAIN = {
  v: '5.7.0',
  fr: 30,
  ip: 0,
  op: 30,
  w: 64,
  h: 64,
  layers: [{ ty: 4, ip: 0, op: 30, st: 0, ks: {}, shapes: [] }],
};
const CODE = { ...PLAIN, layers: [{ ...PLAIN.layers[0], ks: { r: { a: 0, k: 0, x: 'var $bm_rt = 1;' } } }] };

function lineOf(scope: string, preset: string, file: object, more: object = {}): string {
  const bytes = JSON.stringify(file);
  const of = { scope, item: `sticker:${preset}`, content_type: 'application/json', kept_at: '2026-01-01T00:00:00Z' };
  return JSON.stringify({ ...of, sha256: sha256Hex(bytes), gzip: gzipSync(bytes).toString('base64'), ...more });
}

it('shows every item, asks, takes in what runs no code, and books nothing', async () => {
  const [hub, other] = [await startHub(), await startHub()];
  const bought = await (await other.machine()).get(CAKE);
  const foreign = lineOf(hub.remote.url, CAKE, JSON.parse(bought.text) as object, {
    // Of another hub: it proves nothing here.
    receipt: bought.headers['x-svcd-receipt'],
  });
  const file = join(temporaryHome(), 'given.ndjson');
  writeFileSync(
    file,
    [foreign, lineOf(hub.remote.url, RAIN, CODE), lineOf(hub.remote.url, 'a/plain', PLAIN)].join('\n'),
  );
  const take = (...more: string[]) => runHere(['owned', 'import', file, ...more, '--json'], { home: hub.home });

  const asked = await take();
  expect([asked.code, asked.stdout]).toEqual([2, '']);
  expect(asked.stderr).toMatch(new RegExp(`sticker:${CAKE} +${sha256Hex(bought.text).slice(0, 12)} +1 +has a receipt`));
  expect(asked.stderr).toContain('these 3 items');
  const machine = await hub.machine();

  expect(JSON.parse((await take('--yes')).stdout)).toMatchObject({ added: 2, bad: 1, bad_lines: [{ line: 2 }] });
  expect(await machine.get(CAKE)).toMatchObject({
    status: 200,
    headers: { 'x-svcd-source': 'owned', 'x-svcd-cost': '0' },
  });
  expect((await machine.get('a/plain')).headers).toMatchObject({ 'x-svcd-source': 'owned' });
  // What was refused is bought, of the service.
  expect(await machine.get(RAIN)).toMatchObject({ status: 200, headers: { 'x-svcd-source': 'remote' } });
  const { purchases } = (await (await hub.get('/svcd/hub/purchases')).json()) as { purchases: HubPurchaseView[] };
  expect(purchases.map(({ item }) => item)).toEqual([`sticker:${RAIN}`]);
  const audit = (await (await hub.get('/svcd/hub/audit')).json()) as object;
  expect(audit).toMatchObject({ right: true, charged: 1 });
});
