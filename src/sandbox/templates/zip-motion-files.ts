// Putting a package into one ZIP file, as it is handed around. Writing it to disk is for whoever asked for it.

import { strToU8, zipSync } from 'fflate';
import type { MotionFiles } from './motion-package.js';

/** The earliest time a ZIP file can tell: the same files give the same bytes. */
const ZIP_TIME = '1980-01-02T00:00:00Z';

/** The files of a package as one ZIP file. */
export function zipMotionFiles(files: MotionFiles): Uint8Array {
  const entries = Object.entries(files).map(([path, text]) => [path, strToU8(text)]);
  return zipSync(Object.fromEntries(entries) as Record<string, Uint8Array>, { mtime: ZIP_TIME });
}
