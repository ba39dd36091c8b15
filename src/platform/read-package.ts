// One small file out of a package (.motion, a zip), without unpacking the rest.

import { readFile, stat } from 'node:fs/promises';
import type { UnzipFileInfo } from 'fflate';
import { SvcdError } from '../model/errors.js';

/** The zip is read as a whole. A package with films in it can be unpacked by its owner. */
const ZIP_MAX_BYTES = 256 * 1024 * 1024;
/** A broken zip may tell of thousands of millions. */
const ENTRIES_MAX = 100_000;

/**
 * Text of a file in a zip's root, or in the one folder it has there; undefined when it is not there. Throws
 * `invalid_argument` for a broken zip, or when the file is larger than `maxBytes`.
 */
export async function readPackageEntry(zip: string, name: string, maxBytes: number): Promise<string | undefined> {
  const { strFromU8, unzipSync } = await import('fflate');
  try {
    if ((await stat(zip)).size > ZIP_MAX_BYTES) throw tooLarge(zip, 'a package');
    const found = Object.values(unzipSync(await readFile(zip), { filter: onlyFirst(zip, name, maxBytes) }));
    return found[0] === undefined ? undefined : strFromU8(found[0]);
  } catch (cause) {
    if (cause instanceof SvcdError) throw cause;
    throw new SvcdError('invalid_argument', `${zip} cannot be read as a package`, { cause });
  }
}

/** Lets one entry through. No more is unpacked than the sizes it tells, so they are what is judged. */
function onlyFirst(zip: string, name: string, maxBytes: number): (entry: UnzipFileInfo) => boolean {
  let [seen, isFound] = [0, false];
  return (entry) => {
    seen += 1;
    if (seen > ENTRIES_MAX) throw tooLarge(zip, 'a package');
    const parts = entry.name.split('/');
    if (isFound || parts.at(-1) !== name || parts.length > 2) return false;
    if (Math.max(entry.size, entry.originalSize) > maxBytes) throw tooLarge(`${name} in ${zip}`, 'a key file');
    isFound = true;
    return true;
  };
}

function tooLarge(what: string, toBe: string): SvcdError {
  return new SvcdError('invalid_argument', `${what} is too large to be ${toBe}`, {
    hint: 'Unpack it, and give the path of its service.key.json.',
  });
}
