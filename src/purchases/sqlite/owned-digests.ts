// Owned files by the digest of their bytes, whichever remote sold them: the same bytes are the same file.

import type { Asset } from '../../model/asset.js';
import type { Database } from '../../platform/open-database.js';
import { readSound } from '../owned-store.js';

interface OwnedByDigest extends Asset {
  /** Its name among owned files, such as `sticker:heart`. */
  readonly item: string;
}

export interface OwnedDigests {
  /** The owned file with this digest; undefined when there is none whose bytes still match it. */
  find(sha256: string): Promise<OwnedByDigest | undefined>;
  /** The sound files of this name, of every remote that sold one. */
  listNamed(item: string): Promise<OwnedByDigest[]>;
}

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
export function openOwnedDigests(db: Database): OwnedDigests {
  const state = db.prepare<[], { last: number; rows: number }>(
    `SELECT ifnull(max(id), 0) AS last, count(*) AS rows FROM owned`,
  );
  const since = db.prepare<[number], { id: number; sha256: string }>(`SELECT id, sha256 FROM owned WHERE id > ?`);
  const columns = `item, content_type AS contentType, sha256, size, gzip`;
  const select = db.prepare<[number], Row>(`SELECT ${columns} FROM owned WHERE id = ?`);
  const named = db.prepare<[string], Row>(`SELECT ${columns} FROM owned WHERE item = ? ORDER BY id`);
  let ids = new Map<string, number[]>();
  let known = { last: 0, rows: 0 };

  function readNew(): void {
    const now = state.get() ?? known;
    if (now.last === known.last && now.rows === known.rows) return;
    const added = since.all(known.last);
    // Rows were taken away, too: numbers may have been given again.
    const anew = known.rows + added.length !== now.rows;
    if (anew) ids = new Map();
    for (const { id, sha256 } of anew ? since.all(0) : added) {
      const same = ids.get(sha256);
      if (same === undefined) ids.set(sha256, [id]);
      else same.push(id);
    }
    known = now;
  }

  return {
    find: async (wanted) => {
      readNew();
      for (const id of ids.get(wanted) ?? []) {
        const row = select.get(id);
        const found = row?.sha256 === wanted ? await readRow(row) : undefined;
        if (found !== undefined) return found;
      }
      return undefined;
    },
    listNamed: async (item) => {
      const found = await Promise.all(named.all(item).map((row) => readRow(row)));
      return found.filter((one) => one !== undefined);
    },
  };
}

async function readRow(row: Row): Promise<OwnedByDigest | undefined> {
  const { item, contentType, sha256 } = row;
  const bytes = await readSound(row);
  return bytes && { item, bytes, contentType, sha256 };
}
