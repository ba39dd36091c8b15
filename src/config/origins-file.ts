// origins.json in the home folder: the origins whose web pages may use this daemon.

import { join } from 'node:path';
import { SvcdError, systemCode } from '../model/errors.js';
import { parseOrigin } from '../model/web-origin.js';
import { replaceFile } from '../platform/files/files.js';
import { readJsonFile, unusableFile, type JsonFile } from './json-file.js';

/** The origins on the list; none without a file. Throws `invalid_config` for a file that is not one of ours. */
export function readOrigins(home: string): readonly string[] {
  const file = originsFile(home);
  const value = readJsonFile(file);
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.map((one) => originIn(one, file));
  throw unusableFile(file, 'it must hold a JSON list');
}

/** Replaces the list. Throws `home_not_writable`. */
export function writeOrigins(home: string, origins: readonly string[]): void {
  const file = originsFile(home);
  try {
    replaceFile(file.path, `${JSON.stringify(origins, null, 2)}\n`);
  } catch (cause) {
    throw new SvcdError('home_not_writable', `${file.path} cannot be written (${systemCode(cause) ?? 'unknown'})`, {
      cause,
    });
  }
}

function originIn(value: unknown, file: JsonFile): string {
  if (typeof value !== 'string') throw unusableFile(file, 'it must hold a JSON list of texts');
  try {
    return parseOrigin(value);
  } catch (cause) {
    throw unusableFile(file, cause instanceof SvcdError ? cause.message : 'unknown', cause);
  }
}

function originsFile(home: string): JsonFile {
  return {
    path: join(home, 'origins.json'),
    hint: 'Correct it, or remove it and add the origins again with "svcd config origins add ORIGIN".',
  };
}
