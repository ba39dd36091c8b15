// Owned bytes in owned.db, the hot ones in memory.

import type { Asset } from '../../model/asset.js';
import type { Clock } from '../../platform/clock.js';
import { ownTurn } from '../../platform/steps.js';
import type { Log } from '../../platform/log.js';
import type { Database } from '../../platform/open-database.js';
import { createByteCache } from '../../platform/byte-cache.js';
import {
  asItCame,
  compress,
  isWorthCompressing,
  pack,
  usableForms,
  type Forms,
} from '../../platform/compressed-forms.js';
import { commit, prepareOwnedRows } from './owned-rows.js';
import type { SignReceipt } from '../signed-receipts.js';
import {
  type OwnedFacts,
  type OwnedStore,
  COST_UNTOLD,
  digestOf,
  LARGE_BYTES,
  OF_HUB,
  readSound,
} from '../owned-store.js';

interface OwnedRow {
  id: number;
  contentType: string;
  sha256: string;
  gzip: Buffer;
  size: number;
  brotli: Buffer | null;
}

/** Sorts behind whatever else a name may go on with. */
const HIGHEST = '\u{10FFFF}';
const HOT_BYTES = 16 * 1024 * 1024;
const HOT_FILE_BYTES = 512 * 1024;

/** Opens the owned bytes of one scope. */
export function openOwnedStore(
  db: Database,
  scope: string,
  clock: Clock,
  log: Log,
  onPaid: () => void = () => undefined,
  sign?: SignReceipt,
): OwnedStore {
  const hot = createByteCache<Asset>(HOT_BYTES, HOT_FILE_BYTES);
  const select = db.prepare<[string, string], OwnedRow>(
    `SELECT id, content_type AS contentType, sha256, size, gzip, brotli FROM owned WHERE scope = ? AND item = ?`,
  );
  const exists = db.prepare<[string, string], OwnedFacts>(
    `SELECT content_type AS contentType, sha256, size, purchase_id AS purchaseId, receipt
     FROM owned WHERE scope = ? AND item = ?`,
  );
  // A range instead of a pattern: an index serves it, and no character of a name is special.
  const newest = db.prepare<[string, string, string, string, string], { item: string }>(
    `SELECT item FROM owned WHERE id =
       (SELECT max(id) FROM owned WHERE scope = ? AND (item = ? OR (item >= ? AND item < ? || ?)))`,
  );
  // By ranges of the index, and once until something is written: 100,000 names are not looked at for each request.
  const counted = db.prepare<{ scope: string }, { all: number; stickers: number }>(
    `SELECT (SELECT count(*) FROM owned WHERE scope = @scope)
         - (SELECT count(*) FROM owned WHERE scope = @scope AND item >= 'file:' AND item < 'file;') AS "all",
       (SELECT count(*) FROM owned WHERE scope = @scope AND item >= 'sticker:' AND item < 'sticker;') AS stickers`,
  );
  const changed = db.prepare<[], { here: number }>(`SELECT total_changes() AS here`);
  let last = { changes: '', all: 0, stickers: 0 };
  const count = () => {
    const changes = `${changed.get()?.here} ${String(db.pragma('data_version', { simple: true }))}`;
    if (last.changes !== changes) last = { changes, all: 0, stickers: 0, ...counted.get({ scope }) };
    return last;
  };
  const stickers = db.prepare<[string, number, number], { id: number; preset: string }>(
    `SELECT id, substr(item, length('sticker:') + 1) AS preset FROM owned
     WHERE +scope = ? AND id > ? AND item GLOB 'sticker:*' ORDER BY id DESC LIMIT ?`,
  );
  // Of the index alone: in the table their bytes lie in between.
  const presets = db.prepare<[string], { preset: string }>(
    `SELECT substr(item, length('sticker:') + 1) AS preset FROM owned WHERE scope = ? AND item GLOB 'sticker:*'`,
  );
  const images = db.prepare<[string, number, number], { item: string }>(
    `SELECT item FROM owned WHERE scope = ? AND item GLOB 'image:*' AND size <= ? ORDER BY id DESC LIMIT ?`,
  );
  const damagedStickers = db.prepare<[string], { preset: string }>(
    `SELECT DISTINCT substr(item, length('sticker:') + 1) AS preset FROM set_aside
     WHERE scope = ? AND item GLOB 'sticker:*' AND why = 'damaged'
       AND NOT EXISTS (SELECT 1 FROM owned WHERE owned.scope = set_aside.scope AND owned.item = set_aside.item)`,
  );
  const shorten = db.prepare(`UPDATE owned SET gzip = ?, brotli = ? WHERE id = ? AND sha256 = ?`);
  let compressing = Promise.resolve();
  /** Compresses one that was kept as it came, after those before it; a crash leaves it as it is. */
  const compressLater = async (item: string, sample: Buffer, earlier: Promise<void>): Promise<void> => {
    await earlier;
    try {
      if (!(await isWorthCompressing(sample))) return;
      const row = db.open ? select.get(scope, item) : undefined;
      const bytes = row && (await readSound(row));
      if (row === undefined || bytes === undefined) return;
      const { gzip, brotli } = await compress(bytes, row.contentType);
      if (db.open) commit(db, gzip.byteLength, () => void shorten.run(gzip, brotli ?? null, row.id, row.sha256));
    } catch (error) {
      log.warn('a large file stays as it came', { item, why: String(error) });
    }
  };
  const rows = prepareOwnedRows(db);
  const pay = db.prepare(
    `UPDATE purchase SET state = 'paid', cost = ?, settled_at = ?, reason = ? WHERE id = ? AND state IN ('sent', 'unknown')`,
  );
  const doubt = db.prepare(
    `UPDATE purchase SET state = 'unknown', cost = NULL, settled_at = ?, reason = ? WHERE id = ? AND state = 'sent'`,
  );
  const aside = db.prepare(
    `INSERT INTO set_aside (scope, item, purchase_id, why, content_type, sha256, set_aside_at, bytes)
     VALUES (@scope, @item, @purchaseId, @why, @contentType, @sha256, @now, @bytes)`,
  );
  async function read(item: string): Promise<Asset | undefined> {
    const row = select.get(scope, item);
    if (row === undefined) return undefined;
    const { contentType, sha256, gzip } = row;
    const bytes = await readSound(row);
    if (bytes !== undefined) {
      const forms = await usableForms(bytes, contentType, { gzip, brotli: row.brotli ?? undefined });
      return { bytes, contentType, sha256, ...forms };
    }
    log.error('an owned file is damaged and is set aside', { item });
    try {
      db.transaction(() => rows.setAside(row.id, clock.now())).immediate();
    } catch (error) {
      // A full disk: it stays where it is, and is found damaged again.
      log.warn('a damaged file could not be set aside', { item, why: String(error) });
    }
    return undefined;
  }

  return {
    find: async (item) => {
      const cached = hot.find(item);
      if (cached !== undefined) return cached;
      const asset = await read(item);
      if (asset !== undefined) hot.put(item, asset, weigh(asset));
      return asset;
    },
    keep: async (purchaseId, cost, file) => {
      const now = clock.now();
      const { bytes, contentType } = file;
      const isLarge = bytes.byteLength > LARGE_BYTES;
      // What is made of a large one, its commit, and what comes of that hold the loop for a while each.
      if (isLarge) await ownTurn();
      const [forms, sha256] = await Promise.all([
        isLarge ? asItCame(bytes) : compress(bytes, contentType),
        digestOf(bytes),
      ]);
      const asset = { bytes, contentType, sha256 };
      commit(db, bytes.byteLength, () => {
        // The caller looked first: what still lies there is damaged and could not be set aside before.
        const damaged = select.get(scope, file.item);
        if (damaged !== undefined) rows.setAside(damaged.id, now);
        const receipt = file.receipt ?? sign?.(file.item, asset.sha256, purchaseId) ?? null;
        const origin = file.receipt === undefined ? 'bought' : 'hub';
        rows.insert({ scope, purchaseId, keptAt: now, receipt, origin, ...rowOf(file.item, asset, forms) });
        if (cost === 'unknown') doubt.run(now, COST_UNTOLD, purchaseId);
        else pay.run(cost, now, file.receipt === undefined ? null : OF_HUB, purchaseId);
      });
      onPaid();
      if (isLarge) {
        compressing = compressLater(file.item, Buffer.from(bytes.subarray(0, LARGE_BYTES)), compressing);
        await ownTurn();
      }
      const kept = { ...asset, ...(await usableForms(bytes, contentType, forms)) };
      hot.put(file.item, kept, weigh(kept));
      return kept;
    },
    keepFile: async ({ item, bytes, contentType }) => {
      const [forms, sha256] = await Promise.all([compress(bytes, contentType), digestOf(bytes)]);
      const row = rowOf(item, { bytes, contentType, sha256 }, forms);
      commit(db, bytes.byteLength, () => rows.insert({ scope, purchaseId: null, keptAt: clock.now(), ...row }));
    },
    keepEvidence: async (purchaseId, { item, bytes, contentType }, why) => {
      const now = clock.now();
      // Packed and digested beside the event loop: what is small on the wire and huge here is what lying remotes send.
      const [packed, sha256] = await Promise.all([pack(bytes), digestOf(bytes)]);
      commit(db, packed.byteLength, () => {
        aside.run({ item, contentType, scope, purchaseId, why, sha256, bytes: packed, now });
        doubt.run(now, 'unusable', purchaseId);
      });
      onPaid();
    },
    findNewestOf: (item, prefix) => newest.get(scope, item, prefix, prefix, HIGHEST)?.item,
    has: (item) => hot.find(item) !== undefined || exists.get(scope, item) !== undefined,
    describe: (item) => exists.get(scope, item),
    listPresets: () => presets.all(scope).map(({ preset }) => preset),
    listStickers: (afterId, limit) => stickers.all(scope, afterId, limit),
    listImages: (limit, maxBytes) => images.all(scope, maxBytes, limit).map(({ item }) => item),
    listDamaged: () => damagedStickers.all(scope).map(({ preset }) => preset),
    count: () => count().all,
    countStickers: () => count().stickers,
    forget: (item) => hot.drop(item),
  };
}

function rowOf(item: string, { bytes, contentType, sha256 }: Asset, { gzip, brotli }: Forms) {
  return { item, contentType, sha256, size: bytes.byteLength, gzip, brotli: brotli ?? null };
}

/** Bytes of memory that a hot asset takes. */
function weigh({ bytes, gzip, brotli }: Asset): number {
  return bytes.byteLength + (gzip?.byteLength ?? 0) + (brotli?.byteLength ?? 0);
}
