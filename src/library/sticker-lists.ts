// Lists of stickers in any order and to their end: what was listed last is kept, so that the next page is no new question.
// What a query finds is for answer-questions.ts, the orders are made by sticker-orders.ts.

import type { Clock } from '../platform/clock.js';
import { findDocuments, hitsOf, type FoundDocuments } from './answer-questions.js';
import type { FoundSticker, ListRequest, SearchHits } from './found-stickers.js';
import type { OpenFile } from './open-file.js';
import { ownTurn } from '../platform/steps.js';
import type { StickerFilter } from './query/filter.js';
import type { Scored } from './query/top-k.js';
import { StickerOrders } from './sticker-orders.js';

/** Half a megabyte each for the largest library. */
const KEPT = 8;
/** A list is found so far at first, and twice as far whenever a page lies beyond. */
const FIRST = 1024;
/** As many stickers are read from the file in two milliseconds. */
const TOLD_AT_ONCE = 64;
/** So often an order that stickers overtook is made anew; then it is used without the newest. */
const TRIES = 3;

interface Kept extends Omit<FoundDocuments, 'best'> {
  readonly documents: Uint32Array;
  /** Whether there are no more. */
  readonly isWhole: boolean;
}

/** A page that was found, and how to see whether it still is what it was. */
interface Page {
  readonly found: Omit<FoundDocuments, 'best'>;
  readonly best: readonly Scored[];
  readonly revisionOf: () => number;
  readonly tries: number;
}

/** The lists of one library. */
export class StickerLists {
  private readonly clock: Clock;
  private readonly kept = new Map<string, Kept>();
  private orders: { readonly open: OpenFile; readonly of: StickerOrders } | undefined;
  private ordered: { readonly key: string; readonly documents: Uint32Array } | undefined;
  private variants: { readonly revision: number; readonly counts: Uint32Array } | undefined;
  /** Sets of presets are told apart by what they are. */
  private readonly sets = new WeakMap<ReadonlySet<string>, number>();
  private nextSet = 0;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** A page of a list; a promise while its order is made. */
  list(
    open: OpenFile,
    request: ListRequest,
    revisionOf: () => number,
    tries = TRIES,
  ): SearchHits | Promise<SearchHits> {
    const { order, offset, limit } = request;
    const revision = revisionOf();
    // The first page is what search gives, at its price.
    if (order === 'best' && offset === 0) {
      const found = findDocuments(open, revision, request, limit);
      return this.tell(open, request, { found, best: found.best.slice(0, limit), revisionOf, tries });
    }
    const key = this.keyOf(request, revision);
    const known = this.kept.get(key);
    if (known !== undefined && (known.isWhole || known.documents.length >= offset + limit)) {
      return this.pageOf(open, request, this.keep(key, known), revisionOf, tries);
    }
    if (order === 'best') {
      const count = Math.max(FIRST, 2 ** Math.ceil(Math.log2(offset + limit)));
      const { best, ...said } = findDocuments(open, revision, request, count);
      const documents = Uint32Array.from(best.slice(0, count), ({ document }) => document);
      return this.pageOf(
        open,
        request,
        this.keep(key, { ...said, documents, isWhole: best.length < count }),
        revisionOf,
        tries,
      );
    }
    const { store } = open;
    const made = store.revision;
    return this.ordersOf(open)
      .rowsIn(order)
      .then(async (rowids) => {
        await ownTurn();
        if (tries > 0 && store.revision !== made) return this.list(open, request, revisionOf, tries - 1);
        return this.pageOf(open, request, this.sort(open, request, revisionOf(), rowids), revisionOf, tries);
      });
  }

  /** How many others show what each of these shows. */
  countVariants({ index }: OpenFile, hits: readonly FoundSticker[], revision: number): number[] {
    const { index: postings } = index.current();
    if (this.variants?.revision !== revision) {
      const counts = new Uint32Array(postings.terms.size);
      for (const document of postings.documents()) counts[postings.conceptOf(document)]! += 1;
      this.variants = { revision, counts };
    }
    const { counts } = this.variants;
    return hits.map(({ sticker, document = index.findDocument(sticker.preset) }) =>
      document === undefined ? 0 : Math.max(0, counts[postings.conceptOf(document)]! - 1),
    );
  }

