// Putting a downloaded template package on disk: as a folder, or as the ZIP file it came in.

import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SvcdError, systemCode } from '../model/errors.js';
import { makeFolder } from '../platform/make-folder.js';

/** A package as the sandbox's control surface hands it out. */
export interface Download {
  /** `name@version`. */
  readonly template: string;
  readonly package_sha256: string;
  /** Text by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** One file, in base64. */
  readonly zip?: string;
}

// A Key is for its owner's eyes.
const MODE = 0o600;

/**
 * Writes the ZIP file `where`, or the folder `name@version.motion` in the folder `where`, and returns its path.
 * Throws `invalid_argument` when that cannot be written.
 */
export async function writeDownload({ template, files = {}, zip }: Download, where: string): Promise<string> {
  const target = zip === undefined ? join(where, `${template}.motion`) : where;
  try {
    if (zip !== undefined) await writePrivate(target, Buffer.from(zip, 'base64'));
    for (const [path, text] of Object.entries(files)) await writePrivate(join(target, path), text);
  } catch (cause) {
    const why = systemCode(cause) ?? 'unknown';
    throw new SvcdError('invalid_argument', `${target} cannot be written (${why})`, { cause });
  }
  return target;
}

async function writePrivate(file: string, content: string | Uint8Array): Promise<void> {
  makeFolder(dirname(file), 0o755);
  await writeFile(file, content, { mode: MODE });
}
