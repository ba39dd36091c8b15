// Compiles where each drawing lies and what it shows, so that no request parses the catalogue.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const MAX_BYTES = 512 * 1024;

/** Writes `sketches.bin` into the folder of the built program. Throws when it is larger than promised. */
export async function compileSketches(dist) {
  const { compileSketches: compile } = await import(pathToFileURL(join(dist, 'shown-art.js')).href);
  const bytes = compile();
  if (bytes.length > MAX_BYTES) {
    throw new Error(`dist/sketches.bin has ${bytes.length} bytes, at most ${MAX_BYTES} are promised`);
  }
  writeFileSync(join(dist, 'sketches.bin'), bytes);
}