  /** Of what is found, in the order of all. */
  private sort(open: OpenFile, request: ListRequest, revision: number, rowids: Uint32Array): Kept {
    const { index } = open.index.current();
    const { best, ...said } = findDocuments(open, revision, request, index.capacity, true);
    const isListed = new Uint8Array(index.capacity);
    // Behind its total the library lists what hardly fits.
    for (const { document } of best.slice(0, said.total)) isListed[document] = 1;
    const documents = this.inOrder(open, `${revision} ${request.order}`, rowids).filter(
      (document) => isListed[document] === 1,
    );
    return this.keep(this.keyOf(request, revision), { ...said, documents, isWhole: true });
  }

  private inOrder({ index }: OpenFile, key: string, rowids: Uint32Array): Uint32Array {
    if (this.ordered?.key !== key) {
      const { index: postings } = index.current();
      const documents = Int32Array.from(rowids, (rowid) => postings.documentOfRow(rowid));
      this.ordered = { key, documents: Uint32Array.from(documents.filter((document) => document >= 0)) };
    }
    return this.ordered.documents;
  }

  private pageOf(
    open: OpenFile,
    request: ListRequest,
    { documents, ...found }: Kept,
    revisionOf: () => number,
    tries: number,
  ): SearchHits | Promise<SearchHits> {
    const { offset, limit } = request;
    const best = Array.from(documents.subarray(offset, offset + limit), (document) => ({ document, score: 0 }));
    return this.tell(open, request, { found, best, revisionOf, tries });
  }

  /** Of a long page in steps; anew where stickers changed meanwhile, the last time at once. */
  private tell(open: OpenFile, request: ListRequest, page: Page): SearchHits | Promise<SearchHits> {
    const { found, best, revisionOf, tries } = page;
    if (tries === 0 || best.length <= TOLD_AT_ONCE) return hitsOf(open, found, best);
    return this.tellInSteps(open, request, page, revisionOf());
  }

  private async tellInSteps(
    open: OpenFile,
    request: ListRequest,
    { found, best, revisionOf, tries }: Page,
    revision: number,
  ): Promise<SearchHits> {
    const hits: SearchHits['hits'][number][] = [];
    for (let at = 0; at < best.length; at += TOLD_AT_ONCE) {
      await ownTurn();
      if (revisionOf() !== revision) return this.list(open, request, revisionOf, tries - 1);
      hits.push(...hitsOf(open, found, best.slice(at, at + TOLD_AT_ONCE)).hits);
    }
    return { ...hitsOf(open, found, []), hits };
  }

  private ordersOf(open: OpenFile): StickerOrders {
    if (this.orders?.open !== open) this.orders = { open, of: new StickerOrders(open.store, this.clock) };
    return this.orders.of;
  }

  private keep(key: string, list: Kept): Kept {
    this.kept.delete(key);
    this.kept.set(key, list);
    const [oldest] = this.kept.keys();
    if (this.kept.size > KEPT && oldest !== undefined) this.kept.delete(oldest);
    return list;
  }

  private keyOf({ query, filter, shipped, order }: ListRequest, revision: number): string {
    return JSON.stringify([revision, order, query, shipped, this.filterKey(filter)]);
  }

  private filterKey({ presets, ...rest }: StickerFilter): unknown {
    // JSON has no Infinity.
    const bounds = JSON.stringify(rest, (_, value: unknown) => (value === Infinity ? 'any' : value));
    if (presets === undefined) return [bounds];
    const set = this.sets.get(presets.set) ?? (this.nextSet += 1);
    this.sets.set(presets.set, set);
    return [bounds, set, presets.within];
  }
}
