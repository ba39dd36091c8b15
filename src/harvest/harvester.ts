// Fills the library from the remote, in the background and for sync commands: decides when to ask, when to wait and
// when it is done. What to ask is decided in harvest.ts. Never a paid call, never ahead of a user's request.

import type { Clock } from '../platform/clock.js';
import type { Harvest, HarvestQuestion } from './harvest.js';
import type { Log } from '../platform/log.js';
import type { Library } from '../library/library.js';
import type { Reach } from '../upstream/breaker.js';
import type { Remote } from '../upstream/remote.js';
import { HarvestAsker, type AskedOutcome } from './harvest-request.js';
import type { LibraryState, LibraryStatus } from '../api/library.js';
import { progressOf, statusOf } from './harvest-status.js';
import { RequestScheduler, type RequestSchedulerRules } from './request-scheduler.js';
import { SyncRuns, type SyncOptions } from './sync-runs.js';

export interface Harvester {
  /** Fills until the library is complete, the run is ended, or nothing can be done; resolves then. */
  sync(options: SyncOptions): Promise<void>;
  status(): LibraryStatus;
  pause(): LibraryStatus;
  resume(): LibraryStatus;
  /** Begins the background work. */
  begin(): void;
  /** Another Key is configured: it may be accepted where the last one was refused. */
  noteKey(): void;
  /** Waits a few seconds for the answer that is under way, then ends. */
  close(): Promise<void>;
}

export interface HarvesterParts {
  readonly library: Pick<Library, 'size' | 'isComplete' | 'setComplete' | 'freshen'>;
  readonly harvest: Harvest;
  readonly remote: Pick<Remote, 'exchange' | 'reach'> | undefined;
  readonly userKey: () => string | undefined;
  readonly clock: Clock;
  readonly sleep: (ms: number, options: { signal: AbortSignal }) => Promise<void>;
  readonly log: Log;
  /** Whether to fill without a sync command. */
  readonly background: boolean;
  readonly pace: RequestSchedulerRules;
  /** Stickers that the remote has not listed for longer are asked for again. */
  readonly refreshAfterMs: number;
}

/** The outcome of one step. */
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
/** After so many answers in a row without a sticker, something must be wrong. */
const EMPTY_MAX = 400;
/** The index is built again when the library has grown by this factor or by so many stickers, and at the end. */
const GROWTH = 1.25;
const GROWN_BY = 500;
const FADE = 0.95;
const NOTHING_LEFT = 'svcd has asked for every word it knows; new words come from searches';

/** One worker for the background and all sync commands. */
export function createHarvester(parts: HarvesterParts): Harvester {
  return new Worker(parts);
}

