// Where a command finds the lock that it was not told of.

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LOCK_FILE } from '../../api/lock.js';
import { refusalIn } from '../apply/asker.js';
import type { ApplyWords } from '../apply/words.js';

/** Where `svcd apply` writes if it is not told, and every other command looks. */
export const ASSETS_FOLDER = 'svcd-assets';
export const USUAL_LOCKS = [LOCK_FILE, join(ASSETS_FOLDER, LOCK_FILE)];

/**
 * The lock that was typed, or that lies in the folder that was; else the first there is: in `first`, in this folder, in
 * svcd-assets. Throws `not_found`.
 */
export function lockFileOf(words: ApplyWords, typed: string | undefined, first?: string): string {
  if (typed === '') throw refusalIn([words.lockNeedsName], 'invalid_argument');
  if (typed !== undefined)
    return statSync(typed, { throwIfNoEntry: false })?.isDirectory() === true ? join(typed, LOCK_FILE) : typed;
  const places = [...(first === undefined ? [] : [join(first, LOCK_FILE)]), ...USUAL_LOCKS];
  const found = places.find((place) => existsSync(place));
  if (found !== undefined) return found;
  throw refusalIn(words.noLock(places), 'not_found');
}
