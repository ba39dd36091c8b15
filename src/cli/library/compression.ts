// Compression of exported files: by the name's ending when written, by the first bytes when read. Brotli has no first
// bytes of its own and goes by the name both ways. Zstandard is refused: Node.js has it from 22.15 on only.

import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as zlib from 'node:zlib';
import { SvcdError } from '../../model/errors.js';
import { libraryWords } from './words.js';

const GZIP = '1f8b';
const ZSTANDARD = '28b52ffd';
// What was unpacked and not yet taken is lost when the rest turns out damaged, so that there is never much of it.
const NO_BUFFER = { readableHighWaterMark: 1 };
// Brotli's own default, 11, takes a minute for a library that gzip packs in a second.
const BROTLI_QUALITY = 5;

/** What a file of this name is written through; undefined for plain text. Throws `invalid_argument` for .zst. */
export function compressorFor(file: string): Transform | undefined {
  if (isZstandard(file)) throw refuseZstandard(file);
  if (/\.gz$/i.test(file)) return zlib.createGzip();
  if (!isBrotli(file)) return undefined;
  return zlib.createBrotliCompress({ params: { [zlib.constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
}

/**
 * Plain bytes of a stream that begins with `start` and is called `file`. Throws where it is damaged, after all that came
 * before, and `invalid_argument` at once for Zstandard.
 */
export function unpack(file: string, start: Uint8Array, packed: Readable): Readable {
  const magic = Buffer.from(start.subarray(0, 4)).toString('hex');
  if (magic === ZSTANDARD) throw refuseZstandard(file);
  if (magic.startsWith(GZIP)) return unpackThrough(packed, zlib.createGunzip(NO_BUFFER as zlib.ZlibOptions));
  if (!isBrotli(file)) return packed;
  return unpackThrough(packed, zlib.createBrotliDecompress(NO_BUFFER as zlib.BrotliOptions));
}

function unpackThrough(packed: Readable, through: Transform): Transform {
  // Its failure ends the stream that is read here, with the same error.
  pipeline(packed, through).catch(() => undefined);
  return through;
}

function isBrotli(file: string): boolean {
  return /\.br$/i.test(file);
}

function isZstandard(file: string): boolean {
  return /\.zst$/i.test(file);
}

function refuseZstandard(file: string): SvcdError {
  const words = libraryWords().import;
  return new SvcdError('invalid_argument', words.zstandard(file), { hint: words.zstandardHint });
}
