// One small file out of a package (.motion, a zip), without unpacking the rest.

import { SvcdError } from '../model/errors.js';
import { readZip } from './files/read-zip.js';

/**
 * Text of a file in a zip's root, or in the one folder it has there; undefined when it is not there. Throws
 * `invalid_argument` for a broken zip, or when the file is larger than `maxBytes`.
 */
export async function readPackageEntry(zip: string, name: string, maxBytes: number): Promise<string | undefined> {
  const found = (await readZip(zip)).find((entry) => {
    const parts = entry.name.split('/');
    return entry.kind === 'file' && parts.at(-1) === name && parts.length <= 2;
  });
  if (found === undefined) return undefined;
  if (found.size <= maxBytes) return new TextDecoder().decode(found.read());
  throw new SvcdError('invalid_argument', `${name} in ${zip} is too large to be a key file`, {
    hint: 'Unpack it and name its service.key.json.',
  });
}
