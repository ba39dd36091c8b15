// The entries of a zip file by its central directory, read one at a time: never more bytes than an entry states, and with
// what tells a link from a file. The format: PKWARE's APPNOTE.TXT, 4.3 and 4.4.

import { stat } from 'node:fs/promises';
import { crc32, inflateRawSync } from 'node:zlib';
import { SvcdError } from '../../model/errors.js';
import { readForeignFile } from './foreign-file.js';

export interface ZipEntry {
  readonly name: string;
  /** Bytes when unpacked. */
  readonly size: number;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** Throws `invalid_argument` when it is damaged. */
  read(): Uint8Array;
}

/** The zip is read as a whole. A package with films in it can be unpacked by its owner. */
const ZIP_MAX_BYTES = 256 * 1024 * 1024;
const END = { signature: 0x06054b50, bytes: 22, commentMax: 0xffff };
const CENTRAL = { signature: 0x02014b50, bytes: 46 };
const LOCAL = { signature: 0x04034b50, bytes: 30 };
/** Methods of compression (4.4.5). */
const [STORED, DEFLATED] = [0, 8];
/** Stands in 32 bits for a number that a zip64 record has. */
const IN_ZIP64 = 0xffffffff;

/** The entries in the order of the directory. Throws `invalid_argument` in one sentence, and the system's error. */
export async function readZip(path: string): Promise<readonly ZipEntry[]> {
  if ((await stat(path)).size > ZIP_MAX_BYTES) {
    throw new SvcdError('invalid_argument', `${path} is too large to be a package`, {
      hint: 'Unpack it and name the folder.',
    });
  }
  const zip = readForeignFile(path, ZIP_MAX_BYTES);
  const fail = (why: string): never => {
    throw new SvcdError('invalid_argument', `${path} cannot be read as a package: ${why}`);
  };
  const end = findEnd(zip) ?? fail('it is not a complete zip file');
  const count = zip.readUInt16LE(end + 10);
  const start = zip.readUInt32LE(end + 16);
  if (zip.readUInt16LE(end + 8) !== count) fail('it is one of several parts');
  if (count === 0xffff || start === IN_ZIP64) fail('it is a zip64 file; unpack it and give the folder');
  const entries: ZipEntry[] = [];
  for (let at = start; entries.length < count;) {
    if (at + CENTRAL.bytes > end || zip.readUInt32LE(at) !== CENTRAL.signature) fail('its directory is damaged');
    const next = at + CENTRAL.bytes + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
    if (next > end) fail('its directory is damaged');
    entries.push(entryAt(zip, at, fail));
    at = next;
  }
  return entries;
}

/** Where the last record is: it ends, with its comment, where the file ends. */
function findEnd(zip: Buffer): number | undefined {
  const last = zip.length - END.bytes;
  for (let at = last; at >= Math.max(0, last - END.commentMax); at--) {
    if (zip.readUInt32LE(at) === END.signature && at + END.bytes + zip.readUInt16LE(at + 20) === zip.length) return at;
  }
  return undefined;
}

function entryAt(zip: Buffer, at: number, fail: (why: string) => never): ZipEntry {
  const bytesOfName = zip.subarray(at + CENTRAL.bytes, at + CENTRAL.bytes + zip.readUInt16LE(at + 28));
  const name = bytesOfName.toString('utf8');
  const [crc, packed, size] = [zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 24)];
  const local = zip.readUInt32LE(at + 42);
  if ([packed, size, local].includes(IN_ZIP64)) fail('it is a zip64 file; unpack it and give the folder');
  const damaged = (): never => fail(`${JSON.stringify(name)} in it is damaged`);
  const read = () => {
    if ((zip.readUInt16LE(at + 8) & 1) === 1) fail(`${JSON.stringify(name)} in it is encrypted`);
    if (local + LOCAL.bytes > zip.length || zip.readUInt32LE(local) !== LOCAL.signature) damaged();
    const namedTo = local + LOCAL.bytes + zip.readUInt16LE(local + 26);
    // A reader that goes by the local names must find the same files.
    if (!zip.subarray(local + LOCAL.bytes, namedTo).equals(bytesOfName)) damaged();
    const from = namedTo + zip.readUInt16LE(local + 28);
    if (from + packed > zip.length) damaged();
    const method = zip.readUInt16LE(at + 10);
    if (method !== STORED && method !== DEFLATED) {
      fail(
        `${JSON.stringify(name)} in it is compressed by method ${method}, and only deflate is read; unpack it and give the folder`,
      );
    }
    const bytes = unpack(zip.subarray(from, from + packed), method, size) ?? damaged();
    return bytes.length === size && crc32(bytes) === crc ? bytes : damaged();
  };
  return { name, size, kind: kindOf(zip, at, name), read };
}

/** Undefined when it cannot be unpacked, or unpacks to more than it states. */
function unpack(bytes: Uint8Array, method: number, size: number): Uint8Array | undefined {
  if (method === STORED) return bytes;
  try {
    return inflateRawSync(bytes, { maxOutputLength: Math.max(size, 1) });
  } catch {
    return undefined;
  }
}

/** By the mode that Unix tools note, and the attribute that Windows has for links. */
function kindOf(zip: Buffer, at: number, name: string): ZipEntry['kind'] {
  const madeOn = zip.readUInt8(at + 5);
  const attributes = zip.readUInt32LE(at + 38);
  const isUnix = madeOn === 3 || madeOn === 19;
  const type = isUnix ? (attributes >>> 16) & 0xf000 : 0;
  if (type === 0xa000 || (!isUnix && (attributes & 0x400) !== 0)) return 'link';
  if (name.endsWith('/') && (type === 0 || type === 0x4000)) return 'folder';
  return type === 0 || type === 0x8000 ? 'file' : 'other';
}
