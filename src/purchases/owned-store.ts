// Owned bytes: kept with their purchase in one transaction, checked by digest when read, hot ones in memory.

import { assetOf, type Asset } from '../model/asset.js';
import { sha256Beside } from '../model/hash.js';
import type { Clock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import type { Database } from '../platform/open-database.js';
import { createByteCache } from '../platform/byte-cache.js';
import { compress, pack, usableForms, type Forms } from '../platform/compressed-forms.js';
import { OF_HUB, prepareOwnedRows, readSound } from './owned-rows.js';
import type { SignReceipt } from './signed-receipts.js';

/** The bytes of an item, ready to be kept. */
export interface ItemFile {
  readonly item: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** What proves that a hub paid for it, of what came from one. */
  readonly receipt?: string | undefined;
}

export type OwnedFacts = Pick<Asset, 'contentType' | 'sha256'> & {
  readonly size: number;
  /** The purchase that brought it; null for what was imported, and for files that belong to something bought. */
  readonly purchaseId: number | null;
  readonly receipt: string | null;
};

export interface OwnedStore {
  /** The owned bytes of an item; undefined when there are none, or when they no longer match their digest. */
  find(item: string): Promise<Asset | undefined>;
  /** Commits bytes, `paid` and cost together. */
  keep(purchaseId: number, cost: number, file: ItemFile): Promise<Asset>;
  /** Keeps a file that belongs to something bought, such as the picture an answer points at. */
  keepFile(file: ItemFile): Promise<void>;
  /** Commits `unknown`, and keeps unusable bytes as evidence, gzipped; they are never served. */
  keepEvidence(purchaseId: number, file: ItemFile, why: string): Promise<void>;
  /** The item kept last among this one and those whose names begin with `prefix`. */
  findNewestOf(item: string, prefix: string): string | undefined;
  /** Whether an item is owned. */
  has(item: string): boolean;
  /** Media type, digest and length of an owned item, without reading it. */
  describe(item: string): OwnedFacts | undefined;
  /** Stickers kept since the row `afterId`, the latest first. */
  listStickers(afterId: number, limit: number): { id: number; preset: string }[];
  /** Names of images whose answers are at most `maxBytes` long, the latest first. */
  listImages(limit: number, maxBytes: number): string[];
  /** Stickers whose file was found damaged and has not been bought again. */
  listDamaged(): string[];
  /** How many items are owned. */
  count(): number;
  /** Drops what memory still has of an item whose row is gone. */
  forget(item: string): void;
}

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
  const counted = db.prepare<[string], { n: number }>(
    `SELECT count(*) AS n FROM owned WHERE scope = ? AND item NOT LIKE 'file:%'`,
  );
  const stickers = db.prepare<[string, number, number], { id: number; preset: string }>(
    `SELECT id, substr(item, length('sticker:') + 1) AS preset FROM owned
     WHERE scope = ? AND id > ? AND item GLOB 'sticker:*' ORDER BY id DESC LIMIT ?`,
  );
  const images = db.prepare<[string, number, number], { item: string }>(
    `SELECT item FROM owned WHERE scope = ? AND item GLOB 'image:*' AND size <= ? ORDER BY id DESC LIMIT ?`,
  );
  const damagedStickers = db.prepare<[string], { preset: string }>(
    `SELECT DISTINCT substr(item, length('sticker:') + 1) AS preset FROM set_aside
     WHERE scope = ? AND item GLOB 'sticker:*' AND why = 'damaged'
       AND NOT EXISTS (SELECT 1 FROM owned WHERE owned.scope = set_aside.scope AND owned.item = set_aside.item)`,
  );
  const rows = prepareOwnedRows(db);
  const pay = db.prepare(
    `UPDATE purchase SET state = 'paid', cost = ?, settled_at = ?, reason = ? WHERE id = ? AND state IN ('sent', 'unknown')`,
  );
  const doubt = db.prepare(
    `UPDATE purchase SET state = 'unknown', cost = NULL, settled_at = ?, reason = 'unusable' WHERE id = ? AND state = 'sent'`,
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
      const forms = await compress(file.bytes, file.contentType);
      const asset = assetOf(file.bytes, file.contentType);
      db.transaction(() => {
        // The caller looked first: what still lies there is damaged and could not be set aside before.
        const damaged = select.get(scope, file.item);
        if (damaged !== undefined) rows.setAside(damaged.id, now);
        const receipt = file.receipt ?? sign?.(file.item, asset.sha256, purchaseId) ?? null;
        const origin = file.receipt === undefined ? 'bought' : 'hub';
        rows.insert({ scope, purchaseId, keptAt: now, receipt, origin, ...rowOf(file.item, asset, forms) });
        pay.run(cost, now, file.receipt === undefined ? null : OF_HUB, purchaseId);
      }).immediate();
      onPaid();
      const kept = { ...asset, ...(await usableForms(file.bytes, file.contentType, forms)) };
      hot.put(file.item, kept, weigh(kept));
      return kept;
    },
    keepFile: async ({ item, bytes, contentType }) => {
      const forms = await compress(bytes, contentType);
      const row = rowOf(item, assetOf(bytes, contentType), forms);
      rows.insert({ scope, purchaseId: null, keptAt: clock.now(), ...row });
    },
    keepEvidence: async (purchaseId, { item, bytes, contentType }, why) => {
      const now = clock.now();
      // Packed and digested beside the event loop: what is small on the wire and huge here is what lying remotes send.
      const [packed, sha256] = await Promise.all([pack(bytes), sha256Beside(bytes)]);
      db.transaction(() => {
        aside.run({ item, contentType, scope, purchaseId, why, sha256, bytes: packed, now });
        doubt.run(now, purchaseId);
      }).immediate();
      onPaid();
    },
    findNewestOf: (item, prefix) => newest.get(scope, item, prefix, prefix, HIGHEST)?.item,
    has: (item) => hot.find(item) !== undefined || exists.get(scope, item) !== undefined,
    describe: (item) => exists.get(scope, item),
    listStickers: (afterId, limit) => stickers.all(scope, afterId, limit),
    listImages: (limit, maxBytes) => images.all(scope, maxBytes, limit).map(({ item }) => item),
    listDamaged: () => damagedStickers.all(scope).map(({ preset }) => preset),
    count: () => counted.get(scope)?.n ?? 0,
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
