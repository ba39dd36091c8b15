// Which owned thing an image request names: by a digest of prompt and size, so that the prompt is kept nowhere.

import { createHash } from 'node:crypto';
import type { Journal } from './journal.js';
import type { OwnedStore } from './owned-store.js';
import type { PurchaseCoordinator } from './purchase-coordinator.js';
import type { ImageRequest } from '../contract/image-request.js';

export interface ImageName extends ImageRequest {
  /** Another picture for the same words. */
  readonly variant: string | undefined;
  /** One never asked for before. */
  readonly fresh: boolean;
}

export interface ImageShelf {
  readonly journal: Pick<Journal, 'countPaid'>;
  readonly owned: Pick<OwnedStore, 'findNewestOf'>;
  readonly desk: Pick<PurchaseCoordinator, 'isBuying'>;
}

/**
 * The name of what a request wants, owned or yet to be bought. Without a variant that is the newest picture owned
 * for its words, a fresh one too; else a fresh one that is being made, for the remote makes no two at once.
 */
export async function imageItem({ journal, owned, desk }: ImageShelf, name: ImageName): Promise<string> {
  const item = `image:${digestOf(name)}`;
  if (name.variant !== undefined && !name.fresh) return `${item}:${name.variant}`;
  const newest = name.fresh ? undefined : owned.findNewestOf(item, `${item}:${FRESH}`);
  if (newest !== undefined) return newest;
  // Numbered by how many were paid for: one whose end was not seen keeps its number, so that a client that tries
  // again by itself does not buy again.
  const next = `${item}:${FRESH}${await journal.countPaid(`${item}:${FRESH}`)}`;
  return name.fresh || desk.isBuying(next) ? next : item;
}

const FRESH = 'fresh-';

function digestOf({ prompt, size }: ImageRequest): string {
  return createHash('sha256').update(`${size}\n${prompt}`).digest('hex');
}
