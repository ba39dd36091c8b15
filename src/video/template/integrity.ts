// Whether a package is as it was published: each digest of its integrity.json, and no file beside those it lists.

import { SvcdError } from '../../model/errors.js';
import { hasDoubledNames, isRecord, parseJson } from '../../platform/json.js';
import { composed, nameProblem, type PackageFiles } from './package-files.js';

const INTEGRITY_FILE = 'integrity.json';
/** Another one in every download, so it is not among the digests. */
const KEY_FILE = 'service.key.json';
const MAX_BYTES = 16 * 1024 * 1024;
/** Of 65,535 files a name and a digest each, with quotes and commas. */
const BOUNDS = { depth: 8, tokens: 400_000 };

export interface Integrity {
  /** Digest of integrity.json as it lies there; undefined where there is none. */
  readonly sha256: string | undefined;
  /** What is not as it was published, each with how: `motion.json has another digest`. */
  readonly changes: readonly string[];
}

/** Compares. Throws `invalid_argument` when integrity.json names what lies outside of the package. */
export async function checkIntegrity(path: string, files: PackageFiles): Promise<Integrity> {
  const text = await files.read(INTEGRITY_FILE, MAX_BYTES);
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
