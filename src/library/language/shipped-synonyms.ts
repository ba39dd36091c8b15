// The synonyms that svcd ships, from data/synonyms, read as the build compiled them (bin/build.js). What was compiled of
// another text is not believed.

import { readFileSync } from 'node:fs';
import { INSTALLATION } from '../../platform/installation.js';
import type { CompiledSynonyms } from './compiled-synonyms.js';
import { readLanguageText } from './language-data.js';
import { openSynonyms, storeSynonyms } from './synonyms.js';

const TABLES = ['synonyms.txt', 'english.txt', 'regional.txt'] as const;
const COMPILED = new URL('dist/synonyms.bin', INSTALLATION);

/** The shipped table, read at each call. Throws when the installation lacks it. */
export function loadShippedSynonyms(): CompiledSynonyms {
  return openSynonyms(readShipped(), findCompiled());
}

/** What the build keeps of it. */
export function compileShippedSynonyms(): Uint8Array {
  return storeSynonyms(readShipped());
}

function readShipped(): string {
  return TABLES.map((name) => readLanguageText(`synonyms/${name}`)).join('\n');
}

function findCompiled(): Uint8Array | undefined {
  try {
    return readFileSync(COMPILED);
  } catch {
    // Before the first build.
    return undefined;
  }
}
