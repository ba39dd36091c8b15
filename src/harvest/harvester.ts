// Filling the library from the remote, in the background and for a person who waits: when to ask, when to wait, when
// it is done. What to ask is for the harvest; never a paid call, never ahead of people.

import type { Clock } from '../platform/clock.js';
import type { Harvest, HarvestQuestion } from './harvest.js';
import type { Log } from '../platform/log.js';
import type { Reach } from '../upstream/breaker.js';
import type { Exchange, RemoteRequest } from '../upstream/exchange.js';
import { HarvestAsker, type AskedOutcome } from './harvest-request.js';
import type { LibraryState, LibraryStatus } from '../api/library-status.js';
import { progressOf, statusOf } from './harvest-status.js';
import { RequestScheduler, type RequestSchedulerRules } from './request-scheduler.js';

/** What a run tells as it goes. */
export type HarvestEvent =
  | ({ readonly event: 'begun' | 'waiting' } & LibraryStatus)
  | ({
      readonly event: 'asked';
      readonly purpose: HarvestQuestion['purpose'];
      readonly words: readonly string[];
      readonly listed: number;
      readonly fresh: number;
      readonly changed: number;
    } & LibraryStatus)
  | ({ readonly event: 'ended'; readonly asked: number; readonly fresh: number } & LibraryStatus);

export interface SyncOptions {
  /** Ends after so many requests. */
  readonly maxRequests: number | undefined;
  /** Ends when this is aborted. */
  readonly signal: AbortSignal;
  readonly tell: (event: HarvestEvent) => void;
}

export interface Harvester {
  /** Fills until done, told to end, or nothing can be done; resolves then. */
  sync(wish: SyncOptions): Promise<void>;
  status(): LibraryStatus;
  pause(): LibraryStatus;
  resume(): LibraryStatus;
  /** Begins the work that nobody waits for. */
  begin(): void;
  /** Another Key is there: what the last one was refused may go. */
  noteKey(): void;
  /** Ends after the answer that is under way, if it comes soon. */
  close(): Promise<void>;
}

export interface HarvestedLibrary {
  /** Stickers, whoever they are from. */
  readonly size: number;
  isComplete(): boolean;
  setComplete(complete: boolean): void;
  freshen(): Promise<void>;
}

export interface HarvesterParts {
  readonly library: HarvestedLibrary;
  readonly harvest: Harvest;
  readonly remote:
    { readonly exchange: (request: RemoteRequest) => Promise<Exchange>; reach(): Reach } | undefined;
  readonly userKey: () => string | undefined;
  readonly clock: Clock;
  readonly sleep: (ms: number, options: { signal: AbortSignal }) => Promise<void>;
  readonly log: Log;
  /** Whether to work although nobody waits. */
  readonly background: boolean;
  readonly pace: RequestSchedulerRules;
  /** Stickers not seen for longer are looked at again. */
  readonly refreshAfterMs: number;
}

interface Run extends SyncOptions {
  asked: number;
  fresh: number;
  readonly end: () => void;
}

/** A step of the work: what to do next, or why not. */
type Step =
  | { readonly kind: 'asked' }
  | { readonly kind: 'done' }
  | { readonly kind: 'wait'; readonly ms: number; readonly why: string }
  | { readonly kind: 'stop'; readonly why: string };

const OFFLINE_LOOK_MS = 2000;
const KEY_LOOK_MS = 5000;
const IDLE_LOOK_MS = 10 * 60_000;
/** Between one failure and the next try, longer each time. */
const FIRST_PAUSE_MS = 5000;
const LAST_PAUSE_MS = 5 * 60_000;
const CLOSE_PATIENCE_MS = 3000;
/** Answers without a sticker, one after the other, after which something must be wrong. */
const EMPTY_MAX = 400;
/** The index follows when the library has grown by so much, or the work ends. */
const GROWTH = 1.25;
const FADE = 0.95;
const NOTHING_LEFT = 'every word that it knows was asked; others come with what people search';

