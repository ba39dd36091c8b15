// Limits the rate of the requests of one Key. The window slides: it holds the departures themselves, so that no stretch
// of its length, wherever it begins, sees more of them than the limit. Within it turns are spread: a burst, then evenly,
// so that a few callers each wait a little and none of them for most of a window.

import type { Clock } from '../platform/clock.js';
import { SvcdError } from '../model/errors.js';
import type { HubItem, RemoteRequest, Urgency } from './exchange.js';
import type { Sleep } from '../platform/sleep.js';

export interface RateLimiterRules {
  /** Requests that may leave in any window. */
  readonly limit: number;
  readonly windowMs: number;
  /** Requests that may leave at once after a pause; the rest of the limit is spread evenly. The limit, for no spreading. */
  readonly burst: number;
  /**
   * Whether turns come as often as the limit allows for good, of somebody for whom many wait all day: after a burst there is
   * a pause once. If not, the burst and the turns after it share one window, and none has to pause.
   */
  readonly steady?: boolean | undefined;
  /** Part of the limit, from 0 to 1, that background work may use; at least one request. */
  readonly backgroundShare: number;
  /** How many may wait, of people and of background work each. */
  readonly maxWaiting: number;
  /** Where the remote wants to be left alone for longer, requests are refused instead of waiting. */
  readonly maxBlockMs: number;
  /** Which of those that wait goes first; the one that has waited longest if not given. */
  readonly order?: TurnOrder | undefined;
  readonly clock: Clock;
  readonly sleep: Sleep;
}

/** The order of items of one urgency. */
export interface TurnOrder {
  /** Less than 0 where `a` goes before `b`; where neither does, it is the older one's turn. */
  compare(a: HubItem, b: HubItem): number;
  /** Told whose turn it is. */
  noteTurn(item: HubItem): void;
}

/** The right to leave once. Each method may be called again without effect. */
export interface Turn {
  /** It leaves now. */
  leave(): void;
  /** It did not leave, and another may. */
  giveBack(): void;
}

interface Waiter {
  /** Since when it waits, also before it was sent and refused for now. */
  readonly since: number;
  readonly hubItem: HubItem;
  /** Whether a client still waits for it. */
  readonly isAwaited: () => boolean;
  /** Takes it out of its queue. */
  readonly end: (outcome: Turn | SvcdError) => void;
}

interface Departure {
  readonly at: number;
  readonly urgency: Urgency;
}

/** Part of the burst that may leave at once when the remote no longer wants to be left alone. */
const COMEBACK_SHARE = 1 / 8;
const URGENCIES = ['person', 'background'] as const;
/** Of what nobody wants by name. */
const NO_ITEM: HubItem = { item: '', project: '' };

/** The requests of one Key. */
export class RateLimiter {
  readonly #rules: RateLimiterRules;
  /** Of the current window, oldest first. */
  readonly #departures: Departure[] = [];
  /** Turns given that neither left nor came back: they may leave any moment. */
  readonly #held = { person: 0, background: 0 };
  /** Those who have waited longest first. */
  readonly #waiting: Record<Urgency, Waiter[]> = { person: [], background: [] };
  #blockedUntil = -Infinity;
  /** Each turn uses up one interval, and so many may be used up in advance. */
  readonly #intervalMs: number;
  readonly #advanceMs: number;
  /** How much of that is free after a block or a full window: a handful of clients that wait need not leave one by one. */
  readonly #comebackMs: number;
  /** What background work leaves to people of that. */
  readonly #reserveMs: number;
  /** Until when the intervals are used up. */
  #usedUntil = -Infinity;
  #alarm: { readonly at: number; readonly off: AbortController } | undefined;

  constructor(rules: RateLimiterRules) {
    this.#rules = rules;
    const { limit, windowMs, steady = false } = rules;
    const burst = Math.max(1, Math.min(rules.burst, limit));
    // The burst and the even turns after it share one window.
    const even = steady ? limit : limit - burst;
    this.#intervalMs = even === 0 ? 0 : windowMs / even;
    this.#advanceMs = (burst - 1) * this.#intervalMs;
    this.#comebackMs = Math.max(0, Math.floor(burst * COMEBACK_SHARE) - 1) * this.#intervalMs;
    this.#reserveMs = Math.floor(burst / 2) * this.#intervalMs;
  }

