// Reads the tables of the language, which lie in data/ of the installation. What they mean is for others.

import { readFileSync, statSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { INSTALLATION } from '../../platform/installation.js';

const DATA = new URL('data/', INSTALLATION);

const readSoFar = new Set<string>();

/** Which tables this process has read: what was made of them is good for as long as they stay the same. */
export function listTablesRead(): string[] {
  return [...readSoFar].toSorted();
}

/** The text of a table, by its path below data/. Throws when the installation lacks it. */
export function readLanguageText(path: string): string {
  return readTable(path).toString('utf8');
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
  const { buffer, byteOffset, byteLength } = readTable(path);
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** A number that tables change with, by their sizes: it is asked at each start, when they are not read. */
export function stampOfTables(paths: readonly string[]): number {
  return crc32(paths.map((path) => statSync(new URL(path, DATA), { throwIfNoEntry: false })?.size).join(' '));
}

function readTable(path: string): Buffer {
  readSoFar.add(path);
  return readFileSync(new URL(path, DATA));
}
