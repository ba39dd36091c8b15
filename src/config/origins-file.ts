// origins.json in the home folder: the origins whose web pages may use this daemon.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SvcdError, systemCode } from '../model/errors.js';
import { parseOrigin } from '../model/origin.js';
import { replaceFile } from '../platform/files.js';

/** The origins on the list; none without a file. Throws `invalid_config` for a file that is not one of ours. */
export function readOrigins(home: string): readonly string[] {
  const file = originsFile(home);
  const value = parse(readText(file), file);
  if (Array.isArray(value)) return value.map((one) => originIn(one, file));
  throw unusable(file, 'it must hold a JSON list');
}

/** Replaces the list. Throws `home_not_writable`. */
export function writeOrigins(home: string, origins: readonly string[]): void {
  const file = originsFile(home);
  try {
    replaceFile(file, `${JSON.stringify(origins, null, 2)}\n`);
  } catch (cause) {
    throw new SvcdError('home_not_writable', `${file} cannot be written (${systemCode(cause) ?? 'unknown'})`, {
      cause,
    });
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT') return '[]';
    throw unusable(file, `it cannot be read (${systemCode(cause) ?? 'unknown'})`, cause);
  }
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unusable(file, 'it is not valid JSON', cause);
  }
}

function originIn(value: unknown, file: string): string {
  if (typeof value !== 'string') throw unusable(file, 'it must hold a JSON list of texts');
  try {
    return parseOrigin(value);
  } catch (cause) {
    throw unusable(file, cause instanceof SvcdError ? cause.message : 'unknown', cause);
  }
}

function unusable(file: string, why: string, cause?: unknown): SvcdError {
  return new SvcdError('invalid_config', `${file}: ${why}`, {
    cause,
    hint: 'Correct it, or remove it and add the origins again with "svcd origins add ORIGIN".',
  });
}

function originsFile(home: string): string {
  return join(home, 'origins.json');
}
