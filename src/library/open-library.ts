// The library as the rest of svcd sees it: stickers in, answers out. Owns when the index is loaded, built and
// forgotten; how it finds is for search.ts and match.ts, where it is kept for sticker-store.ts.

import { systemClock, type Clock } from '../clock.js';
import type { Log } from '../log.js';
import type { Sticker } from '../sticker.js';
import type { Reason } from '../wire/candidate.js';
import type { Envelope } from '../wire/envelope.js';
import { BoundedCache } from './bounded-cache.js';
import { buildIndex, buildIndexInSlices } from './build-index.js';
import { CarryIn, type CarryInOptions } from './carry-in.js';
import { carryOut } from './carry-out.js';
import type { CompiledIndex } from './compiled-index.js';
import { reasonsFor } from './explain.js';
import { Harvest } from './harvest/harvest.js';
import { blendRecall, sinkGone } from './blend-recall.js';
import { Knowledge, type AnswerShape, type Learned, type LearnedAnswer } from './knowledge.js';
import { matchIndex } from './match.js';
import type { Lexicon } from './query-plan.js';
import type { Submission } from './scene-words.js';
import { searchIndex } from './search.js';
import { decodeSnapshot, encodeSnapshot } from './snapshot.js';
import { openStickerStore, type ImportResult, type StickerStore } from './sticker-store.js';
import { parseSynonyms, type Synonyms } from './synonyms.js';
import { SuitTally } from './suit-tally.js';
import { Tally } from './tally.js';
import { Vocabulary } from './vocabulary.js';

export interface LibraryOptions {
  /** Where `library.db` is or shall be. */
  file: string;
  /** The remote that the stickers belong to; those of other remotes in the same file are neither seen nor touched. */
  scope: string;
  /** The synonym table's text; read at the first question. */
  synonyms: () => string;
  log: Log;
  clock?: Clock;
}

interface SearchHit {
  /** The same object for the same sticker while it is in use, so that a caller can hang what it made of it on it. */
  readonly sticker: Sticker;
  readonly score: number;
}

interface SearchHits {
  /** How many stickers can be listed with a larger limit. */
  readonly total: number;
  /** How many of these share more than single characters with the query; they come first. */
  readonly direct: number;
  readonly hits: SearchHit[];
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
  /** The sticker with this preset, if known. */
  findSticker(preset: string): Sticker | undefined;
  /** Adds or completes stickers in one transaction; the index follows at the next question or `prepare`. */
  importStickers(stickers: Iterable<Sticker>, source: string): ImportResult;
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
  carryOut(): Iterable<string>;
  /** Takes in lines of such a text in batches, then `finishCarryIn`. */
  beginCarryIn(options: CarryInOptions): CarryIn;
  /** Ends taking in, whole or cut off: what came is found from now on. */
  finishCarryIn(carried: CarryIn): void;
  /** Filling it from the remote. What that learns is searched after `freshen`, so that nobody waits for an index. */
  readonly harvest: Harvest;
  /** Brings the index up to what was harvested, in slices, while questions go on. */
  freshen(): Promise<void>;
  /** Loads or builds the index now (milliseconds, or a second when stickers changed), so that no question waits. */
  prepare(): void;
  close(): void;
}

/** Opens or creates a library; a damaged file is set aside and an empty library opened. Each method throws `library_damaged` when the file breaks later. */
export function openLibrary(options: LibraryOptions): Library {
  const { log, clock = systemClock } = options;
  const { store, setAside } = openStickerStore(options.file, options.scope, clock);
  if (setAside !== undefined) log.warn('library set aside', { file: options.file, movedTo: setAside });
  return new OpenLibrary(store, setAside, { ...options, clock });
}

interface Loaded extends Lexicon {
  readonly tally: Tally;
  readonly suits: SuitTally;
}

/** About two megabytes of stickers at most. */
const KEPT_STICKERS = 2048;

/** As many are looked past for one list; beyond that some that are gone may be listed early. */
const MAX_SUNK = 200;

class OpenLibrary implements Library {
  readonly setAside: string | undefined;
  readonly harvest: Harvest;
  private readonly store: StickerStore;
  private readonly options: Required<LibraryOptions>;
  private readonly kept = new BoundedCache<number, Sticker>(KEPT_STICKERS);
  private readonly knowledge: Knowledge;
  private complete: boolean;
  private synonyms: Synonyms | undefined;
  private loaded: Loaded | undefined;
  /** Whether the index lacks some of what was harvested. */
  private isStale = false;

  constructor(store: StickerStore, setAside: string | undefined, options: Required<LibraryOptions>) {
    this.store = store;
    this.setAside = setAside;
    this.options = options;
    this.knowledge = new Knowledge(store);
    this.complete = this.knowledge.isComplete();
    this.harvest = new Harvest({
      store,
      learn: (answer, at, beside) => this.takeIn(answer, at, beside),
      seeds: () => this.loadSynonyms().words(),
    });
  }

  get size(): number {
    return this.store.size;
  }

  get revision(): number {
    return this.store.revision + this.knowledge.changes;
  }

  search(query: string, limit: number): SearchHits {
    const lexicon = this.load();
    const wide = limit + Math.min(this.knowledge.goneCount, MAX_SUNK);
    const { total, direct, best } = searchIndex(query, wide, lexicon, lexicon.tally);
    const hits = best.map(({ document, score }) => ({ sticker: this.sticker(document, lexicon), score }));
    const recalled = this.knowledge.recall.find(query).map((rowid) => this.stickerAt(rowid));
    const found = blendRecall({ total, direct, hits }, recalled);
    return sinkGone(found, limit, (preset) => this.knowledge.isGone(preset));
  }