class Worker implements Harvester {
  readonly #parts: HarvesterParts;
  readonly #runs = new SyncRuns(() => this.status());
  readonly #asker = new HarvestAsker();
  readonly #scheduler: RequestScheduler;
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
    this.#scheduler = new RequestScheduler(pace, recent, now);
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
      perMinute: this.#scheduler.perMinute,
      freshRate: this.#freshRate,
    });
  }

  sync(options: SyncOptions): Promise<void> {
    this.#refusedKey = undefined;
    const ended = this.#runs.add(options, () => this.#wakeUp());
    if (this.#isClosed) this.#runs.endAll();
    this.#wakeUp();
    this.#goOn();
    return ended;
  }

  pause(): LibraryStatus {
    this.#parts.harvest.setPaused(true);
    this.#why = undefined;
    this.#runs.endAll();
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
    this.#runs.endAll();
    this.#wakeUp();
    const patience = new AbortController();
    const late = this.#parts.sleep(CLOSE_PATIENCE_MS, { signal: patience.signal });
    await Promise.race([this.#working, late]);
    this.#isAbandoned = true;
    patience.abort();
  }

  #stateNow(): LibraryState {
    const { library, harvest, background } = this.#parts;
    if (harvest.isPaused && this.#runs.count === 0) return 'paused';
    if (this.#working !== undefined && this.#isWanted()) return this.#state;
    if (this.#state === 'stopped') return 'stopped';
    if (library.isComplete()) return 'complete';
    return background && this.#hasBegun ? 'waiting' : 'off';
  }

  #isWanted(): boolean {
    const { background, harvest } = this.#parts;
    if (this.#isClosed) return false;
    return this.#runs.count > 0 || (background && this.#hasBegun && !harvest.isPaused);
  }

  #goOn(): void {
    if (this.#working !== undefined || !this.#isWanted()) return;
    this.#working = this.#work()
      .catch((error: unknown) => this.#giveUp(error))
      .finally(() => {
        this.#working = undefined;
        // A sync may have begun while this work was ending.
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
    const dueInMs = this.#scheduler.waitMs(clock.monotonic());
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
        this.#scheduler.leave(clock.monotonic());
      },
    });
    // The library may be closed by now; its log holds the request as unanswered.
    if (this.#isAbandoned) return { kind: 'done' };
    return this.#take(outcome, question, id, key);
  }

  #findHindrance(reach: Reach, key: string | undefined): Step | undefined {
    if (reach.offline && reach.forced) {
      const why = 'svcd is set to offline; "svcd offline --off" ends that';
      return this.#runs.count > 0 ? { kind: 'stop', why } : { kind: 'wait', ms: OFFLINE_LOOK_MS, why };
    }
    if (reach.offline) return { kind: 'wait', ms: OFFLINE_LOOK_MS, why: reach.why ?? 'the remote is away' };
    if (key !== undefined && key !== this.#refusedKey) return undefined;
    const why = key === undefined ? 'there is no Key' : (this.#why ?? 'the Key is refused');
    return this.#runs.count > 0 ? { kind: 'stop', why } : { kind: 'wait', ms: KEY_LOOK_MS, why };
  }

  /** No state of its own: short waits between requests are normal. */
  async #awaitTurn(ms: number): Promise<Step> {
    await this.#sleep(ms);
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

  async #take(outcome: AskedOutcome, question: HarvestQuestion, id: number | undefined, key: string): Promise<Step> {
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
    this.#runs.tellAsked(question, { listed: answer.candidates.length, fresh, changed });
    const grownTo = Math.min(this.#indexedAt * GROWTH, this.#indexedAt + GROWN_BY);
    if (harvest.progress.known >= grownTo + 1) await this.#freshen();
    if (this.#empty < EMPTY_MAX) return { kind: 'asked' };
    return { kind: 'stop', why: `${EMPTY_MAX} answers in a row held no sticker that svcd can read` };
  }

  /** New stickers in a complete library: there may be more. */
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
    if (this.#enter('waiting', why)) this.#runs.tell({ event: 'waiting', ...this.status() });
    await this.#sleep(ms);
  }

  /** Nothing to do for now: all sync commands end. */
  async #rest(): Promise<void> {
    const isComplete = this.#parts.library.isComplete();
    this.#enter(isComplete ? 'complete' : 'off', isComplete ? undefined : NOTHING_LEFT);
    await this.#freshen();
    this.#parts.harvest.rest();
    this.#runs.endAll();
    if (this.#isWanted()) await this.#sleep(IDLE_LOOK_MS);
  }

  #stop(why: string): void {
    this.#enter('stopped', why);
    this.#parts.log.warn('filling the library stopped', { why });
    this.#runs.endAll();
    this.#parts.harvest.rest();
  }

  /** A full disk or a damaged file: reported; the next sync tries again. */
  #giveUp(error: unknown): void {
    this.#stop(error instanceof Error ? error.message : 'unknown');
  }

  async #freshen(): Promise<void> {
    if (this.#isClosed) return;
    this.#indexedAt = this.#parts.harvest.progress.known;
    await this.#parts.library.freshen();
  }

  /** Returns whether state or reason changed. */
  #enter(state: LibraryState, why: string | undefined): boolean {
    const hasChanged = this.#state !== state || this.#why !== why;
    this.#state = state;
    this.#why = why;
    return hasChanged;
  }

  async #sleep(ms: number): Promise<void> {
    await this.#parts.sleep(ms, { signal: this.#wake.signal });
  }

  /** Ends the current wait. */
  #wakeUp(): void {
    this.#wake.abort();
    this.#wake = new AbortController();
  }
}