/** One worker for all who want the library filled. */
export function createHarvester(parts: HarvesterParts): Harvester {
  return new Worker(parts);
}

class Worker implements Harvester {
  readonly #parts: HarvesterParts;
  readonly #runs = new Set<Run>();
  readonly #asker = new HarvestAsker();
  readonly #spacing: RequestScheduler;
  #working: Promise<void> | undefined;
  #wake = new AbortController();
  #isClosed = false;
  #isAbandoned = false;
  #hasBegun = false;
  #state: LibraryState = 'off';
  #why: string | undefined;
  /** The Key that was refused: another may do. */
  #refusedKey: string | undefined;
  #failures = 0;
  #empty = 0;
  #freshRate: number | undefined;
  #indexedAt: number;

  constructor(parts: HarvesterParts) {
    this.#parts = parts;
    const { clock, harvest, pace } = parts;
    const [wall, now] = [clock.now(), clock.monotonic()];
    const recent = harvest.listSentSince(wall - pace.windowMs).map((at) => now - (wall - at));
    this.#spacing = new RequestScheduler(pace, recent, now);
    this.#indexedAt = harvest.progress.known;
  }

  status(): LibraryStatus {
    const { library, harvest, background } = this.#parts;
    return statusOf({
      state: this.#stateNow(),
      why: this.#why,
      complete: library.isComplete(),
      progress: progressOf(library, harvest),
      background: background && !harvest.isPaused,
      perMinute: this.#spacing.perMinute,
      freshRate: this.#freshRate,
    });
  }

