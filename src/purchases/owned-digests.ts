// Owned files by the digest of their bytes, whichever remote sold them: the same bytes are the same file.

import type { Asset } from '../model/asset.js';
import { gunzipOrNothing } from '../platform/compressed-forms.js';
import { sha256Hex } from '../model/hash.js';
import type { Database } from '../platform/open-database.js';

export interface OwnedByDigest extends Asset {
  /** Its name among owned files, such as `sticker:heart`. */
  readonly item: string;
}

/** The owned file with this digest; undefined when there is none whose bytes still match it. */
export type FindOwnedByDigest = (sha256: string) => Promise<OwnedByDigest | undefined>;

interface Row {
  readonly item: string;
  readonly contentType: string;
  readonly sha256: string;
  readonly size: number;
  readonly gzip: Buffer;
}

/**
 * Looks files up in owned.db. The digests are read when first asked for and kept in memory: an index in the file would have
 * to be kept by every purchase.
 */
export function openOwnedDigests(db: Database): FindOwnedByDigest {
  const state = db.prepare<[], { last: number; rows: number }>(
    `SELECT ifnull(max(id), 0) AS last, count(*) AS rows FROM owned`,
  );
  const since = db.prepare<[number], { id: number; sha256: string }>(`SELECT id, sha256 FROM owned WHERE id > ?`);
  const select = db.prepare<[number], Row>(
    `SELECT item, content_type AS contentType, sha256, size, gzip FROM owned WHERE id = ?`,
  );
  let ids = new Map<string, number[]>();
  let known = { last: 0, rows: 0 };

  function readNew(): void {
    const now = state.get() ?? known;
    if (now.last === known.last && now.rows === known.rows) return;
    const added = since.all(known.last);
    // Rows were taken away, too: numbers may have been given again.
    const anew = known.rows + added.length !== now.rows;
    if (anew) ids = new Map();
    for (const { id, sha256 } of anew ? since.all(0) : added) ids.set(sha256, [...(ids.get(sha256) ?? []), id]);
    known = now;
  }

  return async (wanted) => {
    readNew();
    for (const id of ids.get(wanted) ?? []) {
      const row = select.get(id);
      const bytes = row?.sha256 === wanted ? await gunzipOrNothing(row.gzip, row.size) : undefined;
      if (row === undefined || bytes === undefined || sha256Hex(bytes) !== wanted) continue;
      const { item, contentType, sha256 } = row;
      return { item, bytes, contentType, sha256 };
    }
    return undefined;
  };
}
