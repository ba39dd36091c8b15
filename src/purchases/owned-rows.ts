// Rows of owned bytes: written whole, moved aside when damaged, checked by digest when read. The caller opens the transaction.

import { sha256Hex } from '../model/hash.js';
import { gunzipOrNothing } from '../platform/compressed-forms.js';
import type { Database } from '../platform/open-database.js';

/** Why a paid purchase is marked so in the journal: a hub made it, so that its bytes can be had again for nothing. */
export const OF_HUB = 'hub';

/** Statements that write rows of `owned`. */
export function prepareOwnedRows(db: Database) {
  const insert = db.prepare(
    `INSERT INTO owned (scope, item, purchase_id, content_type, sha256, size, kept_at, gzip, brotli, receipt, origin)
     VALUES (@scope, @item, @purchaseId, @contentType, @sha256, @size, @keptAt, @gzip, @brotli, @receipt, @origin)
     ON CONFLICT (scope, item) DO NOTHING`,
  );
  const copy = db.prepare(
    `INSERT INTO set_aside (scope, item, purchase_id, why, content_type, sha256, set_aside_at, bytes)
     SELECT scope, item, purchase_id, 'damaged', content_type, sha256, ?, gzip FROM owned WHERE id = ?`,
  );
  const remove = db.prepare(`DELETE FROM owned WHERE id = ?`);
  return {
    /** Adds a row; one that is there already stays. */
    insert: (row: object) => void insert.run({ receipt: null, origin: 'bought', ...row }),
    /** Keeps a damaged row as evidence, out of the way of a sound one. */
    setAside: (id: number, at: number) => {
      copy.run(at, id);
      remove.run(id);
    },
  };
}

/** The bytes of a row; undefined when they no longer match their digest. */
export async function readSound(row: { readonly gzip: Buffer; readonly sha256: string; readonly size: number }) {
  const bytes = await gunzipOrNothing(row.gzip, row.size);
  return bytes !== undefined && sha256Hex(bytes) === row.sha256 ? bytes : undefined;
}