  /**
   * Waits for a turn: people first, of them those for whom a client still waits, of these the one that has waited longest.
   * Or says why not: `rate_limited`, or the reason of the recall.
   */
  async enter(request: RemoteRequest): Promise<Turn | SvcdError> {
    const urgency = request.urgency ?? 'person';
    if (request.recall?.aborted === true) return request.recall.reason as SvcdError;
    if (this.#isBlockedTooLong()) return this.#rateLimited();
    const queue = this.#waiting[urgency];
    if (queue.length >= this.#rules.maxWaiting) {
      // One that no client waits for makes room.
      const dispensable = queue.find(({ isAwaited }) => !isAwaited());
      if (dispensable === undefined) return this.#rateLimited();
      dispensable.end(this.#rateLimited());
    }
    return this.#wait(urgency, request);
  }

  /** Lets nothing leave for `ms`; never shortens what was said before. */
  block(ms: number): void {
    this.#blockedUntil = Math.max(this.#blockedUntil, this.#now() + ms);
    // The remote has seen more than this window holds, so there is only a small burst after it.
    this.#usedUntil = Math.max(this.#usedUntil, this.#blockedUntil + this.#advanceMs - this.#comebackMs);
    if (this.#isBlockedTooLong()) {
      const error = this.#rateLimited();
      for (const urgency of URGENCIES) for (const { end } of this.#waiting[urgency].slice()) end(error);
    }
    this.#setAlarm();
  }

  /** Lets requests leave again, one after another. */
  lift(): void {
    if (this.heldForMs() === 0) return;
    this.#blockedUntil = -Infinity;
    this.#usedUntil = this.#now() + this.#advanceMs;
    this.#admit();
  }

  /** How long the remote still wants to be left alone. */
  heldForMs(): number {
    return Math.max(0, this.#blockedUntil - this.#now());
  }

  /** How many wait, and how many may still leave in this window. */
  figures(): { readonly waiting: number; readonly left: number } {
    this.#forgetOld();
    return { waiting: this.#waitingCount(), left: this.#rules.limit - this.#used() };
  }

  /** Whether there is nothing left to remember. */
  isIdle(): boolean {
    this.#forgetOld();
    return this.#used() + this.#waitingCount() === 0 && this.#blockedUntil <= this.#now();
  }

  #wait(urgency: Urgency, request: RemoteRequest): Promise<Turn | SvcdError> {
    const {
      recall,
      queueTimeoutMs,
      waitingSince: since = this.#now(),
      isAwaited = () => true,
      hubItem = NO_ITEM,
    } = request;
    const queue = this.#waiting[urgency];
    return new Promise((resolve) => {
      const over = new AbortController();
      const end = (outcome: Turn | SvcdError) => {
        const at = queue.indexOf(waiter);
        if (at === -1) return;
        queue.splice(at, 1);
        over.abort();
        resolve(outcome);
        this.#setAlarm();
      };
      const waiter: Waiter = { since, hubItem, isAwaited, end };
      const later = queue.findIndex((other) => other.since > since);
      queue.splice(later === -1 ? queue.length : later, 0, waiter);
      this.#admit();
      if (over.signal.aborted) return;
      recall?.addEventListener('abort', () => end(recall.reason as SvcdError), {
        signal: over.signal,
      });
      if (queueTimeoutMs === undefined) return;
      void this.#rules.sleep(queueTimeoutMs, { signal: over.signal }).then(() => end(this.#rateLimited()));
    });
  }

  #admit(): void {
    this.#forgetOld();
    // While people wait there is no room for any request, so background work cannot overtake them.
    for (const urgency of URGENCIES) {
      const queue = this.#waiting[urgency];
      while (queue.length > 0 && this.#hasRoom(urgency)) {
        const next = this.#nextOf(queue);
        if (next === undefined) break;
        this.#rules.order?.noteTurn(next.hubItem);
        next.end(this.#give(urgency));
      }
    }
    this.#keepEven();
    this.#setAlarm();
  }

  /**
   * While some wait for a full window no new burst is saved up: it would be followed by such a pause again. A handful is,
   * by which those after one that left late catch up; each window would lose as much as its latest otherwise.
   */
  #keepEven(): void {
    if (this.#rules.steady !== true || this.#waitingCount() === 0 || this.#used() < this.#rules.limit) return;
    const [first] = this.#departures;
    if (first === undefined) return;
    const opensAt = first.at + this.#rules.windowMs;
    this.#usedUntil = Math.max(this.#usedUntil, opensAt + this.#advanceMs - this.#comebackMs);
  }

  #nextOf(queue: readonly Waiter[]): Waiter | undefined {
    const { order } = this.#rules;
    if (order === undefined) return queue.find(({ isAwaited }) => isAwaited()) ?? queue[0];
    const awaited = queue.filter(({ isAwaited }) => isAwaited());
    let best: Waiter | undefined;
    for (const one of awaited.length > 0 ? awaited : queue) {
      if (best === undefined || order.compare(one.hubItem, best.hubItem) < 0) best = one;
    }
    return best;
  }

  #give(urgency: Urgency): Turn {
    let held = true;
    this.#held[urgency] += 1;
    this.#usedUntil = Math.max(this.#usedUntil, this.#now()) + this.#intervalMs;
    const end = (departed: boolean) => {
      if (!held) return;
      held = false;
      this.#held[urgency] -= 1;
      if (departed) this.#departures.push({ at: this.#now(), urgency });
      else this.#usedUntil -= this.#intervalMs;
      this.#admit();
    };
    return { leave: () => end(true), giveBack: () => end(false) };
  }

  #hasRoom(urgency: Urgency): boolean {
    const at = this.#roomAt(urgency);
    return at !== undefined && at <= this.#now();
  }

  /** When there is room; undefined while that hangs on a turn that is held. */
  #roomAt(urgency: Urgency): number | undefined {
    const { limit, backgroundShare, windowMs } = this.#rules;
    const leftToPeople = urgency === 'person' ? 0 : this.#reserveMs;
    const paced = Math.max(this.#blockedUntil, this.#usedUntil - this.#advanceMs + leftToPeople);
    const isFull = this.#used() >= limit;
    const share = Math.max(1, Math.floor(limit * backgroundShare));
    const isShareFull = urgency === 'background' && this.#used('background') >= share;
    if (!isFull && !isShareFull) return paced;
    const first = this.#departures.find((one) => !isShareFull || one.urgency === 'background');
    return first === undefined ? undefined : Math.max(paced, first.at + windowMs);
  }

  #used(urgency?: Urgency): number {
    if (urgency === undefined) return this.#departures.length + this.#held.person + this.#held.background;
    return this.#departures.filter((one) => one.urgency === urgency).length + this.#held[urgency];
  }

