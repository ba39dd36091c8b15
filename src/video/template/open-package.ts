// A template package (.motion, a zip, or the same unpacked): checked against its own digests, and what it declares.

import { basename, resolve } from 'node:path';
import { SvcdError } from '../../model/errors.js';
import { hasDoubledNames, isRecord, parseJson } from '../../platform/json.js';
import { readDeclaration, type Declaration } from './declaration.js';
import { composed, listFiles, nameProblem, type PackageFiles } from './package-files.js';

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

const INTEGRITY_FILE = 'integrity.json';
/** Another one in every download, so it is not among the digests. */
const KEY_FILE = 'service.key.json';
const INTEGRITY_MAX_BYTES = 16 * 1024 * 1024;
/** Of 65,535 files a name and a digest each, with quotes and commas. */
const BOUNDS = { depth: 8, tokens: 400_000 };

interface Integrity {
  /** Digest of integrity.json as it lies there; undefined where there is none. */
  readonly sha256: string | undefined;
  /** What is not as it was published, each with how: `motion.json has another digest`. */
  readonly changes: readonly string[];
}

/** Whether a package is as it was published: each digest, and no file beside those it lists. Throws `invalid_argument` when integrity.json names what lies outside of the package. */
async function checkIntegrity(path: string, files: PackageFiles): Promise<Integrity> {
  const text = await files.read(INTEGRITY_FILE, INTEGRITY_MAX_BYTES);
  if (text === undefined) return { sha256: undefined, changes: [`${INTEGRITY_FILE} is missing`] };
  const sha256 = await files.sha256(INTEGRITY_FILE);
  const value = parseJson(text, BOUNDS);
  if (value !== undefined && hasDoubledNames(text, value)) {
    const message = `${path} cannot be read as a package: its ${INTEGRITY_FILE} says a name twice in one object`;
    throw new SvcdError('invalid_argument', message);
  }
  const digests = digestsIn(value);
  if (digests === undefined) return { sha256, changes: [`${INTEGRITY_FILE} is no list of SHA-256 digests`] };
  const there = new Set(files.names);
  const changes: string[] = [];
  for (const [name, digest] of digests) {
    const problem = nameProblem(name);
    if (problem !== undefined) {
      const message = `${path} cannot be read as a package: the name ${JSON.stringify(name)} in ${INTEGRITY_FILE} ${problem}`;
      throw new SvcdError('invalid_argument', message);
    }
    if (name === INTEGRITY_FILE || name === KEY_FILE) continue;
    if (!there.has(name)) changes.push(`${name} is missing`);
    else if ((await files.sha256(name)) !== digest) changes.push(`${name} has another digest`);
  }
  for (const name of files.names) {
    if (digests.has(name) || name === INTEGRITY_FILE || name === KEY_FILE) continue;
    changes.push(`${name} is not in ${INTEGRITY_FILE}`);
  }
  return { sha256, changes };
}

/** `{ "algorithm": "sha256", "files": { "motion.json": "41d7…" } }`; undefined for anything else. */
function digestsIn(value: unknown): ReadonlyMap<string, string> | undefined {
  if (!isRecord(value) || !isRecord(value['files'])) return undefined;
  const { algorithm = 'sha256' } = value;
  if (typeof algorithm !== 'string' || algorithm.toLowerCase() !== 'sha256') return undefined;
  const digests = new Map<string, string>();
  for (const [name, digest] of Object.entries(value['files'])) {
    if (typeof digest !== 'string' || !/^[0-9a-f]{64}$/i.test(digest)) return undefined;
    if (digests.has(composed(name))) return undefined;
    digests.set(composed(name), digest.toLowerCase());
  }
  return digests;
}
