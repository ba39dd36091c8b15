// How much of what came from a hub stays here: with a limit set, what was not used for longest goes, because the hub gives it
// again for nothing. What was bought alone, and files of the user's own, never go.

import type { Clock } from '../../platform/clock.js';
import type { Log } from '../../platform/log.js';
import type { Database } from '../../platform/open-database.js';
import { OF_HUB } from '../../purchases/owned-rows.js';
import type { OwnedStore } from '../../purchases/owned-store.js';

export interface HubCache {
  /** The reading half of a store, which notes what is used. */
  noting(owned: OwnedStore): Pick<OwnedStore, 'find'>;
  /** Removes what is over the limit, and writes down what was used; how many files went. Never throws: a full disk ends nothing. */
  trim(maxBytes: number | undefined, forget: (item: string) => void): number;
}

interface Row {
  readonly id: number;
  readonly item: string;
  readonly bytes: number;
}

/** Opens the cache of one scope. */
export function openHubCache(db: Database, scope: string, clock: Clock, log: Log): HubCache {
  const used = new Map<string, number>();
  const touch = db.prepare(`UPDATE owned SET used_at = ? WHERE scope = ? AND item = ? AND origin = 'hub'`);
  // Only what the journal says a hub made: nothing else can be had again without paying.
  const rows = db.prepare<[string], Row>(
    `SELECT owned.id, owned.item, length(owned.gzip) + coalesce(length(owned.brotli), 0) AS bytes FROM owned
     JOIN purchase ON purchase.id = owned.purchase_id AND purchase.state = 'paid' AND purchase.reason = '${OF_HUB}'
     WHERE owned.scope = ? AND owned.origin = 'hub' AND owned.receipt IS NOT NULL
     ORDER BY coalesce(owned.used_at, owned.kept_at) DESC, owned.id DESC`,
  );
  const remove = db.prepare(`DELETE FROM owned WHERE id = ?`);
  const note = () => {
    for (const [item, at] of used) touch.run(at, scope, item);
  };
  /** Removes what is over the limit from the file. */
  const removeOver = db.transaction((maxBytes: number): readonly Row[] => {
    note();
    const over: Row[] = [];
    let kept = 0;
    for (const row of rows.all(scope)) {
      kept += row.bytes;
      if (kept > maxBytes) over.push(row);
    }
    for (const { id } of over) remove.run(id);
    return over;
  });
  return {
    noting: (owned) => ({
      find: async (item) => {
        const asset = await owned.find(item);
        if (asset !== undefined) used.set(item, clock.now());
        return asset;
      },
    }),
    trim: (maxBytes = Infinity, forget) => {
      if (used.size === 0 && maxBytes === Infinity) return 0;
      try {
        const over = removeOver.immediate(maxBytes);
        used.clear();
        for (const { item } of over) forget(item);
        return over.length;
      } catch (error) {
        log.warn('which files of the hub were used could not be written down', { why: String(error) });
        return 0;
      }
    },
  };
}
