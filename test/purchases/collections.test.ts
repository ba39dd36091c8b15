// The user's collections against a slow obvious twin, also after svcd ended between two changes; and what is carried.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { COLLECTED_MAX, COLLECTIONS_MAX, RECENT_MAX } from '../../src/api/collections.js';
import { USUAL_COLLECTIONS } from '../../src/api/page-terms.js';
import { backUpOwned } from '../../src/purchases/sqlite/owned-backup.js';
import { temporaryHome } from '../support/start-daemon.js';
import { Sqlite } from '../support/sqlite.js';
import { openPurchases, type PurchaseStores } from './open-test-purchases.js';

const open: PurchaseStores[] = [];
afterEach(() => open.splice(0).forEach((stores) => stores.close()));

function start(): PurchaseStores {
  const stores = openPurchases();
  open.push(stores);
  return stores;
}

const PRESETS = ['a/cake', 'food/蛋糕', 'own/logo', 'it\'s "; DROP TABLE collected; --', 'default/cake'];
const NAMES = [...USUAL_COLLECTIONS, 'Part two', '生日', "'; --"];
const preset = fc.constantFrom(...PRESETS);
const name = fc.constantFrom(...NAMES);
const change = fc.oneof(
  fc.record({ do: fc.constant('replace' as const), name, presets: fc.array(preset, { maxLength: 8 }) }),
  fc.record({ do: fc.constant('add' as const), name, preset }),
  fc.record({ do: fc.constant('remove' as const), name, preset }),
  fc.record({ do: fc.constant('drop' as const), name }),
  fc.record({ do: fc.constant('export' as const), presets: fc.array(preset, { minLength: 1, maxLength: 8 }) }),
  fc.record({ do: fc.constant('reopen' as const) }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** What a person would expect of it, as plain lists. */
class Twin {
  readonly lists = new Map<string, string[]>();

  /** Whether it is refused. */
  apply(one: Change): boolean {
    if (one.do === 'reopen') return false;
    if (one.do === 'export') {
      for (const each of one.presets) this.#put('recent', [each, ...this.#get('recent').filter((p) => p !== each)]);
      return false;
    }
    const before = this.#get(one.name);
    if (one.do === 'drop') {
      const had = this.lists.delete(one.name);
      return !had && !(USUAL_COLLECTIONS as readonly string[]).includes(one.name);
    }
    if (one.do === 'remove') {
      if (before.includes(one.preset))
        this.#put(
          one.name,
          before.filter((p) => p !== one.preset),
        );
      return false;
    }
    if (one.name === 'recent') return true;
    if (one.do === 'replace')
      this.#put(
        one.name,
        one.presets.filter((p, i, all) => all.indexOf(p) === i),
      );
    else if (!before.includes(one.preset)) this.#put(one.name, [...before, one.preset]);
    return false;
  }

  #get(of: string): string[] {
    return this.lists.get(of) ?? [];
  }

  #put(of: string, presets: string[]): void {
    this.lists.set(of, presets);
  }
}

function applyTo({ collections }: PurchaseStores, one: Change): boolean {
  try {
    if (one.do === 'replace') collections.replace(one.name, one.presets);
    else if (one.do === 'add') collections.add(one.name, one.preset);
    else if (one.do === 'remove') collections.remove(one.name, one.preset);
    else if (one.do === 'drop') collections.drop(one.name);
    else if (one.do === 'export') collections.noteExported(one.presets);
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: one.do === 'drop' ? 'not_found' : 'invalid_request' });
    return true;
  }
}

function expectLike({ collections }: PurchaseStores, { lists }: Twin): void {
  const own = [...lists.keys()].filter((one) => !(USUAL_COLLECTIONS as readonly string[]).includes(one)).toSorted();
  const names = [...USUAL_COLLECTIONS, ...own];
  const told = collections.list().map((one) => [one.name, one.presets]);
  expect(told).toEqual(names.map((one) => [one, lists.get(one) ?? []]));
  for (const one of NAMES) expect(collections.presetsIn(one)).toEqual(lists.get(one) ?? []);
  for (const one of PRESETS) {
    expect(collections.collectionsOf(one)).toEqual(names.filter((each) => lists.get(each)?.includes(one)));
  }
}

