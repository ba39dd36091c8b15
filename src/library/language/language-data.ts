// Reads the tables of the language, which lie in data/ of the installation. What they mean is for others.

import { readFileSync } from 'node:fs';
import { INSTALLATION } from '../../platform/installation.js';

const DATA = new URL('data/', INSTALLATION);

/** The text of a table, by its path below data/. Throws when the installation lacks it. */
export function readLanguageText(path: string): string {
  return readFileSync(new URL(path, DATA), 'utf8');
}

/** A table of lines, each a key, a space and what it says. Throws when the installation lacks it. */
export function readLanguageMap(path: string): ReadonlyMap<string, string> {
  const lines = readLanguageText(path).trimEnd().split('\n');
  return new Map(
    lines.map((line) => {
      const space = line.indexOf(' ');
      return [line.slice(0, space), line.slice(space + 1)];
    }),
  );
}

/** The bytes of a table, by its path below data/. Throws when the installation lacks it. */
export function readLanguageBytes(path: string): Uint8Array {
  const { buffer, byteOffset, byteLength } = readFileSync(new URL(path, DATA));
  return new Uint8Array(buffer, byteOffset, byteLength);
}
