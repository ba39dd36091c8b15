// Reads data/catalogue: the metadata line by line, and one sticker file by decompressing the one small block it
// lies in. Opening parses a list of blocks and nothing else. Which sticker may be read by whom, and what it
// costs, is for others.

import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

/** Where a file lies: block number, then offset and length in the decompressed block, in bytes. */
export type CatalogueLocation = readonly [block: number, offset: number, length: number];

/** One line of `stickers.jsonl`: sizes in pixels, aspect = width / height, duration in seconds, color `#rrggbb`. */
export interface CatalogueEntry {
  preset: string;
  title: string;
  keywords: string[];
  set: string;
  art: string;
  concept: string;
  licence: string;
  motion: string;
  width: number;
  height: number;
  aspect: number;
  duration: number;
  fps: number;
  color: string;
  at: CatalogueLocation;
}

export interface Catalogue {
  /** A digest of the entries, made with them; their places in the packs are part of them. */
  readonly stamp: string;
  /** Every entry in the catalogue's order, read as it is asked for. */
  entries(): Iterable<CatalogueEntry>;
  /** The entry of a preset, or undefined; searches the text, so keep `at` when reading often. */
  findEntry(preset: string): Promise<CatalogueEntry | undefined>;
  /** The exact bytes of a sticker file; throws an Error for a location or preset that is not in the catalogue. */
  readLottie(from: CatalogueLocation | string): Promise<Buffer>;
}

type BlockRow = readonly [pack: string, offset: number, sizeBytes: number, rawSizeBytes: number];

const CHUNK_BYTES = 256 * 1024;
// Blocks of a quarter of a megabyte: a run of neighbours is read from memory, and memory stays small.
const KEPT_BLOCKS = 16;
const NEWLINE = 10;

const decompress = promisify(brotliDecompress);

function* linesOf(file: string): Generator<string> {
  const handle = openSync(file, 'r');
  try {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    let rest = Buffer.alloc(0);
    for (let size = readSync(handle, chunk); size > 0; size = readSync(handle, chunk)) {
      let text = Buffer.concat([rest, chunk.subarray(0, size)]);
      for (let end = text.indexOf(NEWLINE); end >= 0; end = text.indexOf(NEWLINE)) {
        yield text.toString('utf8', 0, end);
        text = text.subarray(end + 1);
      }
      rest = text;
    }
    if (rest.length > 0) yield rest.toString('utf8');
  } finally {
    closeSync(handle);
  }
}

function* parseEntries(file: string): Generator<CatalogueEntry> {
  for (const line of linesOf(file)) yield JSON.parse(line) as CatalogueEntry;
}

async function searchEntry(file: string, preset: string): Promise<CatalogueEntry | undefined> {
  const text = await readFile(file);
  // Every line begins with its preset, and no string in a line can hold this text unescaped.
  const start = text.indexOf(`{"preset":${JSON.stringify(preset)},`);
  if (start < 0) return undefined;
  const end = text.indexOf(NEWLINE, start);
  return JSON.parse(text.toString('utf8', start, end < 0 ? text.length : end)) as CatalogueEntry;
}

async function readBlock(folder: string, row: BlockRow): Promise<Buffer> {
  const [pack, offset, sizeBytes, rawSizeBytes] = row;
  const handle = await open(join(folder, 'packs', pack));
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(sizeBytes), 0, sizeBytes, offset);
    const raw = await decompress(buffer.subarray(0, bytesRead));
    if (raw.length !== rawSizeBytes) throw new Error(`Damaged catalogue: a block of ${pack} at ${offset}`);
    return raw;
  } finally {
    await handle.close();
  }
}

/** The last few blocks by number; two requests for one block at once share the reading of it. */
function keepBlocks(read: (block: number) => Promise<Buffer>): (block: number) => Promise<Buffer> {
  const kept = new Map<number, Promise<Buffer>>();
  return (block) => {
    const bytes = kept.get(block) ?? read(block);
    kept.delete(block);
    kept.set(block, bytes);
    bytes.catch(() => kept.delete(block));
    const oldest = kept.keys().next().value;
    if (kept.size > KEPT_BLOCKS && oldest !== undefined) kept.delete(oldest);
    return bytes;
  };
}

/** Opens the catalogue in a folder; throws an Error when there is none. It holds no file open between calls. */
export function openCatalogue(folder: string): Catalogue {
  const { blocks, stamp } = JSON.parse(readFileSync(join(folder, 'packs', 'index.json'), 'utf8')) as {
    blocks: BlockRow[];
    stamp: string;
  };
  const stickers = join(folder, 'stickers.jsonl');
  const getBlock = keepBlocks((block) => {
    const row = blocks[block];
    return row === undefined ? Promise.reject(new Error(`No block ${block}`)) : readBlock(folder, row);
  });
  const locate = async (from: CatalogueLocation | string): Promise<CatalogueLocation> => {
    if (typeof from !== 'string') return from;
    const entry = await searchEntry(stickers, from);
    if (entry === undefined) throw new Error(`No sticker ${from} in the catalogue`);
    return entry.at;
  };
  return {
    stamp,
    entries: () => parseEntries(stickers),
    findEntry: (preset) => searchEntry(stickers, preset),
    readLottie: async (from) => {
      const [block, offset, length] = await locate(from);
      const bytes = await getBlock(block);
      if (offset < 0 || offset + length > bytes.length) throw new Error(`No sticker at ${block}, ${offset}`);
      // A copy: a slice would keep the whole block alive for as long as the caller keeps the file.
      return Buffer.from(bytes.subarray(offset, offset + length));
    },
  };
}
