// Where this svcd is installed: the folder of its package.json, with data/ and dist/ in it. The source lies deeper
// below it than the bundle does, so the folder is searched upwards.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Address of the folder; ends with a slash. */
export const INSTALLATION = findInstallation(new URL('./', import.meta.url));

function findInstallation(folder: URL): URL {
  const above = new URL('../', folder);
  if (existsSync(new URL('package.json', folder)) || above.href === folder.href) return folder;
  return findInstallation(above);
}

const manifest = createRequire(INSTALLATION)('./package.json') as { version: string };

/** The version of this svcd, from its package.json. */
export const VERSION = manifest.version;

const MAIN = new URL('dist/main.js', INSTALLATION);

let known: { readonly build: string; readonly stamp: string } | undefined;

/**
 * Which build of that version this is: a digest of the program's first file, which names all others by their content. As it
 * was when this was first asked for, which a daemon does as it starts.
 */
export function buildOf(): string {
  known ??= { build: buildNow(), stamp: stampNow() };
  return known.build;
}

/** Whether other files lie now where this process was loaded from: svcd was updated, built anew or removed. */
export function isReplaced(): boolean {
  return known !== undefined && stampNow() !== known.stamp && buildNow() !== known.build;
}

function stampNow(): string {
  const stat = statSync(MAIN, { throwIfNoEntry: false });
  return stat === undefined ? 'none' : `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
}

function buildNow(): string {
  try {
    return createHash('sha256').update(readFileSync(MAIN)).digest('hex').slice(0, 12);
  } catch {
    // Not built, or gone.
    return 'none';
  }
}
