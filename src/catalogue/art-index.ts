// Where the art of a preset lies, and which drawing shows what a title names: made by the build, so that no request parses the
// four megabytes of the catalogue. Reading the files is for catalogue.ts; what a drawing may stand in for, for art.ts.

import { sha256Hex } from '../model/hash.js';
import type { CatalogueEntry, CatalogueLocation } from './catalogue.js';

/** A free drawing: the preset of the sticker that it is, and its title. */
export interface Sketch {
  readonly id: string;
  readonly of: string;
}

/** Sets whose credit line would have to stand on every tile. */
const NAMED_SETS: ReadonlySet<string> = new Set(['twemoji']);
/** Of drawings with one title the one of the earliest set is taken: these fill their shape, outlines are faint. */
const SETS = ['fluent-emoji-flat', 'iconpark-filled', 'iconpark-multi-color', 'iconpark-two-tone', 'iconpark-outline'];

/** Bytes of a row: the digest of the preset, a byte that says whether it may be a sketch, block, offset and length. */
const DIGEST = 6;
const ROW = DIGEST + 1 + 2 + 4 + 4;
const HEAD = 12;
const MAGIC = 0x61727431;

/** Throws an Error when two presets have one digest. `fold` gives the spelling in which titles are compared. */
export function encodeArtIndex(entries: Iterable<CatalogueEntry>, stamp: string, fold: (text: string) => string) {
  const rows: Buffer[] = [];
  const sketches = new Map<string, CatalogueEntry>();
  for (const entry of entries) {
    const isFree = !NAMED_SETS.has(entry.set);
    rows.push(rowOf(entry, isFree));
    const title = fold(entry.title);
    const before = sketches.get(title);
    // One that folds to nothing names nothing, and a line has no place for a break.
    const isName = title !== '' && !/[\t\n\r]/.test(entry.title.trim());
    if (isFree && isName && (before === undefined || rankOf(entry) < rankOf(before))) sketches.set(title, entry);
  }
  rows.sort((a, b) => a.compare(b));
  rows.forEach((row, i) => {
    const next = rows[i + 1];
    if (next?.subarray(0, DIGEST).equals(row.subarray(0, DIGEST))) throw new Error('two presets have one digest');
  });
  const lines = Array.from(sketches, ([title, { preset, title: of }]) => `${title}\t${preset}\t${of.trim()}`);
  const text = Buffer.from([stamp, ...lines].join('\n'));
  const head = Buffer.alloc(HEAD);
  head.writeUInt32LE(MAGIC, 0);
  head.writeUInt32LE(rows.length, 4);
  head.writeUInt32LE(text.length, 8);
  return Buffer.concat([head, ...rows, text]);
}

/** The index of such bytes; undefined for others. */
export function readArtIndex(bytes: Buffer): ArtIndex | undefined {
  if (bytes.length < HEAD || bytes.readUInt32LE(0) !== MAGIC) return undefined;
  const size = HEAD + bytes.readUInt32LE(4) * ROW + bytes.readUInt32LE(8);
  return bytes.length === size ? new ArtIndex(bytes) : undefined;
}

export class ArtIndex {
  /** Of the catalogue that it was made of. */
  readonly stamp: string;
  private readonly bytes: Buffer;
  private readonly rows: number;
  private readonly sketches: ReadonlyMap<string, Sketch>;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.rows = bytes.readUInt32LE(4);
    const from = HEAD + this.rows * ROW;
    const [stamp = '', ...lines] = bytes.toString('utf8', from, from + bytes.readUInt32LE(8)).split('\n');
    this.stamp = stamp;
    this.sketches = new Map(
      lines.map((line) => {
        const [title = '', id = '', of = ''] = line.split('\t');
        return [title, { id, of }] as const;
      }),
    );
  }

  /** Where the file of a preset lies; with `onlyFree`, of one that may be a sketch. */
  find(preset: string, onlyFree = false): CatalogueLocation | undefined {
    const digest = digestOf(preset);
    let [low, high] = [0, this.rows];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.bytes.compare(digest, 0, DIGEST, HEAD + middle * ROW, HEAD + middle * ROW + DIGEST) < 0)
        low = middle + 1;
      else high = middle;
    }
    const at = HEAD + low * ROW;
    if (low >= this.rows || this.bytes.compare(digest, 0, DIGEST, at, at + DIGEST) !== 0) return undefined;
    if (onlyFree && this.bytes[at + DIGEST] !== 1) return undefined;
    const place = at + DIGEST + 1;
    return [this.bytes.readUInt16LE(place), this.bytes.readUInt32LE(place + 2), this.bytes.readUInt32LE(place + 6)];
  }

  /** The drawing of exactly this folded title. */
  sketchOf(title: string): Sketch | undefined {
    return this.sketches.get(title);
  }
}

function rowOf({ preset, at: [block, offset, length] }: CatalogueEntry, isFree: boolean): Buffer {
  const row = Buffer.alloc(ROW);
  digestOf(preset).copy(row);
  row[DIGEST] = isFree ? 1 : 0;
  row.writeUInt16LE(block, DIGEST + 1);
  row.writeUInt32LE(offset, DIGEST + 3);
  row.writeUInt32LE(length, DIGEST + 7);
  return row;
}

function digestOf(preset: string): Buffer {
  return Buffer.from(sha256Hex(Buffer.from(preset)).slice(0, 2 * DIGEST), 'hex');
}

function rankOf({ set }: CatalogueEntry): number {
  const rank = SETS.indexOf(set);
  return rank < 0 ? SETS.length : rank;
}
