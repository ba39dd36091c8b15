// A home as it is after years: a hundred thousand purchases, of which every sticker of the catalogue is owned.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Sqlite } from '../../support/sqlite.js';
import { readCatalogue } from '../questions.js';

export const PURCHASES = 100_000;
const DAY_MS = 86_400_000;
const DAYS = 400;

/** Fills the owned.db of a home that was started once, and is not open. */
export function fillHome(home: string): void {
  const db = new Sqlite(join(home, 'owned.db'));
  const presets = readCatalogue().map(({ preset }) => preset);
  const buy = db.prepare(
    `INSERT INTO purchase (scope, item, kind, state, price, cost, key_id, day, created_at, sent_at, settled_at, holder)
     VALUES ('sandbox', ?, ?, ?, 1, ?, 'key', ?, ?, ?, ?, 'before')`,
  );
  const own = db.prepare(
    `INSERT INTO owned (scope, item, purchase_id, content_type, sha256, size, kept_at, gzip)
     VALUES ('sandbox', ?, ?, 'application/json', ?, ?, ?, ?)`,
  );
  const bytes = Buffer.from('{"v":"5.7.4","fr":30,"ip":0,"op":60,"w":100,"h":100,"layers":[]}');
  const gzip = gzipSync(bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const now = Date.now();
  db.transaction(() => {
    for (let at = 0; at < PURCHASES; at += 1) {
      const time = now - (DAYS * DAY_MS * (PURCHASES - at)) / PURCHASES;
      const preset = presets[at] ?? `grown/${at}`;
      const isUnknown = at % 1000 === 0;
      const day = new Date(time).toISOString().slice(0, 10);
      const state = isUnknown ? 'unknown' : 'paid';
      const { lastInsertRowid: id } = buy.run(
        `sticker:${preset}`,
        'sticker',
        state,
        isUnknown ? null : 1,
        day,
        time,
        time,
        time,
      );
      if (!isUnknown && at < presets.length) own.run(`sticker:${preset}`, id, sha256, bytes.length, time, gzip);
    }
  })();
  db.close();
}
