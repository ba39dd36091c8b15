// Keeps the index of one file current: loads it, or builds it, and puts in what changes, a few stickers at once and many in
// steps. What is asked of it is for library.ts; where stickers are kept is for sticker-store.ts.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import { stepOf } from '../platform/steps.js';
import type { Sticker } from '../model/sticker.js';
import { Facts } from './search-index/facts.js';
import { loadGlossary } from './language/glossary.js';
import { createQueryContext, type QueryContext } from './query/query-context.js';
import { decodeSnapshot, encodeSnapshot } from './search-index/snapshot.js';
import { Spelling } from './search-index/spelling.js';
import { StickerIndex } from './search-index/sticker-index.js';
import type { Indexable } from './search-index/sticker-terms.js';
import type { StickerStore } from './storage/sticker-store.js';
import type { Synonyms } from './language/synonyms.js';

export interface IndexManagerOptions {
  /** Reads the synonyms. */
  readonly synonyms: () => Synonyms;
  readonly log: Log;
  readonly clock: Clock;
}

/** A library of so few is built at once. */
const SMALL = 1000;
/** More changes are put in in steps. */
const MAX_AT_ONCE = 512;
/** As many are put in in a few milliseconds. */
export const FEW = 32;
/** About sixteen megabytes of stickers at most. */
const KEPT_STICKERS = 16_384;
/** Stickers read at once while an index is built. */
const PAGE = 256;
/** Dropped documents beyond this and half of those listed are cleared away. */
const MAX_DROPPED = 1000;

/** Loads, builds, changes and forgets the index of one library. */
export class IndexManager {
  /** Steps on when an answer could change although the store did not. */
  generation = 0;
  private readonly store: StickerStore;
  private readonly options: IndexManagerOptions;
  /** Stickers that were listed, by row. */
  private kept: (Sticker | undefined)[] = [];
  private keptCount = 0;
  private synonyms: Synonyms | undefined;
  private loaded: QueryContext | undefined;
  /** Begun and not yet in use. */
  private build: Build | undefined;
  /** Changes that wait to be put in, and how many waited at most. */
  private readonly waiting = new Set<string>();
  private mostWaiting = 0;
  private puttingIn: Promise<void> | undefined;
  private isUnsaved = false;
  private isClosed = false;
  private facts: Facts | undefined;
  // A caller that asks again and again gives the same set.
  private lastPresets: { presets: ReadonlySet<string>; documents: ReadonlySet<number> } | undefined;
  private presetOrder: { readonly revision: number; readonly rowids: Uint32Array } | undefined;
  /** Whether the index lacks some of what was learned. */
  private isStale = false;

  constructor(store: StickerStore, options: IndexManagerOptions) {
    this.store = store;
    this.options = options;
  }

  /** How much of what is built or put in in steps is done, from 0 to 1; undefined while nothing is. */
  get building(): number | undefined {
    if (this.build !== undefined) return Math.min(1, this.build.index.size / Math.max(1, this.store.size));
    return this.waiting.size === 0 ? undefined : 1 - this.waiting.size / this.mostWaiting;
  }

  /** The index and all that goes with it, loaded or built when there is none. */
  current(): QueryContext {
    if (this.loaded === undefined) {
      if (this.build === undefined && this.load()) return this.loaded!;
      const build = this.beginBuild();
      while (build.step());
      return this.finish(build);
    }
    // New synonyms change what a query finds, not what is indexed.
    if (this.loaded.synonyms !== this.loadSynonyms()) this.loaded = this.contextOf(this.loaded.index, this.loaded);
    return this.loaded;
  }

  /**
   * What the store changed is found from now on. Of more than `most`, or very many, only the few that are urgent are put in
   * at once, the others in steps.
   */
  takeIn(most = Infinity, isUrgent: (preset: string) => boolean = () => false): void {
    const presets = this.store.takeChanged();
    // What is not yet read for a build will be.
    if (presets.size === 0 || (this.loaded === undefined && this.build === undefined)) return;
    const isMany = presets.size > Math.min(most, MAX_AT_ONCE) || this.loaded === undefined;
    const urgent = isMany ? [...presets].filter(isUrgent) : [...presets];
    const isAtOnce = this.loaded !== undefined && (!isMany || urgent.length <= FEW);
    for (const preset of presets) this.waiting.add(preset);
    if (isAtOnce) this.putIn(urgent);
    this.mostWaiting = Math.max(this.mostWaiting, this.waiting.size);
    this.putInWaiting();
  }

