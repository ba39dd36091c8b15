// A JSON file of the home that a person may have edited: read whole, or refused with what to do. config.json is one.

import { join } from 'node:path';
import { isSvcdError, SvcdError, systemCode } from '../model/errors.js';
import { readForeignFile } from '../platform/files/foreign-file.js';
import { isRecord } from '../platform/json.js';

/** Far more than any of them holds. */
const MAX_BYTES = 16 * 1024 * 1024;

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
    return readForeignFile(file.path, MAX_BYTES).toString('utf8');
  } catch (cause) {
    const code = systemCode(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (isSvcdError(cause, 'invalid_argument')) throw unusableFile(file, 'it is a pipe or a device', cause);
    if (isSvcdError(cause)) throw unusableFile(file, `it has more than ${MAX_BYTES} bytes`, cause);
    throw unusableFile(file, `it cannot be read (${code ?? 'unknown'})`, cause);
  }
}

/** The settings in config.json; none when it is not there. Throws `invalid_config`. */
export function readConfigFile(home: string): Record<string, unknown> {
  const hint = 'Correct it, or run "svcd doctor": it shows the command that puts the file aside.';
  const file = { path: join(home, 'config.json'), hint };
  const value = readJsonFile(file) ?? {};
  if (isRecord(value)) return { ...value };
  throw unusableFile(file, 'it must hold a JSON object');
}
