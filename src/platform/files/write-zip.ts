// A zip file as a stream, one file in memory at a time. Files are stored as they are, in deflate's stored blocks: their size
// stands behind them, and who unpacks a stream must see where they end (method 0 with sizes behind it cannot be streamed).

import { Zip, ZipDeflate } from 'fflate';

export interface ZippedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Beyond it only zip64 can say where a file is. */
const TOO_LARGE = 0xffffffff;
/** Of every file: the first day that the format knows, so that the same files are the same zip, whenever it is made; a regular
 * file that everybody may read, as Unix (3) writes it in the high half of the attributes. */
const FACTS = { mtime: new Date(1980, 0, 1), os: 3, attrs: (0o100644 << 16) >>> 0 };

/** The bytes of a zip of these files, in their order. Throws a RangeError beyond 4 GiB. */
export async function* zipOf(files: AsyncIterable<ZippedFile>): AsyncGenerator<Uint8Array> {
  const made: Uint8Array[] = [];
  let size = 0;
  const zip = new Zip((error, chunk) => {
    if (error !== null) throw error;
    size += chunk.byteLength;
    if (size >= TOO_LARGE) throw new RangeError('the zip would be larger than 4 GiB');
    made.push(chunk);
  });
  for await (const { name, bytes } of files) {
    const file = Object.assign(new ZipDeflate(name, { level: 0 }), FACTS);
    zip.add(file);
    file.push(bytes, true);
    yield* made.splice(0);
  }
  zip.end();
  yield* made.splice(0);
}
