// Filling one library: what to ask next, and what to learn from the answer, in one transaction with its stickers.
// Requests, their rate and their failures: harvester.ts.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Sticker } from '../model/sticker.js';
import type { ReadAnswer } from '../contract/read-candidates.js';
import type { Library } from '../library/library.js';
import type { Learned, LearnedAnswer } from '../library/storage/learned-data.js';
import { guard, type StickerStore } from '../library/storage/sticker-store.js';
import type { Estimate } from './estimate.js';
import { CrawlFrontier, type AskedWord } from './crawl-frontier.js';
import { HarvestLog, type HarvestPurpose, type RequestCounts } from './harvest-log.js';
import { askableWords, plainWord } from './words-of.js';
import type { Statement } from '../platform/open-database.js';

export interface HarvestQuestion {
  readonly purpose: HarvestPurpose;
  readonly words: readonly string[];
  /** Presets that a refreshing question asks for again. */
  readonly presets: readonly string[];
}

/** What an answer to a question held; nothing where the remote lists none. */
export interface HarvestAnswer extends Pick<ReadAnswer, 'candidates' | 'total'> {
  readonly envelope?: LearnedAnswer['envelope'];
  /** The most it could hold. */
  readonly limit: number;
}

export interface HarvestProgress {
  /** Stickers that the remote listed. */
  readonly known: number;
  /** Undefined while there is too little to estimate from. */
  readonly estimate: Estimate | undefined;
  readonly requests: RequestCounts;
  /** Milliseconds since the epoch. */
  readonly lastAnswerAt: number | undefined;
}

type FilledLibrary = Pick<Library, 'store' | 'learn' | 'synonymWords' | 'observe'>;

/** The part of all that may be unknown when a library counts as complete. */
const REST = 0.005;
/** New stickers that the next request may still be expected to bring then. */
const PROMISE = 1;
/** Fewer known stickers than this say nothing of the others. */
const SMALL = 300;
/** Titles in one question of a refresh. */
const TITLES = 8;
/** Stickers taken in between two turns of the event loop. */
const SLICE = 100;

export class Harvest {
  readonly #library: FilledLibrary;
  #log!: HarvestLog;
  #old!: OldStickers;
  #frontier: CrawlFrontier | undefined;
  /** Opened again when what is known changed from elsewhere. */
  #isOutdated = false;
  #known!: number;
  #estimate: Estimate | undefined;
  #lastAnswerAt: number | undefined;
  #progress: HarvestProgress | undefined;
  #isPaused!: boolean;
  /** Presets that a question of several titles did not bring: asked alone next. */
  readonly #missed = new Set<string>();

  constructor(library: FilledLibrary) {
    this.#library = library;
    this.#load();
    library.observe({
      learned: (stickers) => this.#see(stickers),
      imported: () => this.#outdate(),
      reopened: () => this.#load(),
    });
  }