  #forgetOld(): void {
    const since = this.#now() - this.#rules.windowMs;
    const young = this.#departures.findIndex(({ at }) => at > since);
    this.#departures.splice(0, young === -1 ? this.#departures.length : young);
  }

  /** Looks again when there may be room for those that wait; does not sleep when none waits. */
  #setAlarm(): void {
    const at = Math.min(...URGENCIES.map((urgency) => this.#nextTurnAt(urgency)));
    if (this.#alarm !== undefined && this.#alarm.at <= at && at < Infinity) return;
    this.#alarm?.off.abort();
    this.#alarm = undefined;
    if (at < Infinity) void this.#lookAgain(at);
  }

  #nextTurnAt(urgency: Urgency): number {
    return this.#waiting[urgency].length === 0 ? Infinity : (this.#roomAt(urgency) ?? Infinity);
  }

  async #lookAgain(at: number): Promise<void> {
    const off = new AbortController();
    this.#alarm = { at, off };
    await this.#rules.sleep(Math.max(1, Math.ceil(at - this.#now())), { signal: off.signal });
    if (off.signal.aborted) return;
    this.#alarm = undefined;
    this.#admit();
  }

  #isBlockedTooLong(): boolean {
    return this.heldForMs() > this.#rules.maxBlockMs;
  }

  #rateLimited(): SvcdError {
    const { limit, windowMs } = this.#rules;
    const now = this.#now();
    const aheadMs = Math.floor(this.#waitingCount() / limit) * windowMs;
    const waitMs = (this.#roomAt('person') ?? now) - now + aheadMs;
    return new SvcdError('rate_limited', 'the service allows no more requests for this Key at the moment', {
      retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)),
      ...(this.#isBlockedTooLong() && {
        hint: 'The service asked svcd to wait; "svcd offline --off" asks it again at once.',
      }),
    });
  }

  #waitingCount(): number {
    return this.#waiting.person.length + this.#waiting.background.length;
  }

  #now(): number {
    return this.#rules.clock.monotonic();
  }
}
