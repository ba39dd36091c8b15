// The user's own lists of stickers: `favourites`, `wanted`, `recent`, and those they make. Each change is one commit. They
// are kept apart by remote, as what is owned is: what was wanted in the sandbox must not be bought for real money.

import { COLLECTED_MAX, COLLECTIONS_MAX, RECENT_MAX, type Collection } from '../../api/collections.js';
import { USUAL_COLLECTIONS } from '../../api/page-terms.js';
import { SvcdError } from '../../model/errors.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/open-database.js';

/** A collection as it is carried from one machine to another. */
export interface CarriedCollection {
  readonly scope: string;
  readonly name: string;
  readonly presets: readonly string[];
  readonly changedAt: number;
}

export interface CollectionStore {
  /** All: the usual ones, also where they are empty, then the others by name. */
  list(): Collection[];
  /** Presets of one, in its order; none where there is no such collection. */
  presetsIn(name: string): string[];
  /** Names of those that hold a preset, the usual ones first. */
  collectionsOf(preset: string): string[];
  /** Changes whenever a collection does. */
  revision(): number;
  /** Makes this its content, in this order; what is twice counts once. Throws `invalid_request` for `recent` and beyond what is allowed. */
  replace(name: string, presets: readonly string[]): Collection;
  /** Puts a preset at the end, unless it is in it. Throws like `replace`. */
  add(name: string, preset: string): Collection;
  /** Takes a preset out, if it is in it. */
  remove(name: string, preset: string): Collection;
  /** Removes a collection; one that is always there is emptied. Throws `not_found` when there is none. */
  drop(name: string): void;
  /** Puts these in front of `recent`, the last of them first. */
  noteExported(presets: readonly string[]): void;
  /** Those of every remote, for an export. */
  carried(): CarriedCollection[];
  /** Adds what is not in it yet behind what is; false when nothing was to be added. Throws `invalid_request` beyond what is allowed. */
  merge(carried: CarriedCollection): boolean;
}

const RECENT = 'recent';
const USUAL: readonly string[] = USUAL_COLLECTIONS;