  match({ limit, ...submission }: Submission & { limit: number }): MatchHits {
    const lexicon = this.load();
    const wide = limit + Math.min(this.knowledge.goneCount, MAX_SUNK);
    const { words, total, best } = matchIndex(submission, wide, lexicon, lexicon.suits);
    const hits = best.map(({ document, score }) => ({
      sticker: this.sticker(document, lexicon),
      score,
      reasons: reasonsFor(document, words, lexicon.index),
    }));
    const extractedKeywords = words.map((word) => word.word);
    return sinkGone({ extractedKeywords, total, hits }, limit, (preset) => this.knowledge.isGone(preset));
  }

  findSticker(preset: string): Sticker | undefined {
    return this.store.find(preset);
  }

  importStickers(stickers: Iterable<Sticker>, source: string): ImportResult {
    const before = this.revision;
    const result = this.store.import(stickers, source, this.options.clock.now());
    if (this.revision !== before) this.forget();
    this.options.log.info('library imported', { source, ...result });
    return result;
  }

  learn(answer: LearnedAnswer, at: number): Learned {
    const learned = this.takeIn(answer, at);
    this.harvest.see(answer.candidates.map(({ sticker }) => sticker));
    return learned;
  }

  private takeIn(answer: LearnedAnswer, at: number, beside?: () => void): Learned {
    const before = this.store.revision;
    const { newSynonyms, ...learned } = this.knowledge.learn(answer, at, beside);
    if (newSynonyms > 0) this.synonyms = undefined;
    if (newSynonyms === 0 && this.store.revision === before) return learned;
    // A person who searches now must not wait for the index each time that something was harvested.
    if (answer.askedBy === 'harvest' && this.loaded !== undefined) this.isStale = true;
    else this.forget();
    return learned;
  }

  async freshen(): Promise<void> {
    if (!this.isStale) return;
    const { revision } = this.store;
    const index = await buildIndexInSlices(this.store.listIndexable());
    this.forget();
    this.load(index);
    // What was learned meanwhile is in the next one.
    if (this.store.revision === revision) this.keep(index);
    else this.isStale = true;
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
    return this.complete;
  }

  setComplete(complete: boolean): void {
    if (complete === this.complete) return;
    this.knowledge.setComplete(complete ? this.options.clock.now() : null);
    this.complete = complete;
  }

  listOldestSeen(limit: number): Sticker[] {
    return this.knowledge.listOldestSeen(limit);
  }

  noteLooked(presets: readonly string[], at: number): void {
    this.knowledge.noteLooked(presets, at);
  }

  carryOut(): Iterable<string> {
    return carryOut(this.store, this.options.clock.now(), this.complete);
  }

  beginCarryIn(options: CarryInOptions): CarryIn {
    return new CarryIn(this.store, this.knowledge, options);
  }

  finishCarryIn(carried: CarryIn): void {
    this.knowledge.changes += 1;
    this.synonyms = undefined;
    this.forget();
    this.harvest.outdate();
    if (carried.isComplete()) this.setComplete(true);
    const { lines, added, changed, bad } = carried.report;
    this.options.log.info('library carried in', { lines, added, changed, bad });
  }

  hasImported(source: string): boolean {
    return this.store.hasImported(source);
  }

  prepare(): void {
    this.load();
  }

  close(): void {
    this.forget();
    this.store.close();
  }

  private sticker(document: number, { index }: Lexicon): Sticker {
    return this.stickerAt(index.arrays.rowids[document]!);
  }

  private stickerAt(rowid: number): Sticker {
    return this.kept.getOrMake(rowid, (id) => this.store.get(id));
  }

  private forget(): void {
    this.loaded = undefined;
    this.isStale = false;
    this.kept.clear();
  }

  private loadSynonyms(): Synonyms {
    this.synonyms ??= parseSynonyms(`${this.options.synonyms()}\n${this.knowledge.synonymLines()}`);
    return this.synonyms;
  }

  private load(made?: CompiledIndex): Loaded {
    if (this.loaded !== undefined) return this.loaded;
    const synonyms = this.loadSynonyms();
    const index = made ?? this.findStored() ?? this.build();
    const vocabulary = new Vocabulary(index, synonyms);
    this.loaded = {
      index,
      vocabulary,
      synonyms,
      tally: new Tally(index),
      suits: new SuitTally(index.size),
    };
    return this.loaded;
  }

  private findStored(): CompiledIndex | undefined {
    const bytes = this.store.findSnapshot();
    const index = bytes && decodeSnapshot(bytes);
    if (bytes !== undefined && index === undefined)
      this.options.log.warn('library snapshot unusable, building again');
    return index;
  }

  private build(): CompiledIndex {
    const startedAt = this.options.clock.monotonic();
    const index = buildIndex(this.store.listIndexable());
    this.keep(index);
    const ms = Math.round(this.options.clock.monotonic() - startedAt);
    this.options.log.info('library indexed', { stickers: index.size, ms });
    return index;
  }

  // Without a snapshot the next start is slower; that is no reason not to answer.
  private keep(index: CompiledIndex): void {
    try {
      this.store.saveSnapshot(encodeSnapshot(index));
    } catch (error) {
      this.options.log.warn('library snapshot not kept', { reason: (error as Error).message });
    }
  }
}
