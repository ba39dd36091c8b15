// The library as the rest of svcd sees it: stickers in, answers out. How it finds is for search.ts
// and match.ts, when its index is built for index-manager.ts, where it is kept for sticker-store.ts.

import { systemClock, type Clock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import type { Sticker } from '../model/sticker.js';
import type { Reason } from '../contract/candidate.js';
import type { Envelope } from '../contract/envelope.js';
import { LibraryImport, type LibraryImportOptions } from './storage/import-library.js';
import { exportLibrary } from './storage/export-library.js';
import { completeWord, type Completion } from './query/complete.js';
import { reasonsFor } from './query/explain.js';
import { Harvest } from '../harvest/harvest.js';
import { blendRemoteResults, sinkGone } from './query/blend-remote-results.js';
import { LearnedData, type AnswerShape, type Learned, type LearnedAnswer } from './storage/learned-data.js';
import type { CompiledSynonyms } from './language/compiled-synonyms.js';
import { askFirstCopies, askFirstQueries } from './query/first-questions.js';
import { compileFilter, type Accepts, type StickerFilter } from './query/filter.js';
import { matchIndex } from './query/match.js';
import type { QueryContext } from './query/query-context.js';
import { startRebuild, type StartRebuild } from './rebuild-index.js';
import { MAX_STICKERS } from './storage/remote-results.js';
import { findRelated } from './query/related.js';
import { normalise } from './language/normalise.js';
import type { Submission } from './query/keyword-extraction.js';
import { listIndex, searchIndex, type SearchRanking } from './query/search.js';
import { setOwnRows } from './storage/own-rows.js';
import { openStickerStore, type ImportResult, type StickerStore } from './storage/sticker-store.js';
import { IndexManager } from './index-manager.js';
import { parseSynonyms, type Synonyms } from './language/synonyms.js';

export interface LibraryOptions {
  /** Where `library.db` is or shall be. */
  file: string;
  /** The remote that the stickers belong to; those of other remotes in the same file are neither seen nor touched. */
  scope: string;
  /** The text of synonym tables, one after another; read at the first question and by `reloadSynonyms`. */
  synonyms: () => string;
  /** A further table, which counts after those and never changes. */
  shippedSynonyms?: () => CompiledSynonyms;
  log: Log;
  clock?: Clock;
  /** How an index is built beside the one in use; in a thread of its own unless told. */
  rebuild?: StartRebuild;
}

interface SearchHit {
  /** The same object for the same sticker while it is in use, so that a caller can hang what it made of it on it. */
  readonly sticker: Sticker;
  readonly score: number;
}

interface SearchHits {
  /** How many stickers can be listed with a larger limit. */
  readonly total: number;
  /** How many share or mean more than single characters of the query; they come first. */
  readonly direct: number;
  /** Words of the query that were left out, because no sticker has all. */
  readonly dropped: readonly string[];
  /** Words of the library that may have been meant, when nothing was found. */
  readonly suggestions: readonly string[];
  readonly hits: SearchHit[];
}

/** A search of svcd's own: a page of what a filter lets through. */
export interface FindRequest {
  /** Without one every sticker is listed, by preset. */
  readonly query: string | undefined;
  readonly filter: StickerFilter;
  readonly offset: number;
  readonly limit: number;
}

interface RelatedHits {
  readonly total: number;
  readonly hits: {
    readonly sticker: Sticker;
    readonly sameConcept: boolean;
    readonly shared: readonly string[];
  }[];
}

interface MatchHit extends SearchHit {
  readonly reasons: Reason[];
}

interface MatchHits {
  /** Explicit keywords as given, then words of the copy by weight. */
  readonly extractedKeywords: string[];
  readonly total: number;
  readonly hits: MatchHit[];
}

export interface Library {
  /** Stickers. */
  readonly size: number;
  /** Changes whenever an answer could change. */
  readonly revision: number;
  /** Where a damaged file was moved to when this library was opened, if it was. */
  readonly setAside: string | undefined;
  /** Stickers for words, best first, at most `limit`. */
  search(query: string, limit: number): SearchHits;
  /** Stickers for a copy and keywords, best first, at most `limit`, each with all its reasons. */
  match(submission: Submission & { limit: number }): MatchHits;
  /** A page of the stickers for words that a filter lets through, best first. */
  find(request: FindRequest): SearchHits;
  /** At most `limit` words of the library that begin like the text, commonest first. */
  complete(text: string, limit: number): Completion[];
  /** Stickers related to the one with this preset, nearest first; undefined when it is not known. */
  findRelated(preset: string, page: { offset: number; limit: number }): RelatedHits | undefined;
  /** The sticker with this preset, if known. */
  findSticker(preset: string): Sticker | undefined;
  /** Adds or completes stickers in one transaction; the index follows at the next question or `prepare`. */
  importStickers(stickers: Iterable<Sticker>, source: string): ImportResult;
  /** Makes the user's own stickers be these, found beside the others; the index follows as after an import. */
  setOwnStickers(stickers: readonly Sticker[]): void;
  /** Whether a source of exactly this name was imported before. */
  hasImported(source: string): boolean;
  /** Takes in an answer of the remote, in one transaction of about a millisecond; the index follows as after an import. */
  learn(answer: LearnedAnswer, at: number): Learned;
  /** Notes that the remote knows no such sticker: it sinks in every list until it is seen again. */
  markGone(preset: string, at: number): void;
  /** A candidate as the remote gave it in answers of this shape, if it did. */
  findOriginal(preset: string, shape: AnswerShape): Readonly<Record<string, unknown>> | undefined;
  /** What the remote wraps its candidates in, if it was seen. */
  findEnvelope(shape: AnswerShape): Envelope | undefined;
  /** Whether it is known to hold practically all that the remote has, so that asking the remote brings nothing. */
  isComplete(): boolean;
  /** Says so, or no longer; remembered until said otherwise. */
  setComplete(complete: boolean): void;
  /** Notes that the remote has a sticker that it seemed not to have: it comes back to where it was. */
  markThere(preset: string, at: number): void;
  /** Stickers of the remote in the order in which they should be looked for again: those seen longest ago first. */
  listOldestSeen(limit: number): Sticker[];
  /** Notes that these were looked for, found or not, so that `listOldestSeen` goes on with others. */
  noteLooked(presets: readonly string[], at: number): void;
  /** The library as text for another machine, line by line in pieces; nothing of the user's is in it. */
  exportLibrary(): Iterable<string>;
  /** Takes in lines of such a text in batches, then `finishCarryIn`. */
  beginCarryIn(options: LibraryImportOptions): LibraryImport;
  /** Ends taking in, whole or cut off: what came is found from now on. */
  finishCarryIn(carried: LibraryImport): void;
  /** Reads the synonyms again; the index stays. */
  reloadSynonyms(): void;
  /** Filling it from the remote. What that learns is searched after `freshen`, so that nobody waits for an index. */
  readonly harvest: Harvest;
  /** Brings the index up to what was harvested, in a thread, while questions go on. */
  freshen(): Promise<void>;
  /** Loads or builds the index now (milliseconds, or a second when stickers changed), so that no question waits. */
  prepare(): void;
  /** The same, but what has to be built is built in a thread, and whoever else is at work goes on. */
  prepareBeside(): Promise<void>;
  /** Reads what the first copies would wait for, a step at a time: others have their turn between. */
  warmUpCopies(): Iterable<void>;
  /** The same of the first words of each kind. */
  warmUpQueries(): Iterable<void>;
  close(): void;
}

/** Opens or creates a library; a damaged file is set aside and an empty library opened. Each method throws `library_damaged` when the file breaks later. */
export function openLibrary(options: LibraryOptions): Library {
  const { log, clock = systemClock } = options;
  const { store, setAside } = openStickerStore(options.file, options.scope, clock);
  if (setAside !== undefined) log.warn('library set aside', { file: options.file, movedTo: setAside });
  return new OpenLibrary(store, setAside, { rebuild: startRebuild, ...options, clock });
}

const MAX_SUGGESTIONS = 5;
/** As many are looked past for one list; beyond that some that are gone may be listed early. */
const MAX_SUNK = 200;

type OpenOptions = LibraryOptions & Required<Pick<LibraryOptions, 'clock' | 'rebuild'>>;

class OpenLibrary implements Library {
  readonly setAside: string | undefined;
  readonly harvest: Harvest;
  private readonly store: StickerStore;
  private readonly options: OpenOptions;
  private readonly live: IndexManager;
  private readonly knowledge: LearnedData;
  private isWhole: boolean;
  private shipped: CompiledSynonyms | undefined;

  constructor(store: StickerStore, setAside: string | undefined, options: OpenOptions) {
    this.store = store;
    this.setAside = setAside;
    this.options = options;
    this.knowledge = new LearnedData(store);
    this.isWhole = this.knowledge.isComplete();
    this.live = new IndexManager(store, { ...options, synonyms: () => this.readSynonyms() });
    this.harvest = new Harvest({
      store,
      learn: (answer, at, beside) => this.keepLearned(answer, at, beside),
      seeds: () => this.live.loadSynonyms().words(),
    });
  }

  private readSynonyms(): Synonyms {
    this.shipped ??= this.options.shippedSynonyms?.();
    return parseSynonyms(this.options.synonyms(), this.shipped ?? '', this.knowledge.synonymLines());
  }

  get size(): number {
    return this.store.size;
  }

  get revision(): number {
    return this.store.revision + this.knowledge.changes + this.live.generation;
  }

  search(query: string, limit: number): SearchHits {
    const lexicon = this.live.current();
    const list = this.knowledge.recall.find(query);
    const page = Math.max(limit, list?.isWhole === true ? MAX_STICKERS : 0);
    const wide = page + Math.min(this.knowledge.goneCount, MAX_SUNK);
    const found = this.hitsOf(searchIndex(query, { limit: wide }, lexicon, lexicon.tally), query, lexicon);
    if (list === undefined && wide === limit) return found;
    if (list === undefined) return sinkGone(found, limit, (preset) => this.knowledge.isGone(preset));
    const recalled = list.rowids.map((rowid) => this.live.stickerAt(rowid));
    const blended = { ...found, ...blendRemoteResults(found, recalled, list.isWhole), suggestions: [] };
    return sinkGone(blended, limit, (preset) => this.knowledge.isGone(preset));
  }

  find({ query, filter, offset, limit }: FindRequest): SearchHits {
    const lexicon = this.live.current();
    const gone = Math.min(this.knowledge.goneCount, MAX_SUNK);
    const accepts = this.accepts(filter);
    // Where some have sunk, what comes before the page decides what is on it.
    const page =
      gone === 0 ? { offset, limit, accepts } : { offset: 0, limit: offset + limit + gone, accepts };
    const ranking =
      query === undefined ? listIndex(page, lexicon.index) : searchIndex(query, page, lexicon, lexicon.tally);
    // Pages end where the total says.
    const best = ranking.best.slice(0, Math.max(0, ranking.total - page.offset));
    const found = this.hitsOf({ ...ranking, best }, accepts === undefined ? (query ?? '') : '', lexicon);
    if (gone === 0) return found;
    const sunk = sinkGone(found, offset + limit, (preset) => this.knowledge.isGone(preset));
    return { ...sunk, hits: sunk.hits.slice(offset) };
  }

  complete(text: string, limit: number): Completion[] {
    return completeWord(text, limit, this.live.current());
  }

  findRelated(preset: string, page: { offset: number; limit: number }): RelatedHits | undefined {
    const lexicon = this.live.current();
    const document = this.live.findDocument(preset);
    if (document === undefined) return undefined;
    const { total, relations } = findRelated(
      this.live.sticker(document, lexicon),
      document,
      page,
      lexicon.index,
    );
    const hits = relations.map((relation) => ({
      ...relation,
      sticker: this.live.sticker(relation.document, lexicon),
    }));
    return { total, hits };
  }

  match({ limit, ...submission }: Submission & { limit: number }): MatchHits {
    const lexicon = this.live.current();
    const wide = limit + Math.min(this.knowledge.goneCount, MAX_SUNK);
    const { words, total, best, wordsOf } = matchIndex(submission, wide, lexicon, lexicon.suits);
    const hits = best.map(({ document, score }) => ({
      sticker: this.live.sticker(document, lexicon),
      score,
      reasons: reasonsFor(document, wordsOf(document), lexicon.index),
    }));
    const extractedKeywords = words.map((word) => word.word);
    return sinkGone({ extractedKeywords, total, hits }, limit, (preset) => this.knowledge.isGone(preset));
  }

  findSticker(preset: string): Sticker | undefined {
    return this.store.find(preset);
  }

  importStickers(stickers: Iterable<Sticker>, source: string): ImportResult {
    const before = this.store.revision;
    const result = this.store.import(stickers, source, this.options.clock.now());
    if (this.store.revision !== before) this.live.takeIn();
    this.options.log.info('library imported', { source, ...result });
    return result;
  }

  learn(answer: LearnedAnswer, at: number): Learned {
    const learned = this.keepLearned(answer, at);
    this.harvest.see(answer.candidates.map(({ sticker }) => sticker));
    return learned;
  }

  private keepLearned(answer: LearnedAnswer, at: number, beside?: () => void): Learned {
    const before = this.store.revision;
    const { newSynonyms, ...learned } = this.knowledge.learn(answer, at, beside);
    // Who searches now must not pay for each answer of a harvest.
    const hasChanged = newSynonyms > 0 || this.store.revision !== before;
    if (!hasChanged || (answer.askedBy === 'harvest' && this.live.noteStale())) return learned;
    if (newSynonyms > 0) this.live.forgetSynonyms();
    this.live.takeIn();
    return learned;
  }

  markGone(preset: string, at: number): void {
    if (this.knowledge.markGone(preset, at)) this.options.log.info('a sticker is gone', { preset });
  }

  markThere(preset: string, at: number): void {
    if (this.knowledge.markThere(preset, at)) this.options.log.info('a sticker is back', { preset });
  }

  findOriginal(preset: string, shape: AnswerShape): Readonly<Record<string, unknown>> | undefined {
    return this.knowledge.findOriginal(preset, shape);
  }

  findEnvelope(shape: AnswerShape): Envelope | undefined {
    return this.knowledge.findEnvelope(shape);
  }

  isComplete(): boolean {
    return this.isWhole;
  }

  setComplete(complete: boolean): void {
    if (complete === this.isWhole) return;
    this.knowledge.setComplete(complete ? this.options.clock.now() : null);
    this.isWhole = complete;
  }

  listOldestSeen(limit: number): Sticker[] {
    return this.knowledge.listOldestSeen(limit);
  }

  noteLooked(presets: readonly string[], at: number): void {
    this.knowledge.noteLooked(presets, at);
  }

  exportLibrary(): Iterable<string> {
    return exportLibrary(this.store, this.options.clock.now(), this.isWhole);
  }

  beginCarryIn(options: LibraryImportOptions): LibraryImport {
    return new LibraryImport(this.store, this.knowledge, options);
  }

  finishCarryIn(carried: LibraryImport): void {
    this.knowledge.changes += 1;
    this.live.forgetSynonyms();
    this.live.takeIn();
    this.harvest.outdate();
    if (carried.isComplete()) this.setComplete(true);
    const { lines, added, changed, bad } = carried.report;
    this.options.log.info('library carried in', { lines, added, changed, bad });
  }

  setOwnStickers(stickers: readonly Sticker[]): void {
    const removed = setOwnRows(this.store, stickers);
    if (removed === undefined) return;
    // A row's number may have been given again, to a sticker that is taken in.
    if (removed.length > 0) this.live.drop(removed);
    this.live.takeIn();
  }

  hasImported(source: string): boolean {
    return this.store.hasImported(source);
  }

  reloadSynonyms(): void {
    this.live.forgetSynonyms();
  }

  prepare(): void {
    this.live.current();
  }

  prepareBeside(): Promise<void> {
    return this.live.prepareBeside();
  }

  warmUpCopies(): Iterable<void> {
    return askFirstCopies(this, this.live.current());
  }

  warmUpQueries(): Iterable<void> {
    return askFirstQueries(this, this.live.current());
  }

  freshen(): Promise<void> {
    return this.live.freshen();
  }

  close(): void {
    this.live.close();
    this.store.close();
  }

  private hitsOf(ranking: SearchRanking, asked: string, lexicon: QueryContext): SearchHits {
    const { best, isNamed, total, direct, dropped } = ranking;
    const { index } = lexicon;
    const hits = best.map(({ document, score }) => ({
      sticker: this.live.stickerAt(index.rowidOf(document)),
      score,
    }));
    const suggestions =
      isNamed || asked === '' ? [] : lexicon.spelling.suggest(normalise(asked), MAX_SUGGESTIONS);
    return { total, direct, dropped, suggestions, hits };
  }

  private accepts(filter: StickerFilter): Accepts | undefined {
    if (Object.values(filter).every((condition) => condition === undefined)) return undefined;
    return compileFilter(filter, this.live.readFacts(), (presets) => this.live.findDocuments(presets));
  }
}
