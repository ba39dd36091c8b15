// Owned bytes: kept with their purchase in one transaction, checked by digest when read.

import type { Asset, Cost } from '../model/asset.js';
import { sha256Beside, sha256Hex } from '../model/hash.js';
import { gunzipOrNothing } from '../platform/compressed-forms.js';

/** The bytes of an item, ready to be kept. */
export interface ItemFile {
  readonly item: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** What proves that a hub paid for it, of what came from one. */
  readonly receipt?: string | undefined;
}

export type OwnedFacts = Pick<Asset, 'contentType' | 'sha256'> & {
  readonly size: number;
  /** The purchase that brought it; null for what was imported, and for files that belong to something bought. */
  readonly purchaseId: number | null;
  readonly receipt: string | null;
};

export interface OwnedStore {
  /** The owned bytes of an item; undefined when there are none, or when they no longer match their digest. */
  find(item: string): Promise<Asset | undefined>;
  /** Commits bytes, `paid` and cost together; `unknown` where the cost is. */
  keep(purchaseId: number, cost: Cost, file: ItemFile): Promise<Asset>;
  /** Keeps a file that belongs to something bought, such as the picture an answer points at. */
  keepFile(file: ItemFile): Promise<void>;
  /** Commits `unknown`, and keeps unusable bytes as evidence, gzipped; they are never served. */
  keepEvidence(purchaseId: number, file: ItemFile, why: string): Promise<void>;
  /** The item kept last among this one and those whose names begin with `prefix`. */
  findNewestOf(item: string, prefix: string): string | undefined;
  has(item: string): boolean;
  /** Media type, digest and length of an owned item, without reading it. */
  describe(item: string): OwnedFacts | undefined;
  /** All stickers, in any order. */
  listPresets(): string[];
  /** Stickers kept since the row `afterId`, the latest first. */
  listStickers(afterId: number, limit: number): { id: number; preset: string }[];
  /** Names of images whose answers are at most `maxBytes` long, the latest first. */
  listImages(limit: number, maxBytes: number): string[];
  /** Stickers whose file was found damaged and has not been bought again. */
  listDamaged(): string[];
  /** How many items are owned. */
  count(): number;
  countStickers(): number;
  /** Drops what memory still has of an item whose row is gone. */
  forget(item: string): void;
}

/** Why a paid purchase is marked so in the journal: a hub made it, so that its bytes can be had again for nothing. */
export const OF_HUB = 'hub';
/** Why one of unknown end is owned: the hub has not told what it cost. */
export const COST_UNTOLD = 'cost_untold';

/** The bytes of a row; undefined when they no longer match their digest. */
export async function readSound(row: { readonly gzip: Buffer; readonly sha256: string; readonly size: number }) {
  const bytes = await gunzipOrNothing(row.gzip, row.size);
  return bytes !== undefined && (await digestOf(bytes)) === row.sha256 ? bytes : undefined;
}

/** Above it a file is committed before it is compressed, which takes seconds and hundreds of megabytes; and one after another. */
export const LARGE_BYTES = 1024 * 1024;

/** A digest that holds nobody up; of what is small another thread would take longer. */
export async function digestOf(bytes: Uint8Array): Promise<string> {
  return bytes.byteLength > LARGE_BYTES ? sha256Beside(bytes) : sha256Hex(bytes);
}

/** A row as another database has it, and a copy of it here. */
export interface OwnedCopy {
  readonly item: string;
  readonly contentType: string;
  readonly sha256: string;
  readonly size: number;
  readonly gzip: Buffer;
  readonly brotli: Buffer | null;
  readonly receipt: string | null;
  readonly origin: string;
  readonly keptAt: number;
}

export interface OwnedCopies {
  /** In place of what lies there damaged. A full disk here costs nothing but another look at the database. */
  put(row: OwnedCopy): void;
  list(): readonly Pick<OwnedCopy, 'item' | 'receipt'>[];
}
