// Keeps the index of one file current: loads or builds it, puts changes beside it, and has it built anew in a thread while
// the old one answers. What is asked of it is for library.ts; where stickers are kept is for sticker-store.ts.

import type { Clock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import type { Sticker } from '../model/sticker.js';
import { buildIndex } from './search-index/build-index.js';
import { CombinedIndex } from './search-index/combined-index.js';
import { Facts } from './search-index/facts.js';
import { loadGlossary } from './language/glossary.js';
import { normalise } from './language/normalise.js';
import { createQueryContext, type QueryContext } from './query/query-context.js';
import type { Rebuild, Rebuilt, StartRebuild } from './rebuild-index.js';
import { decodeSnapshot, encodeSnapshot, type Snapshot } from './search-index/snapshot.js';
import { compileSpelling, Spelling } from './search-index/spelling.js';
import type { StickerStore } from './storage/sticker-store.js';
import type { Synonyms } from './language/synonyms.js';

export interface IndexManagerOptions {
  readonly file: string;
  readonly scope: string;
  /** Reads the synonyms. */
  readonly synonyms: () => Synonyms;
  readonly log: Log;
  readonly clock: Clock;
  readonly rebuild: StartRebuild;
}

/** A thread takes longer to begin than so few take to index. */
const SMALL = 1000;
/** So few changes are as quick beside the index as in it. */
const CHANGES_BEFORE_REBUILD = 256;
/** More would hold up every answer while they are put beside it. */
const MAX_AT_ONCE = 512;
/** As many are put beside the index in a few milliseconds. */
export const FEW = 32;
/** About sixteen megabytes of stickers at most. */
const KEPT_STICKERS = 16_384;

/** More changes than this share of a small index would be weighed with figures that say nothing of them. */
const OUTGROWN = 0.25;

/** Whether a small index is better built again than so many changes put beside it. */
function isOutgrown({ size, overlay }: CombinedIndex, count: number): boolean {
  const changes = overlay.size + count;
  return size + changes <= SMALL && changes > OUTGROWN * size;
}

/** Loads, builds, changes and forgets the index of one library. */
export class IndexManager {
  /** Steps on when an answer could change although no sticker did: other synonyms, or rarities of another index. */
  generation = 0;
  private readonly store: StickerStore;
  private readonly options: IndexManagerOptions;
  /** Stickers that were listed, by row. */
  private kept: (Sticker | undefined)[] = [];
  private keptCount = 0;
  private synonyms: Synonyms | undefined;
  private loaded: QueryContext | undefined;
  private rebuilding: Rebuild | undefined;
  /** Ends when what was built last is in use, or given up. */
  private rebuilt: Promise<void> = Promise.resolve();
  /** What was imported since the index in use was built. */
  private sinceBuild: { revision: number; presets: ReadonlySet<string>; removed: readonly number[] }[] = [];
  private isClosed = false;
  private facts: Facts | undefined;
  // A caller that asks again and again gives the same set.
  private lastPresets: { presets: ReadonlySet<string>; documents: ReadonlySet<number> } | undefined;
  /** Whether the index lacks some of what was learned. */
  private isStale = false;

  constructor(store: StickerStore, options: IndexManagerOptions) {
    this.store = store;
    this.options = options;
  }

  /** How much of an index that is built in a thread is done, from 0 to 1; undefined when none is. */
  get building(): number | undefined {
    return this.rebuilding && (this.rebuilding.part?.() ?? 0);
  }

  /** The index and all that goes with it, loaded or built when there is none. */
  current(): QueryContext {
    if (this.loaded !== undefined) {
      // New synonyms change what a query finds, not what is indexed.
      if (this.loaded.synonyms !== this.loadSynonyms())
        this.loaded = this.contextOf(this.loaded.index, this.loaded.spelling);
      return this.loaded;
    }
    return (this.loaded = this.contextOfStored(this.findStored() ?? this.build()));
  }

  /**
   * What the store changed is found from now on: a few changes stand beside the index at once, and a build that has them
   * follows; many are found when that is done. Of more than `most` none is put beside the index or built on the event loop,
   * but the few that are urgent.
   */
  takeIn(most = Infinity, isUrgent: (preset: string) => boolean = () => false): void {
    const presets = this.store.takeChanged();
    if (presets.size === 0) return;
    this.sinceBuild.push({ revision: this.store.revision, presets, removed: [] });
    const { loaded } = this;
    const isMany = presets.size > most;
    if (loaded === undefined || (!isMany && isOutgrown(loaded.index, presets.size))) return this.forget();
    if (!isMany && presets.size <= MAX_AT_ONCE && loaded.index.overlay.hasRoomFor(presets.size)) {
      this.addChanges(loaded, presets);
      if (loaded.index.overlay.size >= CHANGES_BEFORE_REBUILD) this.rebuildBeside();
      return;
    }
    this.forgetStickers();
    const urgent = new Set([...presets].filter(isUrgent));
    if (urgent.size <= FEW && loaded.index.overlay.hasRoomFor(urgent.size)) this.addChanges(loaded, urgent);
    this.rebuildBeside();
  }

  /** These rows are no more. A number may have been given again, to a sticker that is taken in next. */
  drop(removed: readonly number[]): void {
    this.sinceBuild.push({ revision: this.store.revision, presets: new Set(), removed });
    for (const rowid of removed) {
      this.kept[rowid] = undefined;
      this.loaded?.index.overlay.remove(rowid);
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

  /** Brings the index up to what was noted with `noteStale`, in a thread, while questions go on. */
  async freshen(): Promise<void> {
    if (!this.isStale) return;
    this.isStale = false;
    this.forgetSynonyms();
    this.takeIn(0);
    // Its failure is logged where it was started.
    await this.rebuilding?.result.catch(() => undefined);
  }

  /** Loads or builds as `current` does, but builds in a thread what is more than a few. */
  async prepareBeside(small = SMALL): Promise<void> {
    const stored = this.loaded === undefined ? this.findStored() : undefined;
    if (stored !== undefined) this.loaded = this.contextOfStored(stored);
    if (this.loaded === undefined && this.store.size > small) {
      this.rebuildBeside();
      // It is in use by then, unless the thread failed.
      await this.rebuilding?.result.catch(() => undefined);
    }
    if (!this.isClosed) this.current();
  }

  /** Resolves when all that the store holds can be found, without holding up questions. */
  async untilFound(): Promise<void> {
    while (!this.isClosed && this.lacksChanges()) {
      this.rebuildBeside();
      await this.rebuilt;
    }
    if (!this.isClosed) await this.prepareBeside(0);
  }

  /** The sticker in this row; the same object while it is in use. */
  stickerAt(rowid: number): Sticker {
    return this.kept[rowid] ?? this.keepSticker(rowid);
  }

  private keepSticker(rowid: number): Sticker {
    if (this.keptCount >= KEPT_STICKERS) this.forgetStickers();
    this.keptCount += 1;
    return (this.kept[rowid] = this.store.get(rowid));
  }

  private forgetStickers(): void {
    this.kept = [];
    this.keptCount = 0;
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

  /** The document of a preset, if it is known. */
  findDocument(preset: string): number | undefined {
    const rowid = this.store.findRow(preset);
    const document = rowid === undefined ? -1 : this.current().index.documentOfRow(rowid);
    return document < 0 ? undefined : document;
  }

  /** The same of many. */
  findDocuments(presets: ReadonlySet<string>): ReadonlySet<number> {
    if (this.lastPresets?.presets === presets) return this.lastPresets.documents;
    const found = Array.from(presets, (preset) => this.findDocument(preset));
    const documents = new Set(found.filter((document) => document !== undefined));
    this.lastPresets = { presets, documents };
    return documents;
  }

  close(): void {
    this.isClosed = true;
    this.forget();
  }

  private addChanges({ index, vocabulary, spelling, glossary }: QueryContext, presets: ReadonlySet<string>): void {
    this.lastPresets = undefined;
    for (const preset of presets) {
      const sticker = this.store.getIndexable(preset);
      const document = index.overlay.put(sticker, glossary);
      this.facts?.put(document, this.store.getFacts(preset));
      this.kept[sticker.rowid] = undefined;
      for (const word of [sticker.title, ...sticker.keywords].map(normalise)) {
        vocabulary.learn(word);
        spelling.learn(word);
      }
    }
  }

  private rebuildBeside(): void {
    if (this.rebuilding !== undefined) return;
    const startedAt = this.options.clock.monotonic();
    const rebuild = this.options.rebuild(this.options.file, this.options.scope);
    let isOutdated = false;
    this.rebuilding = rebuild;
    this.rebuilt = rebuild.result
      .then((rebuilt) => void (isOutdated = !this.swapIn(rebuilt, rebuild, startedAt)))
      .catch((error: unknown) => {
        if (this.rebuilding !== rebuild) return;
        this.options.log.warn('library not indexed anew', { reason: (error as Error).message });
        // What does not stand beside the old index would never be found: the next question builds.
        if (this.lacksChanges()) this.forget();
      })
      .finally(() => {
        if (this.rebuilding === rebuild) this.rebuilding = undefined;
        if (isOutdated || this.lacksChanges()) this.rebuildBeside();
      });
  }

  /** Whether more changed since the index was built than stand beside it. */
  private lacksChanges(): boolean {
    const changed = new Set(this.sinceBuild.flatMap(({ presets }) => [...presets]));
    return this.loaded !== undefined && this.loaded.index.overlay.size < changed.size;
  }

  /** False when so much came in the meantime that the old index, with all that beside it, is the better one. */
  private swapIn({ revision, bytes }: Rebuilt, rebuild: Rebuild, startedAt: number): boolean {
    // The library was closed, or has built an index by itself.
    if (this.rebuilding !== rebuild) return true;
    const built = decodeSnapshot(bytes);
    if (built === undefined) throw new Error('what was built cannot be read');
    const newer = this.sinceBuild.filter((change) => change.revision > revision);
    const listed = new Set(newer.flatMap((change) => [...change.presets]));
    // What was added and removed while it was built is in none.
    const presets = new Set([...listed].filter((preset) => this.store.findRow(preset) !== undefined));
    // To put many beside it would hold up everybody.
    const isMuch = presets.size > FEW;
    if (isMuch && this.loaded !== undefined && !this.lacksChanges()) return false;
    const removed = newer.flatMap((change) => change.removed);
    const newest = newer.at(-1);
    this.sinceBuild = newest === undefined ? [] : [{ revision: newest.revision, presets, removed }];
    this.loaded = this.contextOfStored(built);
    this.facts = undefined;
    const { index } = this.loaded;
    for (const rowid of removed) index.overlay.remove(rowid);
    if (!isMuch) this.addChanges(this.loaded, presets);
    this.generation++;
    const ms = Math.round(this.options.clock.monotonic() - startedAt);
    this.options.log.info('library indexed beside', { stickers: index.size, ms });
    return true;
  }

  private forget(): void {
    this.facts = undefined;
    this.lastPresets = undefined;
    this.loaded = undefined;
    this.rebuilding?.stop();
    this.rebuilding = undefined;
    this.sinceBuild = [];
    this.isStale = false;
    this.forgetStickers();
  }

  private contextOfStored({ index: built, spelling }: Snapshot): QueryContext {
    const index = new CombinedIndex(built);
    return this.contextOf(index, new Spelling(index, spelling));
  }

  private contextOf(index: CombinedIndex, spelling: Spelling): QueryContext {
    return createQueryContext({ index, spelling, synonyms: this.loadSynonyms(), glossary: loadGlossary() });
  }

  private findStored(): Snapshot | undefined {
    const bytes = this.store.findSnapshot();
    const stored = bytes && decodeSnapshot(bytes);
    if (bytes !== undefined && stored === undefined) this.options.log.warn('library snapshot unusable, building again');
    return stored;
  }

  private build(): Snapshot {
    const startedAt = this.options.clock.monotonic();
    const index = buildIndex(this.store.listIndexable(), loadGlossary());
    const built = { index, spelling: compileSpelling(index) };
    this.keep(built);
    const ms = Math.round(this.options.clock.monotonic() - startedAt);
    this.options.log.info('library indexed', { stickers: index.size, ms });
    return built;
  }

  // Without a snapshot the next start is slower; that is no reason not to answer.
  private keep({ index, spelling }: Snapshot): void {
    try {
      this.store.saveSnapshot(encodeSnapshot(index, spelling));
    } catch (error) {
      this.options.log.warn('library snapshot not kept', { reason: (error as Error).message });
    }
  }
}
