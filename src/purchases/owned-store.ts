// Owned bytes: kept with their purchase in one transaction, checked by digest when read, hot ones in memory.

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Asset } from '../asset.js';
import type { Clock } from '../clock.js';
import type { Log } from '../log.js';
import type { Database } from '../store/open-database.js';
import { createByteCache } from './byte-cache.js';

/** What a purchase brought, ready to be kept. */
export interface Brought {
  readonly item: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

export interface OwnedStore {
  /** The owned bytes of an item; undefined when there are none, or when they no longer match their digest. */
  find(item: string): Promise<Asset | undefined>;
  /** Commits bytes, `paid` and cost together. `extra` are files that belong to the answer, such as an image. */
  keep(purchaseId: number, cost: number, brought: Brought, extra?: readonly Brought[]): Promise<Asset>;
  /** Commits `paid` and keeps bytes that cannot be used, as evidence; they are never served. */
  keepEvidence(purchaseId: number, cost: number, brought: Brought, why: string): Promise<void>;
  /** Which of these items are owned. */
  has(item: string): boolean;
  /** How many items are owned. */
  count(): number;
}

interface OwnedRow {
  id: number;
  contentType: string;
  sha256: string;
  gzip: Buffer;
}

const HOT_BYTES = 16 * 1024 * 1024;
const HOT_FILE_BYTES = 512 * 1024;
const gzipAsync = promisify(gzip);
const gunzipAsync = promisify(gunzip);

/** Opens the owned bytes of one scope. */
export function openOwnedStore(db: Database, scope: string, clock: Clock, log: Log): OwnedStore {
  const hot = createByteCache<Asset>(HOT_BYTES, HOT_FILE_BYTES);
  const select = db.prepare<[string, string], OwnedRow>(
    `SELECT id, content_type AS contentType, sha256, gzip FROM owned WHERE scope = ? AND item = ?`,
  );
  const exists = db.prepare<[string, string], { id: number }>(
    `SELECT id FROM owned WHERE scope = ? AND item = ?`,
  );
  const counted = db.prepare<[string], { n: number }>(
    `SELECT count(*) AS n FROM owned WHERE scope = ? AND item NOT LIKE 'file:%'`,
  );
  const insert = db.prepare(
    `INSERT INTO owned (scope, item, purchase_id, content_type, sha256, size, kept_at, gzip)
     VALUES (@scope, @item, @purchaseId, @contentType, @sha256, @size, @now, @gzip)
     ON CONFLICT (scope, item) DO NOTHING`,
  );
  const pay = db.prepare(
    `UPDATE purchase SET state = 'paid', cost = ?, settled_at = ?, reason = NULL WHERE id = ? AND state = 'sent'`,
  );
  const aside = db.prepare(
    `INSERT INTO set_aside (scope, item, purchase_id, why, content_type, sha256, set_aside_at, bytes)
     VALUES (@scope, @item, @purchaseId, @why, @contentType, @sha256, @now, @bytes)`,
  );
  const moveAside = db.prepare(
    `INSERT INTO set_aside (scope, item, purchase_id, why, content_type, sha256, set_aside_at, bytes)
     SELECT scope, item, purchase_id, 'damaged', content_type, sha256, ?, gzip FROM owned WHERE id = ?`,
  );
  const remove = db.prepare(`DELETE FROM owned WHERE id = ?`);

  const setAside = db.transaction((id: number) => {
    moveAside.run(clock.now(), id);
    remove.run(id);
  });

  async function read(item: string): Promise<Asset | undefined> {
    const row = select.get(scope, item);
    if (row === undefined) return undefined;
    const bytes = await gunzipAsync(row.gzip).catch(() => undefined);
    if (bytes !== undefined && digest(bytes) === row.sha256) {
      return { bytes, contentType: row.contentType, sha256: row.sha256 };
    }
    log.error('an owned file is damaged and was set aside', { item });
    setAside.immediate(row.id);
    return undefined;
  }

  return {
    find: async (item) => {
      const cached = hot.find(item);
      if (cached !== undefined) return cached;
      const asset = await read(item);
      if (asset !== undefined) hot.put(item, asset, asset.bytes.byteLength);
      return asset;
    },
    keep: async (purchaseId, cost, brought, extra = []) => {
      const now = clock.now();
      const rows = await Promise.all([brought, ...extra].map((one) => asRow(one, scope, purchaseId, now)));
      db.transaction(() => {
        for (const row of rows) insert.run(row);
        pay.run(cost, now, purchaseId);
      }).immediate();
      const asset = asAsset(brought);
      hot.put(brought.item, asset, asset.bytes.byteLength);
      return asset;
    },
    keepEvidence: async (purchaseId, cost, brought, why) => {
      const now = clock.now();
      db.transaction(() => {
        aside.run({ ...brought, scope, purchaseId, why, sha256: digest(brought.bytes), now });
        pay.run(cost, now, purchaseId);
      }).immediate();
    },
    has: (item) => hot.find(item) !== undefined || exists.get(scope, item) !== undefined,
    count: () => counted.get(scope)?.n ?? 0,
  };
}

/** Bytes with their digest. */
export function asAsset({ bytes, contentType }: Pick<Brought, 'bytes' | 'contentType'>): Asset {
  return { bytes, contentType, sha256: digest(bytes) };
}

async function asRow(brought: Brought, scope: string, purchaseId: number, now: number) {
  const { item, bytes, contentType } = brought;
  const compressed = await gzipAsync(bytes);
  return {
    scope,
    item,
    purchaseId,
    contentType,
    sha256: digest(bytes),
    size: bytes.byteLength,
    now,
    gzip: compressed,
  };
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