  /** Takes up the state that the open file of the library holds. */
  #load(): void {
    this.#log = new HarvestLog(this.#library.store);
    this.#old = new OldStickers(this.#library.store);
    this.#frontier = undefined;
    this.#estimate = this.#log.findEstimate();
    this.#lastAnswerAt = this.#log.findLastAnswerAt();
    this.#isPaused = this.#log.isPaused();
    this.#missed.clear();
    this.#outdate();
  }

  /** The same object until something changes. */
  get progress(): HarvestProgress {
    return (this.#progress ??= this.#tellProgress());
  }

  #tellProgress(): HarvestProgress {
    const estimate = this.#estimate;
    const known = this.#known;
    return {
      known,
      estimate: estimate && {
        total: Math.max(known, estimate.total),
        low: Math.max(known, estimate.low),
        high: Math.max(known, estimate.high),
      },
      requests: this.#log.requests,
      lastAnswerAt: this.#lastAnswerAt,
    };
  }

  /** Whether the user paused the harvest; kept over restarts. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  setPaused(paused: boolean): void {
    this.#log.setPaused(paused);
    this.#isPaused = paused;
  }

  /** When requests left since an instant, oldest first; also those of earlier runs. */
  listSentSince(at: number): number[] {
    return this.#log.listSentSince(at);
  }

  /** Takes up what earlier runs learned; a second of work for a full library, in slices. */
  async open(): Promise<void> {
    if (this.#frontier !== undefined && !this.#isOutdated) return;
    this.#isOutdated = false;
    const frontier = new CrawlFrontier([...this.#unseenTexts(), ...this.#library.synonymWords()]);
    await this.#replay(frontier);
    this.#frontier = frontier;
  }

  /** Forgets what only the next question needs; `open` takes it up again. */
  rest(): void {
    this.#frontier = undefined;
  }

  /** The next question that finds new stickers; undefined when nothing is left to ask. Only after `open`. */
  findNext(limit: number): HarvestQuestion | undefined {
    const words = this.#opened().next(limit);
    return words.length === 0 ? undefined : { purpose: 'fill', words, presets: [] };
  }

  /** Whether practically all is known, as far as the estimate says, and no word promises more. Only after `open`. */
  isFilled(limit: number): boolean {
    const frontier = this.#opened();
    const estimate = frontier.estimate();
    if (estimate === undefined || estimate.total - frontier.known > REST * estimate.total) return false;
    // Few stickers share few words, and most may lie where no word of theirs leads: every word is asked.
    if (frontier.known < SMALL) return frontier.next(limit).length === 0;
    return frontier.expectNext(limit) <= PROMISE;
  }

  /** A question that shows stickers again which the remote did not list since `before`; undefined when there are none. */
  findOld(before: number): HarvestQuestion | undefined {
    const old = this.#old.list(before, TITLES);
    const alone = old.find(({ preset }) => this.#missed.has(preset));
    const chosen = alone === undefined ? old : [alone];
    if (chosen.length === 0) return undefined;
    return {
      purpose: 'refresh',
      words: [...new Set(chosen.map(({ title }) => plainWord(title)))].flatMap((title) =>
        chosen.length === 1 ? [title] : longest(title),
      ),
      presets: chosen.map(({ preset }) => preset),
    };
  }

  /** Notes a request that is about to leave; its number. */
  noteSent({ purpose }: HarvestQuestion, at: number): number {
    this.#progress = undefined;
    return this.#log.noteSent(purpose, at);
  }

  /** Takes in the answer of a request: stickers, words, estimate and the request itself, all or nothing. */
  learn(id: number, question: HarvestQuestion, answer: HarvestAnswer, at: number): Learned {
    const { candidates, envelope } = answer;
    try {
      const learned = this.#library.learn(
        {
          shape: 'search',
          words: question.words,
          candidates,
          askedBy: 'harvest',
          ...(envelope !== undefined && { envelope }),
        },
        at,
        () => this.#note(id, question, answer, at),
      );
      this.#log.countAnswer();
      this.#lastAnswerAt = at;
      this.#known = this.#frontier?.known ?? this.#old.countSeen();
      return learned;
    } catch (error) {
      // What the frontier took in is not in the file.
      this.#frontier = undefined;
      throw error;
    } finally {
      this.#progress = undefined;
    }
  }

  /** Completes a request that was refused for good: its words are not asked again. */
  noteRefused(id: number, { purpose, words, presets }: HarvestQuestion, at: number): void {
    const asked =
      purpose === 'refresh'
        ? null
        : words.map((word): AskedWord => ({ word: plainWord(word), sort: 'seed 0 0', found: 0, fresh: 0, done: true }));
    const write = this.#library.store.db.transaction(() => {
      if (asked !== null) this.#opened().recall(asked, this.#known);
      for (const preset of presets) this.#old.noteMissed(preset, at);
      this.#log.noteAnswer(id, { at, known: this.#known, fresh: 0, words: asked });
    });
    guard(() => write.immediate());
    this.#log.countAnswer();
    this.#progress = undefined;
  }

  /** Learns stickers that other requests brought. */
  #see(stickers: Iterable<Sticker>): void {
    this.#progress = undefined;
    if (this.#frontier !== undefined) for (const sticker of stickers) this.#frontier.see(sticker);
    this.#known = this.#frontier?.known ?? this.#old.countSeen();
  }

  /** What is known was changed by others: it is opened again before the next question. */
  #outdate(): void {
    this.#isOutdated = true;
    this.#progress = undefined;
    this.#known = this.#old.countSeen();
  }

  #opened(): CrawlFrontier {
    if (this.#frontier === undefined) throw new Error('the harvest is not open');
    return this.#frontier;
  }

  #note(id: number, question: HarvestQuestion, answer: HarvestAnswer, at: number): void {
    const stickers = answer.candidates.map(({ sticker }) => sticker);
    const listed = new Set(stickers.map(({ preset }) => preset));
    if (question.purpose === 'refresh') this.#noteSeenAgain(question, listed, at);
    const frontier = this.#frontier;
    if (frontier === undefined) {
      return this.#log.noteAnswer(id, { at, known: this.#known, fresh: 0, words: null });
    }
    const { known } = frontier;
    const isFilling = question.purpose === 'fill';
    const results = stickers.map((sticker) => ({ ...sticker, fresh: !frontier.hasSeen(sticker.preset) }));
    const words = isFilling ? frontier.learn(question.words, { ...answer, results }) : null;
    for (const sticker of stickers) frontier.see(sticker);
    const fresh = frontier.known - known;
    this.#log.noteAnswer(id, { at, known, fresh, words });
    this.#estimate = frontier.estimate();
    this.#log.keepEstimate(this.#estimate);
  }

  #noteSeenAgain({ presets }: HarvestQuestion, listed: ReadonlySet<string>, at: number): void {
    for (const preset of presets) {
      if (listed.has(preset)) this.#missed.delete(preset);
      else if (presets.length > 1) this.#missed.add(preset);
      else {
        this.#missed.delete(preset);
        this.#old.noteMissed(preset, at);
      }
    }
  }

  /** Stickers in the order in which they were first seen, the answers in between as they came. */
  async #replay(frontier: CrawlFrontier): Promise<void> {
    const answers = this.#log.listAnswered();
    frontier.resumeWidth(Math.max(1, ...answers.slice(-SLICE).map(({ words }) => words.length)));
    let next = 0;
    for (const [at, sticker] of this.#listSeen().entries()) {
      for (; (answers[next]?.known ?? Infinity) <= frontier.known; next++) {
        frontier.recall(answers[next]!.words, answers[next]!.known);
      }
      frontier.see(sticker);
      if (at % SLICE === 0) await nextTurn();
    }
    for (const { words, known } of answers.slice(next)) frontier.recall(words, known);
  }

  #listSeen() {
    const { db, scope } = this.#library.store;
    const query = db.prepare<[string], { preset: string; title: string; keywords: string }>(
      `SELECT preset, title, keywords FROM sticker WHERE scope = ? AND seen_at > 0 AND whose = 'remote'
       ORDER BY first_seen_at, id`,
    );
    return guard(() => query.all(scope)).map(({ preset, title, keywords }) => ({
      preset,
      title,
      keywords: JSON.parse(keywords) as string[],
    }));
  }

  /** Titles and keywords of what came from elsewhere: the remote may know them too. */
  *#unseenTexts(): Iterable<string> {
    const { db, scope } = this.#library.store;
    const query = db.prepare<[string], { title: string; keywords: string }>(
      `SELECT title, keywords FROM sticker WHERE scope = ? AND seen_at = 0 AND whose = 'remote'`,
    );
    for (const { title, keywords } of guard(() => query.all(scope))) {
      yield title;
      yield* JSON.parse(keywords) as string[];
    }
  }
}

