// A zip file as a stream, one file in memory at a time. Files are stored as they are: the sizes and checksums of what is
// written are known before it is, and everything that unpacks can read it. The format: PKWARE's APPNOTE.TXT, 4.3 and 4.4.

import { crc32 } from 'node:zlib';

export interface ZippedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

interface Entry {
  readonly name: Buffer;
  readonly crc: number;
  readonly size: number;
  readonly offset: number;
}

/** Stands in 32 bits for what only zip64 can say. */
const TOO_LARGE = 0xffffffff;
/** Version 2.0 unpacks it; names are UTF-8 (bit 11). */
const [VERSION, UTF_8] = [20, 1 << 11];
/** The first day that the format knows: the same files are the same zip, whenever it is made. */
const DATE = (1 << 5) | 1;
/** A regular file that everybody may read, as Unix writes it in the high half of the attributes. */
const ATTRIBUTES = (0o100644 << 16) >>> 0;

/** The bytes of a zip of these files, in their order. Throws a RangeError beyond 4 GiB. */
export async function* zipOf(files: AsyncIterable<ZippedFile>): AsyncGenerator<Uint8Array> {
  const entries: Entry[] = [];
  let offset = 0;
  const passed = <T extends Uint8Array>(bytes: T): T => {
    offset += bytes.byteLength;
    if (offset >= TOO_LARGE) throw new RangeError('the zip would be larger than 4 GiB');
    return bytes;
  };
  for await (const { name, bytes } of files) {
    const entry = { name: Buffer.from(name), crc: crc32(bytes), size: bytes.byteLength, offset };
    entries.push(entry);
    yield passed(localHeader(entry));
    yield passed(bytes);
  }
  const start = offset;
  for (const entry of entries) yield passed(centralHeader(entry));
  yield endOf(entries.length, offset - start, start);
}

function localHeader(entry: Entry): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  writeFacts(header, 4, entry);
  return Buffer.concat([header, entry.name]);
}

function centralHeader(entry: Entry): Buffer {
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  // Made by Unix (3), so that the attributes are read.
  header.writeUInt16LE((3 << 8) | VERSION, 4);
  writeFacts(header, 6, entry);
  header.writeUInt32LE(ATTRIBUTES, 38);
  header.writeUInt32LE(entry.offset, 42);
  return Buffer.concat([header, entry.name]);
}

/** What both headers say of a file. */
function writeFacts(header: Buffer, at: number, { name, crc, size }: Entry): void {
  header.writeUInt16LE(VERSION, at);
  header.writeUInt16LE(UTF_8, at + 2);
  header.writeUInt16LE(DATE, at + 8);
  header.writeUInt32LE(crc, at + 10);
  header.writeUInt32LE(size, at + 14);
  header.writeUInt32LE(size, at + 18);
  header.writeUInt16LE(name.byteLength, at + 22);
}

function endOf(count: number, bytes: number, start: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(bytes, 12);
  end.writeUInt32LE(start, 16);
  return end;
}