  /** These rows are no more. A number may have been given again, to a sticker that is taken in next. */
  drop(removed: readonly number[]): void {
    this.isUnsaved = true;
    for (const rowid of removed) {
      this.kept[rowid] = undefined;
      if (this.loaded === undefined) this.build?.drop(rowid);
      else this.loaded.index.drop(rowid);
    }
  }

  /** Other synonyms: what is indexed stays. */
  forgetSynonyms(): void {
    this.synonyms = undefined;
    this.generation++;
  }

  /** The synonyms in use. */
  loadSynonyms(): Synonyms {
    return (this.synonyms ??= this.options.synonyms());
  }

  /** Something was learned that need not be found at once; false when nothing is loaded and all will be found anyway. */
  noteStale(): boolean {
    if (this.loaded === undefined) return false;
    this.isStale = true;
    return true;
  }

  /** Brings the index up to what was noted with `noteStale`, in steps, while questions go on. */
  async freshen(): Promise<void> {
    if (!this.isStale) return;
    this.isStale = false;
    this.forgetSynonyms();
    this.takeIn(0);
    await this.puttingIn;
  }

  /** Loads or builds as `current` does, but builds in steps what is more than a few. */
  async prepareBeside(small = SMALL): Promise<void> {
    if (this.loaded === undefined && this.build === undefined) this.load();
    if (this.loaded === undefined && this.store.size > small) {
      const build = this.beginBuild();
      // A question may finish it meanwhile.
      while (!this.isClosed && this.build === build) {
        const isOver = stepOf(this.options.clock);
        while (build.step()) if (isOver()) break;
        if (build.isDone) this.finish(build);
        await nextTurn();
      }
    }
    if (!this.isClosed) this.current();
  }

  /** Resolves when all that the store holds can be found, without holding up questions. */
  async untilFound(): Promise<void> {
    await this.prepareBeside(0);
    await this.puttingIn;
  }

  /** The sticker in this row; the same object while it is in use. */
  stickerAt(rowid: number): Sticker {
    return this.kept[rowid] ?? this.keepSticker(rowid);
  }

  private keepSticker(rowid: number): Sticker {
    if (this.keptCount >= KEPT_STICKERS) {
      this.kept = [];
      this.keptCount = 0;
    }
    this.keptCount += 1;
    return (this.kept[rowid] = this.store.get(rowid));
  }

  /** Shape, length and color by document. */
  readFacts(): Facts {
    if (this.facts !== undefined) return this.facts;
    const { index } = this.current();
    const known = new Map(this.store.listFacts().map((row) => [row.rowid, row]));
    this.facts = new Facts(index.capacity);
    for (const document of index.documents()) {
      const row = known.get(index.rowidOf(document));
      if (row !== undefined) this.facts.put(document, row);
    }
    return this.facts;
  }

  /** Every document, in preset order. */
  listDocuments(): Uint32Array {
    const { index } = this.current();
    const { revision } = this.store;
    if (this.presetOrder?.revision !== revision) this.presetOrder = { revision, rowids: this.store.listRows() };
    const documents = Int32Array.from(this.presetOrder.rowids, (rowid) => index.documentOfRow(rowid));
    return Uint32Array.from(documents.filter((document) => document >= 0));
  }

  /** The document of a preset, if it is known. */
  findDocument(preset: string): number | undefined {
    const rowid = this.store.findRow(preset);
    const document = rowid === undefined ? -1 : this.current().index.documentOfRow(rowid);
    return document < 0 ? undefined : document;
  }

  /** The same of many. */
  findDocuments(presets: ReadonlySet<string>): ReadonlySet<number> {
    if (this.lastPresets?.presets === presets) return this.lastPresets.documents;
    const { lastPresets: last } = this;
    // Mostly something was bought: then only that is looked up.
    const added = last === undefined ? [] : [...presets].filter((preset) => !last.presets.has(preset));
    const isMore = last !== undefined && last.presets.size + added.length === presets.size;
    const documents = new Set(isMore ? last.documents : []);
    for (const preset of isMore ? added : presets) {
      const document = this.findDocument(preset);
      if (document !== undefined) documents.add(document);
    }
    this.lastPresets = { presets, documents };
    return documents;
  }

  close(): void {
    // So that the next start need not build; a file that cannot be read any more is for the caller.
    if (this.loaded !== undefined && !this.isClosed) this.keep(() => this.takeIn());
    this.isClosed = true;
    this.loaded = undefined;
    this.build = undefined;
    this.waiting.clear();
  }

