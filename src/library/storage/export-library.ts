// A library as lines for another machine: the stickers of one remote and what was learned of it. Read page by page,
// so that a search or a purchase in between waits for one page only.

import { IS_SHIPPED, shippedRange } from './shipped-rows.js';
import { guard, type StickerStore } from './sticker-store.js';
import { EXPORT_FORMAT, EXPORT_VERSION, exportRecord, stickerLine } from './export-record.js';

/** A few milliseconds of work, also with what the remote told of each. */
const PAGE = 32;

/** Text in pieces of some lines. Words that a person searched for, the user's own files and svcd's are left out. */
export function* exportLibrary(store: StickerStore, at: number, complete: boolean): Generator<string> {
  const { scope } = store;
  const counted = store.db.prepare<[object], { n: number }>(
    `SELECT count(*) AS n FROM sticker WHERE scope = @scope AND whose = 'remote' AND NOT (${IS_SHIPPED})`,
  );
  const exported_at = new Date(at).toISOString();
  yield exportRecord({
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    scope,
    exported_at,
    stickers: guard(() => counted.get({ scope, ...shippedRange }))?.n ?? 0,
    complete,
  });
  let stickers = 0;
  for (const lines of stickerPages(store)) {
    stickers += lines.length;
    yield lines.join('');
  }
  for (const lines of remoteResultPages(store)) yield lines.join('');
  yield synonymLines(store).join('');
  yield exportRecord({ end: true, stickers });
}

interface SeenRow {
  id: number;
  preset: string;
  first: number;
  last: number;
  gone: number | null;
}

function* stickerPages(store: StickerStore): Generator<string[]> {
  const page = store.db.prepare<[object], SeenRow>(
    `SELECT id, preset, first_seen_at AS first, seen_at AS last, gone_at AS gone FROM sticker
     WHERE scope = @scope AND id > @after AND whose = 'remote' AND NOT (${IS_SHIPPED}) ORDER BY id LIMIT ${PAGE}`,
  );
  const originals = store.db.prepare<[string, string], { shape: string; json: string }>(
    `SELECT shape, json FROM original WHERE scope = ? AND preset = ?`,
  );
  const originalsOf = (preset: string) =>
    Object.fromEntries(
      originals.all(store.scope, preset).map(({ shape, json }) => [shape, JSON.parse(json) as unknown]),
    );
  for (let after = 0; ;) {
    const rows = guard(() => page.all({ scope: store.scope, after, ...shippedRange }));
    if (rows.length === 0) return;
    after = rows.at(-1)!.id;
    yield guard(() =>
      rows.map(({ id, preset, first, last, gone }) =>
        stickerLine(store.get(id), { first, last, gone: gone ?? undefined }, originalsOf(preset)),
      ),
    );
  }
}

interface RemoteResultRow {
  id: number;
  words: string;
  stickers: string;
  whole: 0 | 1;
}

function* remoteResultPages(store: StickerStore): Generator<string[]> {
  const page = store.db.prepare<[string, number, number], RemoteResultRow>(
    `SELECT id, words, stickers, whole FROM recall WHERE scope = ? AND id > ? AND asked_by = 'harvest' ORDER BY id LIMIT ?`,
  );
  const presetOf = store.db.prepare<[number], { preset: string }>(`SELECT preset FROM sticker WHERE id = ?`);
  for (let after = 0; ;) {
    const rows = guard(() => page.all(store.scope, after, PAGE));
    if (rows.length === 0) return;
    after = rows.at(-1)!.id;
    yield rows.map(({ words, stickers, whole }) => {
      const presets = (JSON.parse(stickers) as number[]).flatMap((id) => presetOf.get(id)?.preset ?? []);
      return exportRecord({ recall: words, presets, ...(whole === 1 && { whole: true }) });
    });
  }
}

function synonymLines({ db, scope }: StickerStore): string[] {
  const query = db.prepare<[string], { word: string; finds: string }>(
    'SELECT word, finds FROM learned_synonym WHERE scope = ? ORDER BY word, finds',
  );
  return guard(() => query.all(scope)).map(({ word, finds }) => exportRecord({ synonym: word, finds }));
}
