// svcd's own stickers as rows of the library, beside those of the remote: they have its names, and the remote never listed
// them. One that it lists is the remote's from then on.

import { SHIPPED_PREFIX } from '../../model/sticker.js';
import { guard, type StickerStore } from './sticker-store.js';

/** Sorts behind every preset that begins with the prefix. */
const AFTER_SHIPPED = SHIPPED_PREFIX.replace('/', '0');

/** Picks svcd's own rows of a scope: for a statement with the parameters that `shippedRange` gives. */
export const IS_SHIPPED = `preset >= @from AND preset < @before AND seen_at = 0 AND whose = 'remote'`;

export const shippedRange = { from: SHIPPED_PREFIX, before: AFTER_SHIPPED } as const;

/** Numbers of svcd's own rows. */
export function listShippedRows({ db, scope }: StickerStore): number[] {
  // By prefix, which is in an index.
  const query = db.prepare<[object], { id: number }>(`SELECT id FROM sticker WHERE scope = @scope AND ${IS_SHIPPED}`);
  return guard(() => query.all({ scope, ...shippedRange })).map(({ id }) => id);
}
