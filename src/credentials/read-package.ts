// One small file out of a package (.motion, a zip), without unpacking the rest. The only importer of yauzl.

import { SvcdError } from '../errors.js';

/**
 * Text of a file in a zip's root, or in the one folder it has there; undefined when it is not there. Throws
 * `invalid_argument` for a broken zip, or when the file is larger than `maxBytes`.
 */
export async function readPackageEntry(
  zip: string,
  name: string,
  maxBytes: number,
): Promise<string | undefined> {
  const { openPromise } = await import('yauzl');
  try {
    const opened = await openPromise(zip);
    try {
      for await (const entry of opened.eachEntry()) {
        const parts = entry.fileName.split('/');
        if (parts.at(-1) !== name || parts.length > 2) continue;
        if (entry.uncompressedSize > maxBytes) throw tooLarge(zip, name);
        return await readAll(await opened.openReadStreamPromise(entry), maxBytes, () => tooLarge(zip, name));
      }
      return undefined;
    } finally {
      opened.close();
    }
  } catch (cause) {
    if (cause instanceof SvcdError) throw cause;
    throw new SvcdError('invalid_argument', `${zip} cannot be read as a package`, { cause });
  }
}

async function readAll(
  stream: NodeJS.ReadableStream,
  maxBytes: number,
  tooMuch: () => SvcdError,
): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    size += bytes.byteLength;
    if (size > maxBytes) throw tooMuch();
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function tooLarge(zip: string, name: string): SvcdError {
  return new SvcdError('invalid_argument', `${name} in ${zip} is too large to be a key file`);
}
