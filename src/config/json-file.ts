// A JSON file of the home that svcd writes and a person may have edited: read whole, or refused with what to do.

import { readFileSync } from 'node:fs';
import { SvcdError, systemCode } from '../model/errors.js';

export interface JsonFile {
  readonly path: string;
  /** What to do about one that cannot be used. */
  readonly hint: string;
}

/** The value in it; undefined when it is not there. Throws `invalid_config`. */
export function readJsonFile(file: JsonFile): unknown {
  const text = readText(file);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unusableFile(file, 'it is not valid JSON', cause);
  }
}

/** The error of one that holds something else than it must. */
export function unusableFile({ path, hint }: JsonFile, why: string, cause?: unknown): SvcdError {
  return new SvcdError('invalid_config', `${path}: ${why}`, { cause, hint });
}

function readText(file: JsonFile): string | undefined {
  try {
    return readFileSync(file.path, 'utf8');
  } catch (cause) {
    const code = systemCode(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw unusableFile(file, `it cannot be read (${code ?? 'unknown'})`, cause);
  }
}
