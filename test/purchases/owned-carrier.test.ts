// What was paid for, carried as lines: whole, checked, and never in place of something good.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { join } from 'node:path';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Sqlite } from '../support/sqlite.js';
import { tinyLottie } from '../sandbox/tiny-catalogue.js';
import { openPurchases, type PurchaseStores } from './open-test-purchases.js';

let from: PurchaseStores;
let to: PurchaseStores;
let home: string;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'svcd-carrier-'));
  from = openPurchases();
  to = openPurchases({ home });
  for (const name of ['one', 'two']) {
    await from.owned.keepFile({
      item: `sticker:a/${name}`,
      bytes: bytesOf(name),
      contentType: 'application/json',
    });
  }
});

afterEach(() => {
  from.close();
  to.close();
});

function bytesOf(name: string): Uint8Array {
  return new TextEncoder().encode(tinyLottie(name));
}

async function take(lines: AsyncIterable<string> | Iterable<string>): Promise<string[]> {
  const kinds: string[] = [];
  for await (const line of lines) kinds.push((await to.carrier.take(line, 1_000_000)).kind);
  return kinds;
}

async function all(lines: AsyncIterable<string>): Promise<string[]> {
  const taken: string[] = [];
  for await (const line of lines) taken.push(line);
  return taken;
}

function change(sql: string): void {
  const db = new Sqlite(join(home, 'owned.db'));
  db.exec(sql);
  db.close();
}

async function textOf(item: string): Promise<string | undefined> {
  const asset = await to.owned.find(item);
  return asset && new TextDecoder().decode(asset.bytes);
}

it('brings every item byte for byte, once', async () => {
  expect(await take(from.carrier.lines())).toEqual(['header', 'added', 'added', 'end']);
  expect(await take(from.carrier.lines())).toEqual(['header', 'unchanged', 'unchanged', 'end']);
  expect(await textOf('sticker:a/one')).toBe(tinyLottie('one'));
});

it('mends a row that is damaged here, and keeps the damaged one aside', async () => {
  await take(from.carrier.lines());
  change("UPDATE owned SET gzip = x'00' WHERE item = 'sticker:a/one'");
  expect(await take(from.carrier.lines())).toEqual(['header', 'mended', 'unchanged', 'end']);
  expect(await textOf('sticker:a/one')).toBe(tinyLottie('one'));
  const db = new Sqlite(join(home, 'owned.db'), { readonly: true });
  expect(db.prepare('SELECT item, why FROM set_aside').all()).toEqual([{ item: 'sticker:a/one', why: 'damaged' }]);
  db.close();
});

it('leaves a good row alone when the line holds another file, sound or not', async () => {
  await take(from.carrier.lines());
  const other = openPurchases();
  await other.owned.keepFile({
    item: 'sticker:a/one',
    bytes: bytesOf('other'),
    contentType: 'application/json',
  });
  const lines = await all(other.carrier.lines());
  const broken = lines.map((line) => line.replace('"sha256":"', '"sha256":"0'));
  expect(await take(lines)).toEqual(['header', 'unchanged', 'end']);
  expect(await take(broken)).toEqual(['header', 'bad', 'end']);
  expect(await textOf('sticker:a/one')).toBe(tinyLottie('one'));
  other.close();
});

it('carries a damaged row nowhere', async () => {
  await take(from.carrier.lines());
  change("UPDATE owned SET gzip = x'00' WHERE item = 'sticker:a/one'");
  const lines = await all(to.carrier.lines());
  const fresh = openPurchases();
  const kinds = [];
  for (const line of lines) kinds.push((await fresh.carrier.take(line, 1_000_000)).kind);
  expect(kinds).toEqual(['header', 'bad', 'added', 'end']);
  fresh.close();
});

it('keeps remotes apart', async () => {
  const lines = (await all(from.carrier.lines())).map((line) => line.replace('"scope":"test"', '"scope":"elsewhere"'));
  expect(await take(lines)).toEqual(['header', 'added', 'added', 'end']);
  expect(await textOf('sticker:a/one')).toBeUndefined();
  expect((await all(to.carrier.lines())).join('')).toContain('"scope":"elsewhere"');
});

it('brings the files of the user along, with what is told of them', async () => {
  const sticker = { preset: 'own/logo', title: '片头', keywords: ['公司'], width: 100, height: 100 };
  await from.own.add(sticker, bytesOf('logo'));
  const lines = await all(from.carrier.lines());
  expect(await take(lines)).toEqual(['header', 'added', 'added', 'added', 'end']);
  expect(to.own.list()).toEqual(from.own.list());
  expect(await take(lines)).toEqual(['header', 'unchanged', 'unchanged', 'unchanged', 'end']);
  change("UPDATE own_sticker SET gzip = x'00'");
  expect(await take(lines)).toEqual(['header', 'unchanged', 'unchanged', 'mended', 'end']);
  const lies = lines.map((line) => line.replace('own/logo', 'food/logo'));
  expect(await take(lies)).toEqual(['header', 'unchanged', 'unchanged', 'bad', 'end']);
});

it.each<[string, (line: string) => string, RegExp]>([
  ['a line feed in its preset', (line) => line.replace('sticker:a/one', 'sticker:a\\none'), /preset.*control.*"a.one"/],
  ['the address of search', (line) => line.replace('sticker:a/one', 'sticker:search'), /preset.*"search"/],
  ['a name of the user', (line) => line.replace('sticker:a/one', 'sticker:own/one'), /preset.*"own\/one"/],
  ['dots', (line) => line.replace('sticker:a/one', 'sticker:a/../one'), /preset.*"a\/\.\.\/one"/],
  ['the address of a download', (line) => line.replace('sticker:a/one', 'file:/api/v1/stickers/one'), /address/],
  ['a header in its type', (line) => line.replace('application/json', 'a/b\\r\\nSet-Cookie: a=b'), /content type/],
  ['no type', (line) => line.replace('application/json', 'json'), /content type.*"json"/],
])('refuses a line with %s, and says so', async (_what, alter, why) => {
  const [, one = ''] = await all(from.carrier.lines());
  expect(await to.carrier.take(alter(one), 1_000_000)).toEqual({
    kind: 'bad',
    why: expect.stringMatching(why) as string,
  });
  expect(to.owned.count()).toBe(0);
});

it('refuses a sticker of the user whose preset is none', async () => {
  await from.own.add({ preset: 'own/logo', title: '片头', keywords: [] }, bytesOf('logo'));
  const line = (await all(from.carrier.lines())).find((one) => one.includes('own/logo')) ?? '';
  for (const preset of ['own/a\\u0007', 'own/../x', 'own/', 'own//x', `own/${'x'.repeat(300)}`]) {
    expect(await to.carrier.take(line.replace('own/logo', preset), 1_000_000)).toMatchObject({ kind: 'bad' });
  }
  expect(to.own.list()).toEqual([]);
});
