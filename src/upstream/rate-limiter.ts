// Limits the rate of the requests of one Key. The window slides: it holds the departures themselves, so that no stretch
// of its length, wherever it begins, sees more of them than the limit.

import type { Clock } from '../platform/clock.js';
import { SvcdError } from '../model/errors.js';
import type { RemoteRequest, Urgency } from './exchange.js';
import type { Sleep } from '../platform/sleep.js';

export interface RateLimiterRules {
  /** Requests that may leave in any window. */
  readonly limit: number;
  readonly windowMs: number;
  /** Part of the limit, from 0 to 1, that background work may use; at least one request. */
  readonly backgroundShare: number;
  /** How many may wait, of people and of background work each. */
  readonly maxWaiting: number;
  /** Where the remote wants to be left alone for longer, requests are refused instead of waiting. */
  readonly maxBlockMs: number;
  readonly clock: Clock;
  readonly sleep: Sleep;
}

/** The right to leave once. Each method may be called again without effect. */
export interface Turn {
  /** It leaves now. */
  leave(): void;
  /** It did not leave, and another may. */
  giveBack(): void;
}

interface Waiter {
  /** Takes it out of its queue. */
  readonly end: (outcome: Turn | SvcdError) => void;
}

interface Departure {
  readonly at: number;
  readonly urgency: Urgency;
}

const URGENCIES = ['person', 'background'] as const;

/** The requests of one Key. */
export class RateLimiter {
  readonly #rules: RateLimiterRules;
  /** Of the current window, oldest first. */
  readonly #departures: Departure[] = [];
  /** Turns given that neither left nor came back: they may leave any moment. */
  readonly #held = { person: 0, background: 0 };
  readonly #waiting = { person: new Set<Waiter>(), background: new Set<Waiter>() };
  #blockedUntil = -Infinity;
  #alarm: { readonly at: number; readonly off: AbortController } | undefined;

  constructor(rules: RateLimiterRules) {
    this.#rules = rules;
  }

  /** Waits for a turn, first come first served; or says why not: `rate_limited`, or the reason of the recall. */
  async enter(request: RemoteRequest): Promise<Turn | SvcdError> {
    const urgency = request.urgency ?? 'person';
    if (request.recall?.aborted === true) return request.recall.reason as SvcdError;
    if (this.#isBlockedTooLong() || this.#waiting[urgency].size >= this.#rules.maxWaiting) {
      return this.#rateLimited();
    }
    return this.#wait(urgency, request);
  }

  /** Lets nothing leave for `ms`; never shortens what was said before. */
  block(ms: number): void {
    this.#blockedUntil = Math.max(this.#blockedUntil, this.#now() + ms);
    if (this.#isBlockedTooLong()) {
      const error = this.#rateLimited();
      for (const urgency of URGENCIES) for (const waiter of this.#waiting[urgency]) waiter.end(error);
    }
    this.#setAlarm();
  }

  /** Whether there is nothing left to remember. */
  isIdle(): boolean {
    this.#forgetOld();
    return this.#used() + this.#waitingCount() === 0 && this.#blockedUntil <= this.#now();
  }

  #wait(urgency: Urgency, { recall, queueTimeoutMs }: RemoteRequest): Promise<Turn | SvcdError> {
    const queue = this.#waiting[urgency];
    return new Promise((resolve) => {
      const over = new AbortController();
      const end = (outcome: Turn | SvcdError) => {
        if (!queue.delete(waiter)) return;
        over.abort();
        resolve(outcome);
        this.#setAlarm();
      };
      const waiter: Waiter = { end };
      queue.add(waiter);
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
      for (const waiter of this.#waiting[urgency]) {
        if (!this.#hasRoom(urgency)) break;
        waiter.end(this.#give(urgency));
      }
    }
    this.#setAlarm();
  }

  #give(urgency: Urgency): Turn {
    let held = true;
    this.#held[urgency] += 1;
    const end = (departed: boolean) => {
      if (!held) return;
      held = false;
      this.#held[urgency] -= 1;
      if (departed) this.#departures.push({ at: this.#now(), urgency });
      this.#admit();
    };
    return { leave: () => end(true), giveBack: () => end(false) };
  }

  #hasRoom(urgency: Urgency): boolean {
    const { limit, backgroundShare } = this.#rules;
    if (this.#blockedUntil > this.#now() || this.#used() >= limit) return false;
    return urgency === 'person' || this.#used('background') < Math.max(1, Math.floor(limit * backgroundShare));
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

  /** When there may be room that is not there now; undefined while that hangs on a turn that is held. */
  #nextRoomAt(): number | undefined {
    if (this.#blockedUntil > this.#now()) return this.#blockedUntil;
    const full = this.#used() >= this.#rules.limit;
    const first = this.#departures.find(({ urgency }) => full || urgency === 'background');
    return first === undefined ? undefined : first.at + this.#rules.windowMs;
  }

  /** Looks again when there may be room for those that wait; does not sleep when none waits. */
  #setAlarm(): void {
    const at = this.#waitingCount() === 0 ? undefined : this.#nextRoomAt();
    if (at !== undefined && this.#alarm !== undefined && this.#alarm.at <= at) return;
    this.#alarm?.off.abort();
    this.#alarm = undefined;
    if (at !== undefined) void this.#lookAgain(at);
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
    return this.#blockedUntil - this.#now() > this.#rules.maxBlockMs;
  }

  #rateLimited(): SvcdError {
    const { limit, windowMs } = this.#rules;
    const now = this.#now();
    const aheadMs = Math.floor(this.#waitingCount() / limit) * windowMs;
    const waitMs = (this.#nextRoomAt() ?? now) - now + aheadMs;
    return new SvcdError('rate_limited', 'the service allows no more requests for this Key at the moment', {
      retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)),
    });
  }

  #waitingCount(): number {
    return this.#waiting.person.size + this.#waiting.background.size;
  }

  #now(): number {
    return this.#rules.clock.monotonic();
  }
}