  sync(wish: SyncOptions): Promise<void> {
    this.#refusedKey = undefined;
    return new Promise((resolve) => {
      const end = () => {
        if (!this.#runs.delete(run)) return;
        wish.signal.removeEventListener('abort', leave);
        wish.tell({ event: 'ended', asked: run.asked, fresh: run.fresh, ...this.status() });
        resolve();
      };
      const run: Run = { ...wish, asked: 0, fresh: 0, end };
      const leave = () => {
        end();
        this.#wakeUp();
      };
      this.#runs.add(run);
      if (wish.signal.aborted || this.#isClosed) return end();
      wish.signal.addEventListener('abort', leave);
      wish.tell({ event: 'begun', ...this.status() });
      this.#wakeUp();
      this.#goOn();
    });
  }

  pause(): LibraryStatus {
    this.#parts.harvest.setPaused(true);
    this.#why = undefined;
    this.#endRuns();
    this.#wakeUp();
    return this.status();
  }

  resume(): LibraryStatus {
    this.#parts.harvest.setPaused(false);
    this.#refusedKey = undefined;
    this.#why = undefined;
    this.#wakeUp();
    this.#goOn();
    return this.status();
  }

  begin(): void {
    this.#hasBegun = true;
    this.#goOn();
  }

  noteKey(): void {
    this.#wakeUp();
    this.#goOn();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#endRuns();
    this.#wakeUp();
    const patience = new AbortController();
    const late = this.#parts.sleep(CLOSE_PATIENCE_MS, { signal: patience.signal });
    await Promise.race([this.#working, late]);
    this.#isAbandoned = true;
    patience.abort();
  }

  #stateNow(): LibraryState {
    const { library, harvest, background } = this.#parts;
    if (harvest.isPaused && this.#runs.size === 0) return 'paused';
    if (this.#working !== undefined && this.#isWanted()) return this.#state;
    if (this.#state === 'stopped') return 'stopped';
    if (library.isComplete()) return 'complete';
    return background && this.#hasBegun ? 'waiting' : 'off';
  }

  #isWanted(): boolean {
    const { background, harvest } = this.#parts;
    if (this.#isClosed) return false;
    return this.#runs.size > 0 || (background && this.#hasBegun && !harvest.isPaused);
  }

  #goOn(): void {
    if (this.#working !== undefined || !this.#isWanted()) return;
    this.#working = this.#work()
      .catch((error: unknown) => this.#giveUp(error))
      .finally(() => {
        this.#working = undefined;
        // Somebody may have come while the last one left.
        if (this.#state !== 'stopped') this.#goOn();
      });
  }

  async #work(): Promise<void> {
    while (this.#isWanted()) {
      const step = await this.#step();
      if (this.#isClosed) return;
      if (step.kind === 'stop') return this.#stop(step.why);
      if (step.kind === 'wait') await this.#wait(step);
      if (step.kind === 'done') await this.#rest();
    }
    await this.#freshen();
    this.#parts.harvest.rest();
  }

  async #step(): Promise<Step> {
    const { harvest, remote, userKey, clock } = this.#parts;
    if (remote === undefined) return { kind: 'stop', why: 'no remote is configured' };
    const key = userKey();
    const hindrance = this.#findHindrance(remote.reach(), key);
    if (hindrance !== undefined || key === undefined) return hindrance ?? { kind: 'done' };
    const dueInMs = this.#spacing.waitMs(clock.monotonic());
    if (dueInMs > 0) return this.#awaitTurn(dueInMs);
    const question = await this.#findQuestion();
    if (question === undefined) return { kind: 'done' };
    this.#enter(question.purpose === 'fill' ? 'filling' : 'refreshing', undefined);
    let id: number | undefined;
    const outcome = await this.#asker.ask(question, {
      exchange: (request) => remote.exchange(request),
      key,
      beforeSend: () => {
        id = harvest.noteSent(question, clock.now());
        this.#spacing.leave(clock.monotonic());
      },
    });
    // The library may be closed by now; the request stands in it as one without an answer.
    if (this.#isAbandoned) return { kind: 'done' };
    return this.#take(outcome, question, id, key);
  }

  #findHindrance(reach: Reach, key: string | undefined): Step | undefined {
    if (reach.offline && reach.forced) {
      const why = 'svcd was told to be offline; "svcd online" ends it';
      return this.#runs.size > 0 ? { kind: 'stop', why } : { kind: 'wait', ms: OFFLINE_LOOK_MS, why };
    }
    if (reach.offline) return { kind: 'wait', ms: OFFLINE_LOOK_MS, why: reach.why ?? 'the remote is away' };
    if (key !== undefined && key !== this.#refusedKey) return undefined;
    const why = key === undefined ? 'there is no Key' : (this.#why ?? 'the Key is refused');
    return this.#runs.size > 0 ? { kind: 'stop', why } : { kind: 'wait', ms: KEY_LOOK_MS, why };
  }

  /** Not a state of its own: a second between two requests is how it works. */
  async #awaitTurn(ms: number): Promise<Step> {
    await this.#nap(ms);
    return { kind: 'asked' };
  }

  async #findQuestion(): Promise<HarvestQuestion | undefined> {
    const { library, harvest, clock, refreshAfterMs } = this.#parts;
    const { limit } = this.#asker;
    if (!library.isComplete()) {
      await harvest.open();
      const next = harvest.isFilled(limit) ? this.#noteComplete() : harvest.findNext(limit);
      if (next !== undefined) return next;
    }
    return harvest.findOld(clock.now() - refreshAfterMs);
  }

  #noteComplete(): undefined {
    const { library, harvest, log } = this.#parts;
    library.setComplete(true);
    log.info('library complete', { stickers: harvest.progress.known });
  }

  async #take(
    outcome: AskedOutcome,
    question: HarvestQuestion,
    id: number | undefined,
    key: string,
  ): Promise<Step> {
    const { harvest, clock } = this.#parts;
    if (outcome.kind === 'stop') {
      this.#refusedKey = key;
      return outcome;
    }
    if (outcome.kind === 'later') return this.#later(outcome.why, outcome.afterMs);
    this.#failures = 0;
    if (outcome.kind === 'refused' || id === undefined) {
      if (id !== undefined) harvest.noteRefused(id, question, clock.now());
      return { kind: 'asked' };
    }
    const before = harvest.progress.known;
    const { answer } = outcome;
    const { changed } = harvest.learn(id, question, answer, clock.now());
    const fresh = harvest.progress.known - before;
    this.#noteFresh(question, fresh, answer.candidates.length);
    await this.#reconsider(question, fresh);
    this.#tellAsked(question, { listed: answer.candidates.length, fresh, changed });
    if (harvest.progress.known >= this.#indexedAt * GROWTH + 1) await this.#freshen();
    if (this.#empty < EMPTY_MAX) return { kind: 'asked' };
    return { kind: 'stop', why: `${EMPTY_MAX} answers in a row held no sticker that svcd can read` };
  }

  /** New stickers in a complete library: there may be more of them. */
  async #reconsider({ purpose }: HarvestQuestion, fresh: number): Promise<void> {
    const { library, harvest } = this.#parts;
    if (purpose !== 'refresh' || fresh === 0) return;
    await harvest.open();
    if (!harvest.isFilled(this.#asker.limit)) library.setComplete(false);
  }

  #noteFresh({ purpose }: HarvestQuestion, fresh: number, listed: number): void {
    this.#empty = listed === 0 ? this.#empty + 1 : 0;
    if (purpose !== 'fill') return;
    this.#freshRate = this.#freshRate === undefined ? fresh : this.#freshRate * FADE + fresh * (1 - FADE);
  }

  #later(why: string, afterMs: number | undefined): Step {
    this.#failures += 1;
    const pauseMs = Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#failures - 1));
    if (afterMs === 0) return { kind: 'asked' };
    return { kind: 'wait', ms: afterMs ?? pauseMs, why };
  }

  async #wait({ ms, why }: Extract<Step, { kind: 'wait' }>): Promise<void> {
    if (this.#enter('waiting', why)) this.#tell({ event: 'waiting', ...this.status() });
    await this.#nap(ms);
  }

  /** Nothing to do for now: whoever waited has what there is. */
  async #rest(): Promise<void> {
    const isComplete = this.#parts.library.isComplete();
    this.#enter(isComplete ? 'complete' : 'off', isComplete ? undefined : NOTHING_LEFT);
    await this.#freshen();
    this.#parts.harvest.rest();
    this.#endRuns();
    if (this.#isWanted()) await this.#nap(IDLE_LOOK_MS);
  }

  #stop(why: string): void {
    this.#enter('stopped', why);
    this.#parts.log.warn('filling the library stopped', { why });
    this.#endRuns();
    this.#parts.harvest.rest();
  }

  /** A full disk or a damaged file: told, and taken up again with the next wish. */
  #giveUp(error: unknown): void {
    this.#stop(error instanceof Error ? error.message : 'unknown');
  }

  async #freshen(): Promise<void> {
    if (this.#isClosed) return;
    this.#indexedAt = this.#parts.harvest.progress.known;
    await this.#parts.library.freshen();
  }

  #endRuns(): void {
    for (const run of this.#runs) run.end();
  }

  #tell(event: HarvestEvent): void {
    for (const { tell } of this.#runs) tell(event);
  }

  #tellAsked(question: HarvestQuestion, counts: { listed: number; fresh: number; changed: number }): void {
    const { purpose, words } = question;
    this.#tell({ event: 'asked', purpose, words, ...counts, ...this.status() });
    for (const run of this.#runs) {
      run.asked += 1;
      run.fresh += counts.fresh;
      if (run.asked >= (run.maxRequests ?? Infinity)) run.end();
    }
  }

  /** True when this is news. */
  #enter(state: LibraryState, why: string | undefined): boolean {
    const isNews = this.#state !== state || this.#why !== why;
    this.#state = state;
    this.#why = why;
    return isNews;
  }

  async #nap(ms: number): Promise<void> {
    await this.#parts.sleep(ms, { signal: this.#wake.signal });
  }

  /** Lets whoever naps look again. */
  #wakeUp(): void {
    this.#wake.abort();
    this.#wake = new AbortController();
  }
}
