// Files of every earlier version, as users may still have them, opened by this one; and of a later version, refused.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openLibrary } from '../../src/library/library.js';
import { LIBRARY_MIGRATIONS } from '../../src/library/storage/sticker-schema.js';
import { silentLog } from '../../src/platform/log.js';
import { openOwnedDatabase, OWNED_MIGRATIONS } from '../../src/purchases/sqlite/owned-database.js';
import { forgetOldCopy, openDatabase } from '../../src/platform/open-database.js';
import { openRegisteredDefaults } from '../../src/defaults/registered-defaults.js';
import { systemClock } from '../../src/platform/clock.js';
import { openPurchases } from '../purchases/open-test-purchases.js';
import { type Database, inDatabase } from '../support/sqlite.js';

const SCHEMAS = join(import.meta.dirname, 'schemas');

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'svcd-schema-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** A file as an earlier version left it. */
function fileOf(schema: string, name: string): string {
  const file = join(folder(), name);
  inDatabase(file, (db) => db.exec(readFileSync(join(SCHEMAS, `${schema}.sql`), 'utf8')));
  return file;
}

function schemaOf(file: string): unknown {
  return inDatabase(file, (db) => db.prepare('SELECT type, name, sql FROM sqlite_master ORDER BY type, name').all());
}

function versionOf(file: string): unknown {
  return inDatabase(file, (db) => db.pragma('user_version', { simple: true }));
}

function openAt(file: string) {
  return openLibrary({ file, scope: 'test', synonyms: () => '', log: silentLog });
}

/** From 1 to the one before the present. */
function earlier(migrations: readonly string[]): number[] {
  return migrations.slice(1).map((_, i) => i + 1);
}

it('knows a file of every earlier version', () => {
  const known = new Set(readdirSync(SCHEMAS));
  for (const version of earlier(LIBRARY_MIGRATIONS)) expect(known).toContain(`library-${version}.sql`);
  for (const version of earlier(OWNED_MIGRATIONS)) expect(known).toContain(`owned-${version}.sql`);
});

describe.each(earlier(LIBRARY_MIGRATIONS))('a library.db of version %i', (version) => {
  it('is brought to the present one, with all that was in it', () => {
    const file = fileOf(`library-${version}`, 'library.db');
    const library = openAt(file);
    expect(library.setAside).toBeUndefined();
    expect(library.size).toBe(2);
    expect(library.search('蛋糕', 5).hits[0]?.sticker).toMatchObject({
      preset: 'food/cake',
      keywords: ['生日', '甜点'],
    });
    expect(library.hasImported('a file')).toBe(true);
    if (version >= 2) {
      expect(library.isComplete()).toBe(true);
      expect(library.findOriginal('food/cake', 'search')).toMatchObject({ mood: 'happy' });
      expect(library.search('快乐', 5).hits.map((hit) => hit.sticker.preset)).toEqual(['food/cake', 'food/bread']);
    }
    library.close();
    const fresh = join(folder(), 'library.db');
    openAt(fresh).close();
    expect(tablesOf(schemaOf(file))).toEqual(tablesOf(schemaOf(fresh)));
    expect(versionOf(file)).toBe(LIBRARY_MIGRATIONS.length);
  });

  it('is kept as it was beside it', () => {
    const file = fileOf(`library-${version}`, 'library.db');
    const before = schemaOf(file);
    openAt(file).close();
    expect(versionOf(`${file}.before-migration`)).toBe(version);
    expect(schemaOf(`${file}.before-migration`)).toEqual(before);
    expect(existsSync(`${file}.before-migration.part`)).toBe(false);
  });
});

describe.each(earlier(OWNED_MIGRATIONS))('an owned.db of version %i', (version) => {
  it('is brought to the present one, and nothing that was paid for is lost', async () => {
    const file = fileOf(`owned-${version}`, 'owned.db');
    const tables = ['purchase', 'owned', 'set_aside', 'saved', 'anchor', 'account', 'last_known'];
    const rows = (db: Database) => tables.map((table) => db.prepare(`SELECT * FROM ${table}`).all());
    const kept = 'id, name, kind, digest, only_for, created_at, last_used_at, revoked_at';
    const tokens = (db: Database) => (version < 2 ? [] : db.prepare(`SELECT ${kept} FROM token`).all());
    const before = inDatabase(file, rows);
    const tokensBefore = inDatabase(file, tokens);
    const stores = openPurchases({ home: join(file, '..') });
    const asset = await stores.owned.find('sticker:food/cake');
    expect(new TextDecoder().decode(asset?.bytes)).toContain('"layers"');
    const registered = openRegisteredDefaults(stores.database, systemClock, silentLog);
    expect(registered.find('food/cake')).toMatchObject({ width: 100 });
    // What a later version adds to a row comes beside what was in it.
    expect(inDatabase(file, rows)).toMatchObject(before);
    expect(inDatabase(file, tokens)).toEqual(tokensBefore);
    expect(inDatabase(file, limitsIn)).toEqual(limitsOf(version).toSorted());
    expect(versionOf(`${file}.before-migration`)).toBe(version);
    expect(inDatabase(`${file}.before-migration`, rows)).toEqual(before);
    stores.close();
  });
});

