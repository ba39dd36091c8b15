// The door of the library: stickers go in, answers come out. It wires the rooms inside and answers from a new file when
// its own is damaged. How queries are answered is query/, when the index is built index-manager.ts, what is kept storage/.

import type { Envelope } from '../contract/envelope.js';
import { isSvcdError } from '../model/errors.js';
import type { Credit } from '../model/credit.js';
import { isOwnName, type Sticker } from '../model/sticker.js';
import { systemClock, type Clock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import { findIn, matchIn, relatedIn } from './answer-questions.js';
import type {
  FindRequest,
  FoundSticker,
  ListRequest,
  MatchHits,
  MatchQuestion,
  RelatedHits,
  SearchHits,
} from './found-stickers.js';
import { FEW, IndexManager } from './index-manager.js';
import type { CompiledSynonyms } from './language/compiled-synonyms.js';
import { parseSynonyms } from './language/synonyms.js';
import { type OpenFile, ShippedDocuments } from './open-file.js';
import { completeWord, type Completion } from './query/complete.js';
import { explainWords, type ExplainSticker } from './query/explain-words.js';
import { listAskableWords, type AskableWords, type Submission } from './query/keyword-extraction.js';
import { warmUpCopies, warmUpQueries } from './query/warm-up-queries.js';
import { StickerLists } from './sticker-lists.js';
import { exportLibrary } from './storage/export-library.js';
import { LibraryImport, type LibraryImportOptions } from './storage/import-library.js';
import { LearnedData, type AnswerShape, type Learned, type LearnedAnswer } from './storage/learned-data.js';
import { setOwnRows } from './storage/own-rows.js';
import { listStyles, requireStyle } from './storage/styles.js';
import { openStickerStore, setFileAside, type ImportResult, type StickerStore } from './storage/sticker-store.js';

export interface LibraryOptions {
  /** Where `library.db` is or shall be. */
  readonly file: string;
  /** The remote that the stickers belong to; those of other remotes in the same file are neither seen nor touched. */
  readonly scope: string;
  /** The text of synonym tables, one after another; read at the first question and by `reloadSynonyms`. */
  readonly synonyms: () => string;
  /** A further table, which counts after those and never changes. */
  readonly shippedSynonyms?: () => CompiledSynonyms;
  /** Puts in what a library has from the start; called whenever a file was opened. */
  readonly fill?: (library: Library) => void;
  readonly log: Log;
  readonly clock?: Clock;
}

/** Is called right after a change. */
export interface LibraryObserver {
  /** Stickers were learned from an answer that the harvest did not ask for. */
  learned?(stickers: readonly Sticker[]): void;
  /** An export of another library was merged. */
  imported?(): void;
  /** The file was damaged and set aside; another one took its place. */
  reopened?(): void;
}

/** Opens or creates a library; a damaged file is set aside and an empty library opened. */
export function openLibrary(options: LibraryOptions): Library {
  return new Library(options);
}

const MAX_REOPENED = 5; // After that the disk is to blame.
/** So that no answer remembered of one file is taken for one of the next. */
const REVISION_STEP = 1_000_000;

/** Every method answers from another file when this one is damaged, and throws `library_damaged` when that breaks too. */
export class Library {
  /** Where a damaged file was moved to when this library was opened, if it was. */
  readonly setAside: string | undefined;
  private readonly options: LibraryOptions;
  private readonly clock: Clock;
  private readonly observers: LibraryObserver[] = [];
  private readonly lists: StickerLists;
  private shipped: CompiledSynonyms | undefined;
  private open: OpenFile;
  private reopened = 0;

  constructor(options: LibraryOptions) {
    this.options = options;
    this.clock = options.clock ?? systemClock;
    this.lists = new StickerLists(this.clock);
    const { opened, setAside } = this.openFile();
    this.setAside = setAside;
    this.open = opened;
    options.fill?.(this);
  }

  /** How many stickers it has. */
  get size(): number {
    return this.open.store.size;
  }

  /** Whether a file was damaged since it was opened, or then, and another took its place. */
  get wasSetAside(): boolean {
    return this.setAside !== undefined || this.reopened > 0;
  }

  /** How much of an index that is built anew is done, from 0 to 1; undefined while none is. */
  readonly building = (): number | undefined => this.open.index.building;

  /** How many of them are not svcd's own. */
  get sizeWithoutShipped(): number {
    return this.ask(({ store, shipped }) => store.size - shipped.count());
  }

  /** Changes whenever an answer could change. */
  get revision(): number {
    const { store, learned, index } = this.open;
    return this.reopened * REVISION_STEP + store.revision + learned.changes + index.generation;
  }

  /** The open file, for tables that others keep in it; another one after `reopened`. */
  get store(): StickerStore {
    return this.open.store;
  }

  /** Calls an observer after every change from now on. */
  observe(observer: LibraryObserver): void {
    this.observers.push(observer);
  }

  /** Stickers for words, best first, at most `limit`: the first page of `find` without a filter. */
  search(query: string, limit: number): SearchHits {
    return this.find({ query, filter: {}, offset: 0, limit });
  }

  /** A page of the stickers for words that a filter lets through, best first; the order is the same for every page size. */
  find(request: FindRequest): SearchHits {
    return this.ask((open) => findIn(open, this.revision, request));
  }

  /** A page of the same in any order, which reaches to the end of the list; a promise while an order is made. */
  list(request: ListRequest): SearchHits | Promise<SearchHits> {
    return this.ask((open) => this.lists.list(open, request, () => this.revision));
  }

  /** The styles that many stickers have. */
  styles(): readonly string[] {
    return this.ask(({ store }) => listStyles(store));
  }

  /** Throws `invalid_request` for a style that no sticker has. */
  requireStyle(style: string): void {
    this.ask(({ store }) => requireStyle(store, style));
  }

  /** How many others show what each of these shows. */
  countVariants(hits: readonly FoundSticker[]): number[] {
    return this.ask((open) => this.lists.countVariants(open, hits, this.revision));
  }

  /** Says of stickers why they answer a query, or these words of a submission. */
  explain(asked: string | readonly string[]): ExplainSticker {
    return this.ask(({ index }) => explainWords(asked, index.current()));
  }

  /** Stickers for a copy and keywords, best first, at most `limit`, each with all its reasons. */
  match(request: MatchQuestion): MatchHits {
    return this.ask((open) => matchIn(open, this.revision, request));
  }

  /** The words by which a remote may find what suits a submission. */
  listAskableWords(submission: Submission): AskableWords {
    return this.ask(({ index }) => listAskableWords(submission, index.current()));
  }

  /** At most `limit` words of the library that begin like the text, commonest first. */
  complete(text: string, limit: number): Completion[] {
    return this.ask(({ index }) => completeWord(text, limit, index.current()));
  }

  /** Stickers related to the one with this preset, nearest first; undefined when it is not known. */
  findRelated(preset: string, page: { offset: number; limit: number }): RelatedHits | undefined {
    return this.ask((open) => relatedIn(open, this.revision, preset, page));
  }

  /** Whether the remote said that it has no such sticker any more. */
  isGone(preset: string): boolean {
    return this.open.learned.isGone(preset);
  }

  /** The sticker with this preset, if known. */
  findSticker(preset: string): Sticker | undefined {
    return this.ask(({ store }) => store.find(preset));
  }

  /** What is known of a sticker's licence, by a query of its own: every owned answer asks. */
  findCredit(preset: string): Credit | undefined {
    return this.ask(({ store }) => store.findCredit(preset));
  }

  /** Adds or completes stickers in one transaction; the index follows at the next question or `prepare`. */
  importStickers(stickers: Iterable<Sticker>, source: string): ImportResult {
    return this.ask(({ store, index }) => {
      const before = store.revision;
      const result = store.import(stickers, source, this.clock.now());
      if (store.revision !== before) index.takeIn();
      this.options.log.info('library imported', { source, ...result });
      return result;
    });
  }

  /** Whether a source of exactly this name was imported before. */
  hasImported(source: string): boolean {
    return this.ask(({ store }) => store.hasImported(source));
  }

  /** Notes that what this source has in this state was merged, in place of any state before. */
  noteState(source: string, state: string): void {
    this.ask(({ store }) => store.noteState(source, state, this.clock.now()));
  }

  /** The state of a source that was merged last, and when. */
  findState(source: string): { readonly state: string; readonly at: number } | undefined {
    return this.ask(({ store }) => store.findState(source));
  }

  /** Makes the user's own stickers be these, found beside the others; the index follows as after an import. */
  setOwnStickers(stickers: readonly Sticker[]): void {
    this.ask(({ store, index }) => {
      const removed = setOwnRows(store, stickers);
      if (removed === undefined) return;
      // A row's number may have been given again, to a sticker that is taken in.
      if (removed.length > 0) index.drop(removed);
      index.takeIn(FEW, isOwnName);
    });
  }

  /** Resolves when all that was put in can be found. */
  readonly untilFound = (): Promise<void> => this.open.index.untilFound();

  /** Learns an answer in one transaction of about a millisecond, with what `beside` writes; the index follows. */
  learn(answer: LearnedAnswer, at: number, beside?: () => void): Learned {
    const isHarvested = answer.askedBy === 'harvest';
    const learned = this.ask((open) => {
      const before = open.store.revision;
      const { newSynonyms, ...result } = open.learned.learn(answer, at, beside);
      const hasChanged = newSynonyms > 0 || open.store.revision !== before;
      // What a harvest learned is found after `freshen`, so that no search waits for it.
      if (!hasChanged || (isHarvested && open.index.noteStale())) return result;
      if (newSynonyms > 0) open.index.forgetSynonyms();
      open.index.takeIn();
      return result;
    });
    const stickers = answer.candidates.map(({ sticker }) => sticker);
    if (!isHarvested) for (const observer of this.observers) observer.learned?.(stickers);
    return learned;
  }

  /** Notes that the remote knows no such sticker: it sinks in every list until it is seen again. */
  markGone(preset: string, at: number): void {
    if (this.ask(({ learned }) => learned.markGone(preset, at))) this.options.log.info('a sticker is gone', { preset });
  }

  /** Notes that the remote has a sticker that it seemed not to have: it comes back to where it was. */
  markThere(preset: string, at: number): void {
    const isNews = this.ask(({ learned }) => learned.markThere(preset, at));
    if (isNews) this.options.log.info('a sticker is back', { preset });
  }

  /** A candidate as the remote gave it in answers of this shape, if it did. */
  findOriginal(preset: string, shape: AnswerShape): Readonly<Record<string, unknown>> | undefined {
    return this.ask(({ learned }) => learned.findOriginal(preset, shape));
  }

  /** What the remote wraps its candidates in, if it was seen. */
  findEnvelope(shape: AnswerShape): Envelope | undefined {
    return this.open.learned.findEnvelope(shape);
  }

  /** Whether it is known to hold practically all that the remote has, so that asking the remote brings nothing. */
  isComplete(): boolean {
    return this.open.learned.isComplete;
  }

  /** Says so, or no longer; remembered until said otherwise. */
  setComplete(complete: boolean): void {
    this.ask(({ learned }) => learned.setComplete(complete, this.clock.now()));
  }

  /** The library as text for another machine, line by line in pieces; nothing of the user's is in it. */
  exportLibrary(): Iterable<string> {
    return exportLibrary(this.open.store, this.clock.now(), this.isComplete());
  }

  /** Merges lines of such a text in batches, then `finishImport`. */
  beginImport(options: LibraryImportOptions): LibraryImport {
    return this.ask(({ store, learned }) => new LibraryImport(store, learned, options));
  }

  /** Ends an import, whole or cut off. Resolves when what was merged can be found. */
  async finishImport(imported: LibraryImport): Promise<void> {
    this.ask(({ learned, index }) => {
      learned.changes += 1;
      index.forgetSynonyms();
      index.takeIn(0);
    });
    this.observers.forEach((observer) => observer.imported?.());
    if (imported.isComplete()) this.setComplete(true);
    const { lines, added, changed, bad } = imported.report;
    this.options.log.info('library file merged', { lines, added, changed, bad });
    await this.untilFound();
  }

  /** Reads the synonyms again; the index stays. */
  reloadSynonyms(): void {
    this.open.index.forgetSynonyms();
  }

  /** The words that a normalised word also finds. */
  synonymsOf(word: string): readonly string[] {
    return this.ask(({ index }) => index.loadSynonyms().of(word));
  }

  /** Every word that has synonyms. */
  synonymWords(): Iterable<string> {
    return this.ask(({ index }) => index.loadSynonyms().words());
  }

  /** Brings the index up to what was harvested, in steps, while questions go on. */
  freshen(): Promise<void> {
    return this.ask(({ index }) => index.freshen());
  }

  /** Loads or builds the index now (milliseconds, or a second when stickers changed), so that no question waits. */
  prepare(): void {
    this.ask(({ index }) => index.current());
  }

  /** The same, but what has to be built is built in steps, and the event loop goes on. */
  async prepareBeside(): Promise<void> {
    // Damage shows here too, and a new library is small enough to be built at once.
    await this.open.index.prepareBeside().catch(() => this.prepare());
  }

  /** Reads what the first copies would wait for, a step at a time, so that others have their turn between. */
  warmUpCopies(): Iterable<void> {
    return this.ask(({ index }) => warmUpCopies(this, index.current()));
  }

  /** The same for the first words of each kind. */
  warmUpQueries(): Iterable<void> {
    return this.ask(({ index }) => warmUpQueries(this, index.current()));
  }

  close(): void {
    this.open.index.close();
    this.open.store.close();
  }

  private ask<T>(question: (open: OpenFile) => T): T {
    try {
      return question(this.open);
    } catch (error) {
      if (!isSvcdError(error, 'library_damaged') || this.reopened >= MAX_REOPENED) throw error;
      this.reopen(error);
      return question(this.open);
    }
  }

  private reopen(cause: unknown): void {
    const { file, fill, log } = this.options;
    this.reopened += 1;
    log.error('the library is damaged and is made anew', { why: String(cause) });
    this.close();
    log.warn('library set aside', { file, movedTo: setFileAside(file, this.clock) });
    this.open = this.openFile().opened;
    fill?.(this);
    for (const observer of this.observers) observer.reopened?.();
  }

  private openFile(): { opened: OpenFile; setAside: string | undefined } {
    const { file, scope, log } = this.options;
    const { store, setAside } = openStickerStore(file, scope, this.clock);
    if (setAside !== undefined) log.warn('library set aside', { file, movedTo: setAside });
    const learned = new LearnedData(store);
    const synonyms = () => {
      this.shipped ??= this.options.shippedSynonyms?.();
      return parseSynonyms(this.options.synonyms(), this.shipped ?? '', learned.synonymLines());
    };
    const index = new IndexManager(store, { synonyms, log, clock: this.clock });
    return { opened: { store, learned, index, shipped: new ShippedDocuments(store) }, setAside };
  }
}