/** Opens the collections of one remote in owned.db. */
export function openCollections(db: Database, scope: string, clock: Clock): CollectionStore {
  const names = db.prepare<[string], { name: string; changedAt: number }>(
    `SELECT name, changed_at AS changedAt FROM collection WHERE scope = ?`,
  );
  const everyName = db.prepare<[], { scope: string; name: string; changedAt: number }>(
    `SELECT scope, name, changed_at AS changedAt FROM collection ORDER BY scope, name`,
  );
  const changed = db.prepare<[string, string], { changedAt: number }>(
    `SELECT changed_at AS changedAt FROM collection WHERE scope = ? AND name = ?`,
  );
  const rows = db.prepare<[string, string], { preset: string }>(
    `SELECT preset FROM collected WHERE scope = ? AND name = ? ORDER BY place`,
  );
  const holders = db.prepare<[string, string], { name: string }>(
    `SELECT name FROM collected WHERE scope = ? AND preset = ?`,
  );
  const mark = db.prepare(
    `INSERT INTO collection (scope, name, changed_at) VALUES (?, ?, ?)
     ON CONFLICT (scope, name) DO UPDATE SET changed_at = excluded.changed_at`,
  );
  const put = db.prepare(`INSERT INTO collected (scope, name, place, preset) VALUES (?, ?, ?, ?)`);
  const empty = db.prepare(`DELETE FROM collected WHERE scope = ? AND name = ?`);
  const takeOut = db.prepare(`DELETE FROM collected WHERE scope = ? AND name = ? AND preset = ?`);
  const forget = db.prepare(`DELETE FROM collection WHERE scope = ? AND name = ?`);
  const last = db.prepare<[string, string], { place: number | null }>(
    `SELECT max(place) AS place FROM collected WHERE scope = ? AND name = ?`,
  );
  let revision = 0;

  const presetsOf = (of: string, name: string) => rows.all(of, name).map(({ preset }) => preset);
  const change = <T>(work: () => T): T => {
    const done = db.transaction(work).immediate();
    revision += 1;
    return done;
  };
  /** Its whole content anew. */
  const write = (of: string, name: string, presets: readonly string[], at: number) => {
    empty.run(of, name);
    for (const [place, preset] of presets.entries()) put.run(of, name, place, preset);
    mark.run(of, name, at);
  };
  const show = (name: string): Collection => {
    const at = changed.get(scope, name)?.changedAt;
    return { name, presets: presetsOf(scope, name), changed_at: at === undefined ? null : new Date(at).toISOString() };
  };
  const requireOpen = (name: string) => {
    if (name !== RECENT) return requireRoom(scope, name);
    throw new SvcdError('invalid_request', `the collection ${RECENT} is kept by svcd: what was exported last`);
  };
  const requireRoom = (of: string, name: string) => {
    if (USUAL.includes(name) || changed.get(of, name) !== undefined) return;
    const own = names.all(of).filter((one) => !USUAL.includes(one.name)).length;
    if (own < COLLECTIONS_MAX) return;
    throw new SvcdError('invalid_request', `there are ${own} collections, at most ${COLLECTIONS_MAX} are allowed`, {
      hint: 'Remove one of them.',
    });
  };
  return {
    list: () => {
      const own = names.all(scope).flatMap(({ name }) => (USUAL.includes(name) ? [] : [name]));
      return [...USUAL, ...own.toSorted()].map(show);
    },
    presetsIn: (name) => presetsOf(scope, name),
    collectionsOf: (preset) => inOrder(holders.all(scope, preset).map(({ name }) => name)),
    revision: () => revision,
    replace: (name, presets) =>
      change(() => {
        requireOpen(name);
        write(scope, name, [...new Set(presets)], clock.now());
        return show(name);
      }),
    add: (name, preset) =>
      change(() => {
        requireOpen(name);
        const before = presetsOf(scope, name);
        if (before.includes(preset)) return show(name);
        if (before.length >= COLLECTED_MAX) {
          throw new SvcdError('invalid_request', `the collection ${name} holds ${before.length}, which is the most`);
        }
        put.run(scope, name, (last.get(scope, name)?.place ?? -1) + 1, preset);
        mark.run(scope, name, clock.now());
        return show(name);
      }),
    remove: (name, preset) =>
      change(() => {
        if (takeOut.run(scope, name, preset).changes > 0) mark.run(scope, name, clock.now());
        return show(name);
      }),
    drop: (name) =>
      change(() => {
        empty.run(scope, name);
        if (forget.run(scope, name).changes > 0 || USUAL.includes(name)) return;
        throw new SvcdError('not_found', `there is no collection called ${JSON.stringify(name)}`);
      }),
    noteExported: (presets) =>
      change(() => {
        const newest = [...presets].toReversed();
        const kept = [...new Set([...newest, ...presetsOf(scope, RECENT)])].slice(0, RECENT_MAX);
        write(scope, RECENT, kept, clock.now());
      }),
    carried: () =>
      everyName.all().map(({ scope: of, name, changedAt }) => ({
        scope: of,
        name,
        presets: presetsOf(of, name),
        changedAt,
      })),
    merge: ({ scope: of, name, presets, changedAt }) =>
      change(() => {
        requireRoom(of, name);
        const before = presetsOf(of, name);
        const all = [...new Set([...before, ...presets])].slice(0, name === RECENT ? RECENT_MAX : COLLECTED_MAX);
        const known = changed.get(of, name)?.changedAt;
        if (known !== undefined && all.length === before.length) return false;
        write(of, name, all, Math.max(known ?? 0, changedAt));
        return true;
      }),
  };
}

function inOrder(names: readonly string[]): string[] {
  return [...USUAL.filter((name) => names.includes(name)), ...names.filter((name) => !USUAL.includes(name)).toSorted()];
}
