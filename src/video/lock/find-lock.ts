// Where a command finds the lock that it was not told of.

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LOCK_FILE } from '../../api/lock.js';
import { SvcdError } from '../../model/errors.js';
import { invalidArgument } from '../../cli/terminal/invalid-argument.js';
import { applyWords } from '../../cli/video/apply-words.js';

/** Where `svcd apply` writes if it is not told, and every other command looks. */
export const ASSETS_FOLDER = 'svcd-assets';
export const USUAL_LOCKS = [LOCK_FILE, join(ASSETS_FOLDER, LOCK_FILE)];

/** The lock that was typed, or that lies in the folder that was; else the first there is: in `first`, in this folder, in svcd-assets. Throws `not_found`. */
export function lockFileOf(typed: string | undefined, first?: string): string {
  if (typed === '') throw invalidArgument(applyWords().lockNeedsName);
  if (typed !== undefined) return isFolder(typed) ? join(typed, LOCK_FILE) : typed;
  const places = [...(first === undefined ? [] : [join(first, LOCK_FILE)]), ...USUAL_LOCKS];
  const found = places.find((place) => existsSync(place));
  if (found !== undefined) return found;
  throw new SvcdError('not_found', applyWords().noLock(places), { hint: applyWords().noLockHint });
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
