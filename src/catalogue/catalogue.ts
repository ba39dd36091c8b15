// Reads data/catalogue: the metadata line by line, and one sticker file by decompressing the one small block it
// lies in. Opening parses a list of blocks and nothing else. Who may read which sticker, and what it costs, is
// decided elsewhere.

import { existsSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress, type BrotliOptions } from 'node:zlib';
import type { Titles } from '../model/sticker.js';
import { keepRecent } from '../platform/keep-recent.js';

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
  /** By language: English, and Japanese and Korean where Unicode names the thing. */
  titles?: Titles;
}

export type Catalogue = ReturnType<typeof openCatalogue>;

type BlockRow = readonly [pack: string, offset: number, sizeBytes: number, rawSizeBytes: number];

// Blocks of a quarter of a megabyte: a run of neighbours is read from memory, and memory stays small.
const KEPT_BLOCKS = 16;
const NEWLINE = 10;

const decompress = promisify<Uint8Array, BrotliOptions, Buffer>(brotliDecompress);

/** Parses a line at a time: all entries together take many times the file's size. */
function* parseEntries(folder: string): Generator<CatalogueEntry> {
  const titles = readTitles(join(folder, 'titles.txt'));
  const text = readFileSync(join(folder, 'stickers.jsonl'));
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf(NEWLINE, start);
    const end = newline < 0 ? text.length : newline;
    const entry = JSON.parse(text.toString('utf8', start, end)) as CatalogueEntry;
    const others = titles.get(entry.concept);
    yield others === undefined ? entry : { ...entry, titles: others };
    start = end + 1;
  }
}

/** Titles in other languages, by concept; none where the catalogue has no such file. */
function readTitles(file: string): Map<string, CatalogueEntry['titles']> {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  return new Map(
    lines.map((line) => {
      const [concept = '', en = '', ja, ko] = line.split('\t');
      return [concept, ja && ko ? { en, ja, ko } : { en }] as const;
    }),
  );
}

async function readBlock(folder: string, row: BlockRow): Promise<Buffer> {
  const [pack, offset, sizeBytes, rawSizeBytes] = row;
  const handle = await open(join(folder, 'packs', pack));
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(sizeBytes), 0, sizeBytes, offset);
    const raw = await decompress(buffer.subarray(0, bytesRead), { maxOutputLength: rawSizeBytes });
    if (raw.length !== rawSizeBytes) throw new Error(`Damaged catalogue: a block of ${pack} at ${offset}`);
    return raw;
  } finally {
    await handle.close();
  }
}

/** Opens the catalogue in a folder; throws an Error when there is none. It holds no file open between calls. */
export function openCatalogue(folder: string) {
  const { blocks, stamp } = JSON.parse(readFileSync(join(folder, 'packs', 'index.json'), 'utf8')) as {
    blocks: BlockRow[];
    stamp: string;
  };
  const recent = keepRecent<Buffer>(KEPT_BLOCKS);
  const getBlock = (block: number) =>
    recent(`${block}`, () => {
      const row = blocks[block];
      return row === undefined ? Promise.reject(new Error(`No block ${block}`)) : readBlock(folder, row);
    });
  return {
    /** A digest of the entries, made with them; their places in the packs are part of them. */
    stamp,
    /** Every entry in the catalogue's order, read as it is asked for. */
    entries: (): Iterable<CatalogueEntry> => parseEntries(folder),
    /** The exact bytes of a sticker file; throws an Error for a location that is not in the catalogue. */
    readLottie: async ([block, offset, length]: CatalogueLocation): Promise<Buffer> => {
      const bytes = await getBlock(block);
      if (offset < 0 || offset + length > bytes.length) throw new Error(`No sticker at ${block}, ${offset}`);
      // A copy: a slice would keep the whole block alive for as long as the caller keeps the file.
      return Buffer.from(bytes.subarray(offset, offset + length));
    },
  };
}

/** What Twemoji asks for, or an equal line (data/README.md). */
const TWEMOJI =
  'Twemoji graphics © Twitter, Inc. and other contributors, CC-BY 4.0 (https://creativecommons.org/licenses/by/4.0/)';

/** The line that the art of an entry asks for by its licence; undefined when it asks for none. */
export function attributionOfArt({ set, licence }: Pick<CatalogueEntry, 'set' | 'licence'>): string | undefined {
  if (!/CC-BY/.test(licence)) return undefined;
  return set === 'twemoji' ? TWEMOJI : `${set} (${licence})`;
}
