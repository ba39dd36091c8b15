// Where the tables of the language lie: data/ beside the compiled code. Reads files, knows nothing of what they mean.

import { readFileSync } from 'node:fs';

const DATA = new URL('../../data/', import.meta.url);

/** The text of a table, by its path below data/. Throws when the installation lacks it. */
export function readLanguageText(path: string): string {
  return readFileSync(new URL(path, DATA), 'utf8');
}

/** The bytes of a table, by its path below data/. Throws when the installation lacks it. */
export function readLanguageBytes(path: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(path, DATA)));
}
