// Packs: the catalogue's files, similar ones side by side, in blocks that are compressed one by one. A reader
// decompresses one block of a quarter of a megabyte (a millisecond or two) to have one file.

import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

/** A file to be packed; `order` decides its neighbours. */
export interface PackedFile {
  preset: string;
  order: string;
  bytes: Buffer;
}

/** Block number across all packs, then offset and length in the decompressed block, in bytes. */
export type Location = readonly [block: number, offset: number, length: number];

/** A block in `packs/index.json`: file, where its compressed bytes are, and how long they are decompressed. */
export type BlockRow = readonly [pack: string, offset: number, sizeBytes: number, rawSizeBytes: number];

export interface Packs {
  files: Map<string, Buffer>;
  rows: BlockRow[];
  locations: Map<string, Location>;
}

const RAW_BLOCK_BYTES = 256 * 1024;

const compress = promisify(brotliCompress);

/** The pack a set is kept in; IconPark's four styles share one, for they share their outlines. */
export const packOf = (set: string): string => `${set.replace(/^iconpark-.*/, 'iconpark')}.bin`;

/** Files in their order, cut where a block would grow beyond its size. */
function cutBlocks(files: readonly PackedFile[]): PackedFile[][] {
  const blocks: PackedFile[][] = [];
  let size = Infinity;
  const sorted = files.toSorted((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0));
  for (const file of sorted) {
    if (size + file.bytes.length > RAW_BLOCK_BYTES) {
      blocks.push([]);
      size = 0;
    }
    blocks.at(-1)?.push(file);
    size += file.bytes.length;
  }
  return blocks;
}

async function compressBlock(block: readonly PackedFile[]): Promise<Buffer> {
  const raw = Buffer.concat(block.map((file) => file.bytes));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_LGWIN]: 18,
    [constants.BROTLI_PARAM_SIZE_HINT]: raw.length,
  };
  return compress(raw, { params });
}

/** Two at a time, so that two cores are busy; the order of the results is that of the blocks. */
async function compressAll(blocks: readonly PackedFile[][], onBlock: () => void): Promise<Buffer[]> {
  const results: Buffer[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let i = next++; i < blocks.length; i = next++) {
      results[i] = await compressBlock(blocks[i] ?? []);
      onBlock();
    }
  };
  await Promise.all([work(), work()]);
  return results;
}

function locate(blocks: readonly PackedFile[][]): Map<string, Location> {
  const locations = new Map<string, Location>();
  blocks.forEach((block, number) => {
    let offset = 0;
    for (const file of block) {
      locations.set(file.preset, [number, offset, file.bytes.length]);
      offset += file.bytes.length;
    }
  });
  return locations;
}

/** Packs the files, one pack for each key; calls `onBlock` with done and total as blocks are finished. */
export async function packFiles(
  packs: ReadonlyMap<string, readonly PackedFile[]>,
  onBlock: (done: number, total: number) => void,
): Promise<Packs> {
  const named = [...packs].flatMap(([pack, files]) => cutBlocks(files).map((block) => ({ pack, block })));
  const blocks = named.map(({ block }) => block);
  let done = 0;
  const compressed = await compressAll(blocks, () => onBlock(++done, blocks.length));
  const rows: BlockRow[] = [];
  const chunks = new Map<string, Buffer[]>();
  named.forEach(({ pack, block }, i) => {
    const earlier = chunks.get(pack) ?? [];
    const bytes = compressed[i] ?? Buffer.alloc(0);
    const rawSize = block.reduce((sum, file) => sum + file.bytes.length, 0);
    rows.push([pack, earlier.reduce((sum, chunk) => sum + chunk.length, 0), bytes.length, rawSize]);
    chunks.set(pack, [...earlier, bytes]);
  });
  const files = new Map([...chunks].map(([pack, list]) => [pack, Buffer.concat(list)]));
  return { files, rows, locations: locate(blocks) };
}
