// The user's own stickers as rows of the library, beside those of the remote. Their files are kept elsewhere; here they
// are only found.

import { OWN_PREFIX, type Sticker } from '../../model/sticker.js';
import { isStorable } from './merge-sticker.js';
import { guard, type StickerStore } from './sticker-store.js';

/** Sorts behind every preset that begins with the prefix. */
const AFTER_OWN = OWN_PREFIX.replace('/', '0');

/** Makes the user's rows be these and no others, in one transaction. Gives the numbers of rows that are no more; undefined when nothing changed. */
export function setOwnRows(store: StickerStore, given: readonly Sticker[]): number[] | undefined {
  const { db, scope } = store;
  // By prefix, which is in an index; `whose` is not, and each start would read all rows.
  const listed = db.prepare<[string, string, string], { preset: string }>(
    `SELECT preset FROM sticker WHERE scope = ? AND preset >= ? AND preset < ? AND whose = 'user'`,
  );
  const drop = db.prepare(`DELETE FROM sticker WHERE scope = ? AND preset = ? AND whose = 'user'`);
  const own = db.prepare(`UPDATE sticker SET whose = 'user' WHERE scope = ? AND preset = ?`);
  // An older version let in names that no address can hold.
  const stickers = given.filter(isStorable);
  const wanted = new Map(stickers.map((sticker) => [sticker.preset, sticker]));
  const before = new Set(guard(() => listed.all(scope, OWN_PREFIX, AFTER_OWN)).map(({ preset }) => preset));
  const dropped = [...before].filter((preset) => !wanted.has(preset));
  const [added, changed] = split(store, stickers, before);
  if (added.length + changed.length + dropped.length === 0) return undefined;
  const gone = [...dropped, ...changed.map((sticker) => sticker.preset)].map((preset) => store.findRow(preset));
  const write = db.transaction(() => {
    for (const preset of [...dropped, ...changed.map((sticker) => sticker.preset)]) drop.run(scope, preset);
    for (const sticker of [...added, ...changed]) {
      store.merge(sticker);
      own.run(scope, sticker.preset);
    }
    const net = added.length - dropped.length;
    store.countIn({ added: net, changed: added.length + changed.length + dropped.length - net });
  });
  guard(() => write.immediate());
  store.readState();
  return gone.filter((rowid) => rowid !== undefined);
}

/** Those that are new here, and those of which something else is known. One that the remote has is left to it. */
function split(store: StickerStore, stickers: readonly Sticker[], before: ReadonlySet<string>) {
  const known = new Map(stickers.map((sticker) => [sticker, store.find(sticker.preset)]));
  const added = stickers.filter((sticker) => known.get(sticker) === undefined);
  const changed = stickers.filter(
    (sticker) => known.get(sticker) !== undefined && before.has(sticker.preset) && !isSame(known.get(sticker), sticker),
  );
  return [added, changed] as const;
}

function isSame(one: Sticker | undefined, other: Sticker): boolean {
  const sorted = (sticker: Sticker) => JSON.stringify(Object.entries(sticker).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return one !== undefined && sorted(one) === sorted(other);
}
