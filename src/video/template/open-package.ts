// A template package (.motion, a zip, or the same unpacked): checked against its own digests, and what it declares.

import { basename, resolve } from 'node:path';
import { SvcdError } from '../../model/errors.js';
import { readDeclaration, type Declaration } from './declaration.js';
import { checkIntegrity } from './integrity.js';
import { listFiles } from './package-files.js';

export interface TemplatePackage extends Declaration {
  /** Absolute. */
  readonly path: string;
  /**
   * Digest of integrity.json as it lies there, in hexadecimal. Undefined for a package that was changed on purpose: it
   * is not the one that the digest stands for, so nothing is registered of it and no lock names it.
   */
  readonly packageSha256: string | undefined;
}

export interface OpenOptions {
  /** Takes a package that is not as it was published. */
  readonly changedOnPurpose?: boolean;
  /** The command that takes one, if it is told to: `svcd plan`. */
  readonly command?: string;
}

const MOTION_FILE = 'motion.json';
const MOTION_MAX_BYTES = 1024 * 1024;
const MOST_NAMED = 5;

/**
 * Opens a package. Throws `not_found`; `invalid_argument` for what is no package, or a damaged or dangerous one;
 * `package_changed` with the names unless it was changed on purpose. Writes nothing.
 */
export async function openPackage(
  path: string,
  { changedOnPurpose = false, command }: OpenOptions = {},
): Promise<TemplatePackage> {
  const files = await listFiles(path);
  const motion = await files.read(MOTION_FILE, MOTION_MAX_BYTES);
  if (motion === undefined) {
    const isFolder = files.names.some((name) => name.startsWith(`${MOTION_FILE}/`));
    const why = isFolder ? `its ${MOTION_FILE} is a folder` : `it holds no ${MOTION_FILE}`;
    throw new SvcdError('invalid_argument', `${path} is no template package: ${why}`);
  }
  const { sha256, changes } = await checkIntegrity(path, files);
  if (changes.length > 0 && !changedOnPurpose) throw packageChanged(path, changes, command);
  const declaration = readDeclaration(motion, `${MOTION_FILE} of ${basename(path)}`);
  return { ...declaration, path: resolve(path), packageSha256: changes.length > 0 ? undefined : sha256 };
}

function packageChanged(path: string, changes: readonly string[], command: string | undefined): SvcdError {
  const rest = changes.length - MOST_NAMED;
  const named = [...changes.slice(0, MOST_NAMED), ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ');
  const hint = `Download it again. If the changes are yours: "${command} --changed-on-purpose".`;
  return new SvcdError('package_changed', `${path} is not as it was published: ${named}`, {
    hint: command === undefined ? 'Download it again.' : hint,
  });
}
