// Compiles the shipped synonyms, so that no start has to read them line by line.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Writes `synonyms.bin` into the folder of the built program. */
export async function compileSynonyms(dist) {
  const { compileShippedSynonyms } = await import(pathToFileURL(join(dist, 'shipped-synonyms.js')).href);
  writeFileSync(join(dist, 'synonyms.bin'), compileShippedSynonyms());
}
