// svcd sandbox download: the package of a template, written as a folder or as a ZIP file.

import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemCode } from '../../model/errors.js';
import { makeFolder } from '../../platform/files/files.js';
import { sanitize } from '../terminal/format.js';
import type { Input } from '../terminal/input.js';
import { invalidArgument } from '../terminal/invalid-argument.js';
import { printAnswer } from '../terminal/output.js';
import { askSandbox } from './sandbox-client.js';
import { sandboxWords } from './words.js';

const words = sandboxWords();

/** A package: as text by path, or as one file in base64. */
interface Download {
  /** `name@version`. */
  readonly template: string;
  readonly package_sha256: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly zip?: string;
  readonly key: { readonly id: number; readonly account: string; readonly key?: string };
}

// It holds a Key.
const PACKAGE_FILE_MODE = 0o600;

/** Writes the package of a template, and says where it is and how to end its Key. */
export async function downloadPackage(input: Input): Promise<void> {
  const where = input.findWord('where') ?? '.';
  const body = {
    template: input.word('template'),
    form: where.endsWith('.zip') ? 'zip' : 'files',
    account: input.text('account'),
  };
  const got = await askSandbox<Download>(input, 'POST', '/sandbox/downloads', body);
  const path = await writePackage(got, where);
  // The Key itself is in the package and is not printed.
  const { key: _, ...key } = got.key;
  const answer = { template: got.template, path, package_sha256: got.package_sha256, key };
  return printAnswer(input, answer, () => [
    sanitize(path),
    sanitize(words.downloaded(got.template, key.id, key.account)),
    words.disable(key.id),
  ]);
}

/**
 * Writes the ZIP file `where`, or the folder `name@version.motion` in the folder `where`, and returns its path.
 * Throws `invalid_argument` when that cannot be written.
 */
async function writePackage({ template, files = {}, zip }: Download, where: string): Promise<string> {
  const target = zip === undefined ? join(where, `${template}.motion`) : where;
  try {
    if (zip !== undefined) await writePrivate(target, Buffer.from(zip, 'base64'));
    for (const [path, text] of Object.entries(files)) await writePrivate(join(target, path), text);
  } catch (cause) {
    const why = systemCode(cause) ?? 'unknown';
    throw invalidArgument(words.unwritable(target, why), undefined, cause);
  }
  return target;
}

async function writePrivate(file: string, content: string | Uint8Array): Promise<void> {
  makeFolder(dirname(file), 0o755);
  await writeFile(file, content, { mode: PACKAGE_FILE_MODE });
}