/** The part of a title that stands best for it beside others. */
function longest(title: string): string[] {
  return askableWords(title)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, 1);
}

interface OldSticker {
  readonly preset: string;
  readonly title: string;
}

/**
 * Which known stickers to ask for again: those that the remote listed longest ago. One that is not listed under its own title is
 * left alone until its time comes again: only a 404 says that it is gone.
 */
export class OldStickers {
  private readonly scope: string;
  private readonly oldest: Statement<[string, number, number], OldSticker>;
  private readonly look: Statement;
  private readonly count: Statement<[string], { n: number }>;

  constructor({ db, scope }: StickerStore) {
    this.scope = scope;
    this.oldest = db.prepare(
      `SELECT preset, title FROM sticker WHERE scope = ? AND whose = 'remote' AND max(seen_at, looked_at) < ?
         AND seen_at > 0 AND gone_at IS NULL ORDER BY max(seen_at, looked_at), id LIMIT ?`,
    );
    this.look = db.prepare('UPDATE sticker SET looked_at = ? WHERE scope = ? AND preset = ?');
    this.count = db.prepare(
      `SELECT count(*) AS n FROM sticker WHERE scope = ? AND seen_at > 0 AND whose = 'remote' AND gone_at IS NULL`,
    );
  }

  /** Those neither seen nor looked for since `before`, oldest first. */
  list(before: number, limit: number): OldSticker[] {
    return guard(() => this.oldest.all(this.scope, before, limit));
  }

  /** Notes that one was asked for and not listed. For use inside a transaction. */
  noteMissed(preset: string, at: number): void {
    this.look.run(at, this.scope, preset);
  }

  /** Stickers that the remote listed some time and that are not gone. */
  countSeen(): number {
    return guard(() => this.count.get(this.scope))?.n ?? 0;
  }
}
