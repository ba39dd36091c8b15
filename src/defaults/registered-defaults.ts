// Defaults the user registered: a Lottie file for one preset, or for every preset. They are the user's own, so they count
// whichever remote is configured. Kept in owned.db, which is never rebuilt.

import { sha256Hex } from '../model/hash.js';
import type { Clock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import type { Database } from '../platform/open-database.js';

/** The target that stands for every preset. */
export const EVERY_PRESET = '*';

export interface RegisteredDefault {
  /** A preset, or `*`. */
  readonly preset: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly sizeBytes: number;
  readonly sha256: string;
  /** Milliseconds since the epoch. */
  readonly addedAt: number;
}

export interface RegisteredDefaults {
  /** The one registered for this preset, else the one for every preset. In memory: asked for every default. */
  find(preset: string): RegisteredDefault | undefined;
  /** All, by preset. */
  list(): readonly RegisteredDefault[];
  /** Its bytes; undefined when they no longer match their digest. */
  read(registered: RegisteredDefault): Promise<Uint8Array | undefined>;
  /** Registers a file that was checked to be playable, in place of an earlier one. */
  add(preset: string, bytes: Uint8Array, size: Pick<RegisteredDefault, 'width' | 'height'>): Promise<RegisteredDefault>;
  /** False when there was none. */
  remove(preset: string): Promise<boolean>;
}

/** Opens the registered defaults. A damaged one is reported and left out, so that a render goes on. */
export function openRegisteredDefaults(db: Database, clock: Clock, log: Log): RegisteredDefaults {
  const all = db.prepare<[], RegisteredDefault>(
    `SELECT preset, width, height, length(bytes) AS sizeBytes, sha256, added_at AS addedAt
     FROM registered_default ORDER BY preset`,
  );
  const select = db.prepare<[string], { bytes: Buffer }>(`SELECT bytes FROM registered_default WHERE preset = ?`);
  const put = db.prepare(
    `INSERT INTO registered_default (preset, width, height, sha256, added_at, bytes)
     VALUES (@preset, @width, @height, @sha256, @addedAt, @bytes)
     ON CONFLICT (preset) DO UPDATE SET width = @width, height = @height, sha256 = @sha256,
       added_at = @addedAt, bytes = @bytes`,
  );
  const drop = db.prepare(`DELETE FROM registered_default WHERE preset = ?`);
  const load = () => new Map(all.all().map((row) => [row.preset, row]));
  let rows = load();
  return {
    find: (preset) => rows.get(preset) ?? rows.get(EVERY_PRESET),
    list: () => [...rows.values()],
    read: async ({ preset, sha256 }) => {
      const bytes = select.get(preset)?.bytes;
      if (bytes !== undefined && sha256Hex(bytes) === sha256) return bytes;
      log.error('a registered default is damaged; add it again', { preset });
      return undefined;
    },
    add: async (preset, bytes, { width, height }) => {
      const row = { preset, width, height, sha256: sha256Hex(bytes), addedAt: clock.now() };
      put.run({ ...row, bytes });
      rows = load();
      return { ...row, sizeBytes: bytes.byteLength };
    },
    remove: async (preset) => {
      const { changes } = drop.run(preset);
      rows = load();
      return changes > 0;
    },
  };
}
