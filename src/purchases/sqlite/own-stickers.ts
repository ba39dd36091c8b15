// The user's own stickers: Lottie files with a title and keywords. No purchase brought them, and they count
// whichever remote is configured; bytes and metadata lie together in the file that is never rebuilt.

import { LOTTIE_TYPE, type Asset } from '../../model/asset.js';
import { sha256Hex } from '../../model/hash.js';
import type { Clock } from '../../platform/clock.js';
import type { Log } from '../../platform/log.js';
import type { Sticker } from '../../model/sticker.js';
import type { Database } from '../../platform/open-database.js';
import { compress } from '../../platform/compressed-forms.js';
import { readSound } from '../owned-store.js';

export interface OwnSticker {
  readonly sticker: Sticker;
  readonly sizeBytes: number;
  readonly sha256: string;
  /** Milliseconds since the epoch. */
  readonly addedAt: number;
}

export interface OwnStickers {
  /** In memory: asked for every download. */
  has(preset: string): boolean;
  /** All, by preset. */
  list(): readonly OwnSticker[];
  /** Its file; undefined when it no longer matches its digest, which is reported. */
  read(preset: string): Promise<Asset | undefined>;
  /** Keeps a file that was checked to be playable, in place of an earlier one of the preset. */
  add(sticker: Sticker, bytes: Uint8Array, addedAt?: number): Promise<OwnSticker>;
  /** False when there was none. */
  remove(preset: string): boolean;
}

interface Row {
  preset: string;
  metadata: string;
  sha256: string;
  sizeBytes: number;
  addedAt: number;
}

/** Opens the user's own stickers in owned.db. */
export function openOwnStickers(db: Database, clock: Clock, log: Log): OwnStickers {
  const all = db.prepare<[], Row>(
    `SELECT preset, metadata, sha256, size AS sizeBytes, added_at AS addedAt FROM own_sticker`,
  );
  const select = db.prepare<[string], { sha256: string; size: number; gzip: Buffer }>(
    `SELECT sha256, size, gzip FROM own_sticker WHERE preset = ?`,
  );
  const put = db.prepare(
    `INSERT OR REPLACE INTO own_sticker (preset, metadata, sha256, size, added_at, gzip)
     VALUES (@preset, @metadata, @sha256, @sizeBytes, @addedAt, @gzip)`,
  );
  const drop = db.prepare(`DELETE FROM own_sticker WHERE preset = ?`);
  const known = new Map(all.all().map((row) => [row.preset, ownOf(row)]));
  /** Sorted when it is asked for: an import adds hundreds, one by one. */
  let listed: readonly OwnSticker[] | undefined;
  return {
    has: (preset) => known.has(preset),
    list: () => (listed ??= [...known.values()].toSorted((a, b) => (a.sticker.preset < b.sticker.preset ? -1 : 1))),
    read: async (preset) => {
      const row = select.get(preset);
      if (row === undefined) return undefined;
      const bytes = await readSound(row);
      if (bytes !== undefined) {
        return { bytes, contentType: LOTTIE_TYPE, sha256: row.sha256, gzip: row.gzip };
      }
      log.error('a sticker of yours is damaged; add it again', { preset });
      return undefined;
    },
    add: async (sticker, bytes, addedAt = clock.now()) => {
      const { gzip } = await compress(bytes, LOTTIE_TYPE);
      const [sha256, sizeBytes] = [sha256Hex(bytes), bytes.byteLength];
      const metadata = JSON.stringify(sticker);
      const { preset } = sticker;
      put.run({ preset, metadata, sha256, sizeBytes, addedAt, gzip });
      const added = ownOf({ preset, metadata, sha256, sizeBytes, addedAt });
      known.set(preset, added);
      listed = undefined;
      return added;
    },
    remove: (preset) => {
      const { changes } = drop.run(preset);
      known.delete(preset);
      listed = undefined;
      return changes > 0;
    },
  };
}

function ownOf({ metadata, sha256, sizeBytes, addedAt }: Row): OwnSticker {
  return { sticker: JSON.parse(metadata) as Sticker, sha256, sizeBytes, addedAt };
}