describe('collections', () => {
  it('are what their changes made of them, whenever svcd ended in between', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        let stores = openPurchases();
        const twin = new Twin();
        try {
          for (const one of changes) {
            if (one.do === 'reopen') stores = stores.reopen();
            expect(applyTo(stores, one)).toBe(twin.apply(one));
            expectLike(stores, twin);
          }
        } finally {
          stores.close();
        }
      }),
      { numRuns: 60 },
    );
  });

  it('change their revision with every change, and not by being read', () => {
    const { collections } = start();
    const before = collections.revision();
    collections.list();
    expect(collections.revision()).toBe(before);
    collections.add('wanted', 'a/cake');
    expect(collections.revision()).not.toBe(before);
  });

  it('keep what was exported last, and no more than a bounded list of it', () => {
    const { collections } = start();
    for (let nth = 0; nth < RECENT_MAX + 50; nth += 50) {
      collections.noteExported(Array.from({ length: 50 }, (_, i) => `a/${nth + i}`));
    }
    const recent = collections.presetsIn('recent');
    expect([recent.length, recent[0], recent.at(-1)]).toEqual([RECENT_MAX, `a/${RECENT_MAX + 49}`, 'a/50']);
  });

  it('refuse one more than is allowed, and stay as they were', () => {
    const { collections } = start();
    collections.replace(
      'full',
      Array.from({ length: COLLECTED_MAX }, (_, i) => `a/${i}`),
    );
    expect(() => collections.add('full', 'b/1')).toThrow(/5000/);
    for (let nth = 1; nth < COLLECTIONS_MAX; nth++) collections.replace(`list ${nth}`, []);
    expect(() => collections.add('one too many', 'b/1')).toThrow(/200/);
    // Those that are there, and the usual ones, can still be changed.
    collections.add('list 1', 'b/1');
    collections.add('wanted', 'b/1');
    expect(collections.collectionsOf('b/1')).toEqual(['wanted', 'list 1']);
  });

  it('do not count as a purchase for the high-water mark', () => {
    const { collections, mark } = start();
    const before = mark.changes();
    collections.add('wanted', 'a/cake');
    collections.drop('wanted');
    expect(mark.changes()).toBe(before);
  });
});

async function linesOf({ carrier }: PurchaseStores): Promise<string[]> {
  const lines = [];
  for await (const line of carrier.lines()) lines.push(line);
  return lines;
}

describe('an export', () => {
  it('carries them to where others are: what is there stays, in its order, and the rest comes behind it', async () => {
    const [from, to] = [start(), start()];
    from.collections.replace('favourites', ['a/1', 'a/2']);
    from.collections.replace('生日', ['a/3']);
    from.collections.noteExported(['a/9']);
    to.collections.replace('favourites', ['b/1', 'a/2']);
    const lines = await linesOf(from);
    const kinds = [];
    for (const line of [...lines, ...lines]) kinds.push((await to.carrier.take(line, 1000)).kind);
    const twice = ['header', 'added', 'added', 'added', 'end', 'header', 'unchanged', 'unchanged', 'unchanged', 'end'];
    expect(kinds).toEqual(twice);
    expect(to.collections.presetsIn('favourites')).toEqual(['b/1', 'a/2', 'a/1']);
    expect(to.collections.presetsIn('生日')).toEqual(['a/3']);
    expect(to.collections.presetsIn('recent')).toEqual(['a/9']);
  });

  it('writes them as headers of the format that an older svcd knows, which it passes over', async () => {
    const from = start();
    from.collections.add('wanted', 'a/1');
    const line = JSON.parse((await linesOf(from)).find((one) => one.includes('collection')) ?? '{}') as object;
    expect(line).toMatchObject({ format: 'svcd-owned', version: 1 });
  });

  it('keeps those of another remote apart', async () => {
    const [from, to] = [start(), start()];
    from.collections.add('wanted', 'a/1');
    const lines = (await linesOf(from)).map((line) => line.replace('"scope":"test"', '"scope":"sandbox"'));
    for (const line of lines) await to.carrier.take(line, 1000);
    expect(to.collections.presetsIn('wanted')).toEqual([]);
    expect(to.collections.carried()).toMatchObject([{ scope: 'sandbox', name: 'wanted', presets: ['a/1'] }]);
  });

  it.each([
    ['a name of two lines', { collection: 'a\nb' }],
    ['no name', { collection: ' ' }],
    ['a name that is no text', { collection: 7 }],
    ['a preset that is none', { presets: ['a/../b'] }],
    ['presets that are no list', { presets: { length: 1 } }],
    [
      'more presets than a collection holds',
      { presets: Array.from({ length: COLLECTED_MAX + 1 }, (_, i) => `a/${i}`) },
    ],
    ['no time', { changed_at: 'soon' }],
    ['no remote', { scope: '' }],
  ])('is refused a line with %s', async (_what, wrong) => {
    const to = start();
    const line = {
      format: 'svcd-owned',
      version: 1,
      scope: 'test',
      collection: 'x',
      presets: [],
      changed_at: '2026-11-22',
    };
    expect(await to.carrier.take(JSON.stringify({ ...line, ...wrong }), 1000)).toMatchObject({ kind: 'bad' });
    expect(to.collections.carried()).toEqual([]);
  });

  it('cannot fill the file with collections', async () => {
    const to = start();
    const line = (nth: number) =>
      JSON.stringify({
        format: 'svcd-owned',
        version: 1,
        scope: 's',
        collection: `c${nth}`,
        presets: [],
        changed_at: '2026-11-22',
      });
    for (let nth = 0; nth < COLLECTIONS_MAX; nth++) {
      expect(await to.carrier.take(line(nth), 1000)).toEqual({ kind: 'added' });
    }
    expect(await to.carrier.take(line(COLLECTIONS_MAX), 1000)).toMatchObject({
      kind: 'bad',
      why: expect.stringContaining('200') as string,
    });
  });
});

it('a backup has them too', () => {
  const stores = start();
  stores.collections.add('wanted', 'a/1');
  const copy = join(temporaryHome(), 'copy.db');
  writeFileSync(copy, '');
  backUpOwned(stores.database.name, copy);
  const db = new Sqlite(copy, { readonly: true });
  expect(db.prepare('SELECT name, preset FROM collected').all()).toEqual([{ name: 'wanted', preset: 'a/1' }]);
  db.close();
});