/** What bound whom in the files of each version, of which the limits lay in up to three places. */
function limitsOf(version: number): string[] {
  return [
    'test all day 20',
    ...(version < 2 ? [] : ['* token:1 day 20']),
    ...(version < 7
      ? []
      : [
          'test all request 4',
          'test all month 300',
          'other all day 7',
          'first key all day 100',
          '* token:2 request 1',
          '* token:2 day 2',
          '* token:2 month 3',
          '* token:2 total 0',
          '* token:4 total 9',
          'test project:promo day 50',
          'test project:promo total 500',
          'test user:ann month 60',
          'other machine:1 request 2',
        ]),
  ];
}

function limitsIn(db: Database): unknown[] {
  const all = db.prepare(
    `SELECT scope || ' ' || payer || ' ' || period || ' ' || credits AS text FROM spending_limit ORDER BY text`,
  );
  return all.pluck().all();
}

it('finds in the one table of limits what bound everybody before', async () => {
  const stores = openPurchases({ home: join(fileOf('owned-7', 'owned.db'), '..') });
  onTestFinished(() => stores.close());
  const limits = (await stores.budget.show()).map(({ limit }) => limit);
  expect([limits, stores.firstBudget.isDue()]).toEqual([[4, 20, 300], false]);
  expect(stores.tokens.list().map((token) => [token.name, token.limits])).toEqual([
    ['promo', { request: null, day: 20, month: null, total: null }],
    ['all-four', { request: 1, day: 2, month: 3, total: 0 }],
    ['none', { request: null, day: null, month: null, total: null }],
  ]);
  const budgets = await stores.openHub().books.showBudgets();
  expect(budgets.map((one) => `${one.payer} ${one.period} ${one.credits} ${one.spent} ${one.reserved}`)).toEqual([
    'all request 4 null null',
    'all day 20 0 0',
    'all month 300 4 3',
    'project:promo day 50 0 0',
    'project:promo total 500 1 0',
    'user:ann month 60 1 0',
  ]);
});

describe('a migration', () => {
  const steps = ['CREATE TABLE one (x) STRICT', 'CREATE TABLE two (x); INSERT INTO nowhere VALUES (1)'];

  it('that fails leaves the file as it was, also what its first steps did', () => {
    const file = join(folder(), 'a.db');
    const open = (migrations: string[]) => openDatabase(file, { migrations, durability: 'normal' });
    open(['CREATE TABLE zero (x)']).close();
    const before = schemaOf(file);
    expect(() => open(['CREATE TABLE zero (x)', 'CREATE TABLE one (x)', ...steps.slice(1)])).toThrow(/nowhere/);
    expect(schemaOf(file)).toEqual(before);
    expect(versionOf(file)).toBe(1);
  });

  it('goes over what a killed one left of its backup', () => {
    const file = fileOf('library-1', 'library.db');
    writeFileSync(`${file}.before-migration.part`, 'half');
    openAt(file).close();
    expect(versionOf(`${file}.before-migration`)).toBe(1);
    expect(existsSync(`${file}.before-migration.part`)).toBe(false);
  });
});

it('keeps the copy from before an update as long as the file is damaged', () => {
  const file = fileOf('owned-1', 'owned.db');
  openOwnedDatabase(file).close();
  const [sound, copy] = [readFileSync(file), `${file}.before-migration`];
  const later = Date.now() + 31 * 24 * 3_600_000;
  writeFileSync(file, sound.subarray(0, sound.length / 2));
  expect([forgetOldCopy(file, later), existsSync(copy)]).toEqual([undefined, true]);
  writeFileSync(file, sound);
  expect([forgetOldCopy(file, later), existsSync(copy)]).toEqual([copy, false]);
});

describe('a file of a newer version', () => {
  it.each([
    ['library.db', (file: string) => openAt(file)],
    ['owned.db', openOwnedDatabase],
  ])('is refused in plain words and left alone: %s', (name, open) => {
    const file = join(folder(), name);
    inDatabase(file, (db) => db.exec('CREATE TABLE later (x); PRAGMA user_version = 99'));
    const before = readFileSync(file);
    expect(() => open(file)).toThrow(/was written by a newer svcd \(its schema is 99, this svcd knows up to \d+\)/);
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(join(file, '..')).filter((one) => one.includes('damaged'))).toEqual([]);
  });
});

/** Without the white space of each statement. */
function tablesOf(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema).replace(/(\\n|\s)+/g, ' '));
}