  private putIn(presets: readonly string[]): void {
    const { index, glossary } = this.loaded!;
    const { capacity } = index;
    const reader = index.reader(glossary);
    this.lastPresets = undefined;
    this.isUnsaved = true;
    for (const preset of presets) {
      this.waiting.delete(preset);
      const sticker = this.store.findIndexable(preset);
      if (sticker === undefined) continue;
      const document = index.put(sticker, reader);
      if (index.capacity > capacity) this.facts = undefined;
      this.facts?.put(document, this.store.getFacts(preset));
      this.kept[sticker.rowid] = undefined;
    }
    this.generation++;
    const isFullOfDropped = index.size - index.listed > MAX_DROPPED + index.listed / 2;
    if (isFullOfDropped) this.facts = undefined;
    if (isFullOfDropped) this.loaded = this.contextOf(new StickerIndex(index.toArrays()));
    else if (index.capacity > capacity) this.loaded = this.contextOf(index, this.loaded);
  }

  private putInWaiting(): void {
    if (this.waiting.size === 0) return;
    this.puttingIn ??= this.putInSteps()
      .catch((error: unknown) => {
        // The next question builds, and says what is wrong.
        this.options.log.warn('library not indexed anew', { reason: (error as Error).message });
        this.loaded = undefined;
        this.waiting.clear();
      })
      .finally(() => (this.puttingIn = undefined));
  }

  private async putInSteps(): Promise<void> {
    for (;;) {
      await nextTurn();
      if (this.isClosed || this.waiting.size === 0) break;
      const isOver = stepOf(this.options.clock);
      while (this.loaded !== undefined && this.waiting.size > 0 && !isOver()) {
        this.putIn([...first(this.waiting, FEW / 4)]);
      }
    }
    this.mostWaiting = 0;
  }

  private beginBuild(): Build {
    return (this.build ??= new Build(this.store, this.options.clock));
  }

  private finish({ index, startedAt }: Build): QueryContext {
    this.build = undefined;
    this.loaded = this.contextOf(index);
    this.isUnsaved = true;
    // Documents have other numbers now.
    this.facts = this.lastPresets = undefined;
    this.generation++;
    // What came meanwhile and was not told yet is no part of what is kept.
    this.takeIn(0);
    if (this.waiting.size === 0) this.keep();
    const ms = Math.round(this.options.clock.monotonic() - startedAt);
    this.options.log.info('library indexed', { stickers: index.size, ms });
    return this.loaded;
  }

  private load(): boolean {
    const bytes = this.store.findSnapshot();
    const stored = bytes && decodeSnapshot(bytes);
    if (bytes !== undefined && stored === undefined) this.options.log.warn('library snapshot unusable, building again');
    if (stored === undefined) return false;
    this.loaded = this.contextOf(stored);
    return true;
  }

  private contextOf(index: StickerIndex, { spelling }: { spelling?: Spelling } = {}): QueryContext {
    const synonyms = this.loadSynonyms();
    return createQueryContext({ index, spelling: spelling ?? new Spelling(index), synonyms, glossary: loadGlossary() });
  }

  // Without a snapshot the next start is slower; that is no reason not to answer.
  private keep(before: () => void = () => undefined): void {
    try {
      before();
      if (!this.isUnsaved || this.waiting.size > 0 || this.loaded === undefined) return;
      this.store.saveSnapshot(encodeSnapshot(this.loaded.index));
      this.isUnsaved = false;
    } catch (error) {
      this.options.log.warn('library snapshot not kept', { reason: (error as Error).message });
    }
  }
}

/** An index on its way, sticker by sticker in preset order. */
class Build {
  readonly index = new StickerIndex();
  readonly startedAt: number;
  isDone = false;
  private readonly store: StickerStore;
  private readonly reader = this.index.reader(loadGlossary());
  private page: Indexable[] = [];
  private after = '';

  constructor(store: StickerStore, clock: Clock) {
    this.store = store;
    this.startedAt = clock.monotonic();
  }

  /** A row that is no more, whether it is put in or only read. */
  drop(rowid: number): void {
    this.page = this.page.filter((one) => one.rowid !== rowid);
    this.index.drop(rowid);
  }

  /** Puts in one more; false when there is none. */
  step(): boolean {
    if (this.page.length === 0) {
      const rows = this.store.listIndexable(this.after, PAGE);
      this.after = rows.at(-1)?.preset ?? this.after;
      this.page = rows.toReversed();
    }
    const sticker = this.page.pop();
    if (sticker === undefined) this.isDone = true;
    else this.index.put(sticker, this.reader);
    return !this.isDone;
  }
}

function* first<T>(all: Iterable<T>, most: number): Iterable<T> {
  let left = most;
  for (const one of all) {
    if (left-- <= 0) return;
    yield one;
  }
}
