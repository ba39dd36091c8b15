// Where the tables of the language lie: data/ of the installation. Reads files, knows nothing of what they mean.

import { readFileSync } from 'node:fs';
import { INSTALLATION } from '../../platform/installation.js';

const DATA = new URL('data/', INSTALLATION);

/** The text of a table, by its path below data/. Throws when the installation lacks it. */
export function readLanguageText(path: string): string {
  return readFileSync(new URL(path, DATA), 'utf8');
}

/** The bytes of a table, by its path below data/. Throws when the installation lacks it. */
export function readLanguageBytes(path: string): Uint8Array {
  const { buffer, byteOffset, byteLength } = readFileSync(new URL(path, DATA));
  return new Uint8Array(buffer, byteOffset, byteLength);
}
