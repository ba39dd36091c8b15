// Where this svcd is installed: the folder of its package.json, with data/ and dist/ in it. The source lies deeper
// below it than the bundle does, so the folder is searched upwards.

import { existsSync } from 'node:fs';
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
