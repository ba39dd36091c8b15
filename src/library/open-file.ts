// What belongs to one file of the library, and what a question limits its results by.

import type { IndexManager } from './index-manager.js';
import { compileFilter, type Accepts, type StickerFilter } from './query/filter.js';
import type { ShippedLimits } from './query/shipped-rule.js';
import type { Scored } from './query/top-k.js';
import type { StickerIndex } from './search-index/sticker-index.js';
import type { LearnedData } from './storage/learned-data.js';
import { listShippedRows } from './storage/shipped-rows.js';
import type { StickerStore } from './storage/sticker-store.js';

export interface OpenFile {
  readonly store: StickerStore;
  readonly learned: LearnedData;
  readonly index: IndexManager;
  readonly shipped: ShippedDocuments;
}

type Found = Pick<ShippedLimits, 'documents' | 'marks'>;

/** Which documents are svcd's own stickers; looked up again when stickers or the index changed. */
export class ShippedDocuments {
  private readonly store: StickerStore;
  private found: Found | undefined;
  private madeFrom: { readonly revision: number; readonly index: StickerIndex } | undefined;

  constructor(store: StickerStore) {
    this.store = store;
  }

  /** How many there are. */
  count(): number {
    return listShippedRows(this.store).length;
  }

  /** Undefined when there are none. */
  find(revision: number, index: StickerIndex): Found | undefined {
    if (this.madeFrom?.revision !== revision || this.madeFrom.index !== index) this.lookUp(index);
    this.madeFrom = { revision, index };
    return this.found;
  }

  private lookUp(index: StickerIndex): void {
    const rows = listShippedRows(this.store);
    const documents = Uint32Array.from(
      rows.map((rowid) => index.documentOfRow(rowid)).filter((document) => document >= 0),
    );
    const marks = new Uint8Array(index.capacity);
    for (const document of documents) marks[document] = 1;
    this.found = documents.length === 0 ? undefined : { documents, marks };
  }
}

/** Undefined for a filter without a condition. */
export function acceptsOf(filter: StickerFilter, index: IndexManager): Accepts | undefined {
  if (Object.values(filter).every((condition) => condition === undefined)) return undefined;
  return compileFilter(filter, index.readFacts(), (presets) => index.findDocuments(presets));
}

/** The stickers that are gone behind all others. */
export function sinkGone(best: readonly Scored[], { index, learned }: OpenFile): readonly Scored[] {
  if (learned.goneCount === 0) return best;
  const { index: postings } = index.current();
  const isGone = ({ document }: Scored) => learned.isGone(index.stickerAt(postings.rowidOf(document)).preset);
  const gone = best.filter(isGone);
  return gone.length === 0 ? best : [...best.filter((one) => !isGone(one)), ...gone];
}
