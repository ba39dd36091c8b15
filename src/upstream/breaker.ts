// Remembers whether the remote can be reached: the first request that finds it away, or silent, pays for finding out,
// every other one is answered at once. A free probe finds out when it is back.

import type { Clock } from '../platform/clock.js';
import { SvcdError, type ErrorCode } from '../model/errors.js';
import type { Log } from '../platform/log.js';
import { newSharedAbort } from '../platform/shared-abort.js';
import type { Exchange, Layer, RemoteRequest } from './exchange.js';
import { silentError } from './exchange-error.js';
import { Silence, type Watched } from './silence.js';
import type { Sleep } from '../platform/sleep.js';

/** What is known of whether the remote can be reached. */
export interface Reach {
  /** Nothing leaves now. */
  readonly offline: boolean;
  /** Since when; milliseconds since the epoch. */
  readonly since?: number;
  readonly why?: string;
  /** Whether the user forced it. */
  readonly forced: boolean;
}

export interface BreakerOptions {
  /** Asks the remote something that costs nothing. */
  readonly probe: (recall: AbortSignal) => Promise<Exchange>;
  /** Milliseconds before each probe; the last one is used again and again. */
  readonly pausesMs: readonly [number, ...number[]];
  readonly forcedOffline: boolean;
  /** How long the remote may be silent before it counts as away; undefined where something else tells that. */
  readonly silentAfterMs: number | undefined;
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly log: Log;
}

interface Outage {
  readonly since: number;
  error: SvcdError;
  readonly over: AbortController;
}

/** What of no answer means that there is nobody to ask. */
const AWAY: ReadonlySet<ErrorCode> = new Set(['offline', 'hub_certificate_changed']);

/** Lets nothing through while the remote is away, the user wants to be offline, or svcd is stopping. */
export function withBreaker(breaker: Breaker): Layer {
  return (next) => async (request) => {
    const refusal = breaker.findRefusal();
    if (refusal !== undefined) return { kind: 'unreached', error: refusal };
    const { recall } = breaker;
    const watched = breaker.watch(request);
    const beforeSend = async () => {
      await request.beforeSend?.();
      watched.left();
    };
    const result = await next({ ...request, recall, beforeSend, onAnswer: () => watched.heard() });
    if (result.kind === 'answer') watched.heard();
    watched.ended(result);
    breaker.note(result, recall);
    return result;
  };
}

/** The memory of whether the remote can be reached. */
export class Breaker {
  readonly #options: BreakerOptions;
  /** Calls back what was let through and has not left yet; a new one for each stretch of being online. */
  #online = newSharedAbort();
  #outage: Outage | undefined;
  #forcedSince: number | undefined;
  #stopping = false;
  readonly #silence: Silence | undefined;

  constructor(options: BreakerOptions) {
    this.#options = options;
    const { clock, sleep, silentAfterMs: afterMs } = options;
    const onSilent = (ms: number) => this.#noteSilence(ms);
    this.#silence = afterMs === undefined ? undefined : new Silence({ afterMs, clock, sleep, onSilent });
    if (options.forcedOffline) this.setForcedOffline(true);
  }

  get recall(): AbortSignal {
    return this.#online.signal;
  }

  /** Why nothing may leave now, or why a client that can wait so long need not begin to. */
  findRefusal(patienceMs?: number): SvcdError | undefined {
    if (this.#stopping) return stopping();
    if (this.#forcedSince !== undefined) return forced();
    if (this.#outage !== undefined) return this.#outage.error;
    const silentMs = patienceMs === undefined ? undefined : this.#silence?.usesUp(patienceMs);
    return silentMs === undefined ? undefined : silentError(silentMs, 'timeout');
  }

  /** Watches a request for silence; the first byte of its answer ends an outage. */
  watch(request: RemoteRequest): Watched {
    const watched = this.#silence?.watch(request);
    const heard = () => {
      watched?.heard();
      this.#endOutage();
    };
    return { left: () => watched?.left(), heard, ended: (result) => watched?.ended(result) };
  }

  /** Learns from how an exchange ended that was let through under this recall. */
  note(result: Exchange, recall: AbortSignal): void {
    if (result.kind === 'answer') return this.#endOutage();
    // What was sent to a hub is lost with this code when the hub has gone silent.
    const failed = AWAY.has(result.error.code);
    // One that began in another stretch, or was called back, says nothing about now.
    if (failed && !recall.aborted) this.#beginOutage(result.error);
  }

  /** Forces offline or no longer; going online forgets an outage, so that the next request tries. */
  setForcedOffline(forcedOffline: boolean): void {
    if (forcedOffline === (this.#forcedSince !== undefined) || this.#stopping) return;
    this.#forcedSince = forcedOffline ? this.#options.clock.now() : undefined;
    this.#outage?.over.abort();
    this.#outage = undefined;
    this.#silence?.forget();
    if (forcedOffline) this.#online.abort(forced());
    else this.#online = newSharedAbort();
  }

  /** What is known now. */
  reach(): Reach {
    if (this.#forcedSince !== undefined) {
      return { offline: true, since: this.#forcedSince, why: forced().message, forced: true };
    }
    if (this.#outage === undefined) return { offline: false, forced: false };
    return { offline: true, since: this.#outage.since, why: this.#outage.error.message, forced: false };
  }

  /** Stops probing, recalls what was not sent, and refuses every later request. */
  close(): void {
    this.#stopping = true;
    this.#outage?.over.abort();
    this.#silence?.forget();
    this.#online.abort(stopping());
  }

  #noteSilence(ms: number): void {
    if (this.findRefusal() === undefined) this.#beginOutage(silentError(ms));
  }

  #beginOutage(error: SvcdError): void {
    const outage = { since: this.#options.clock.now(), error, over: newSharedAbort() };
    this.#outage = outage;
    this.#online.abort(error);
    this.#options.log.warn('the remote is away', { why: error.message });
    void this.#seekWayBack(outage);
  }

  #endOutage(): void {
    if (this.#outage === undefined || this.#stopping) return;
    this.#outage.over.abort();
    this.#outage = undefined;
    this.#online = newSharedAbort();
    this.#options.log.info('the remote is back');
  }

  async #seekWayBack(outage: Outage): Promise<void> {
    const { pausesMs, sleep, probe } = this.#options;
    const { signal } = outage.over;
    for (let tries = 0; !signal.aborted; tries++) {
      await sleep(pausesMs[tries] ?? pausesMs.at(-1) ?? 0, { signal, ref: false });
      if (signal.aborted) return;
      const result = await probe(signal);
      if (signal.aborted) return;
      // Any answer at all, even a refusal, shows that the way is open.
      if (result.kind === 'answer') return this.#endOutage();
      const { error } = result;
      outage.error = AWAY.has(error.code) ? error : new SvcdError('offline', error.message, { cause: error });
    }
  }
}

function forced(): SvcdError {
  return new SvcdError('offline', 'svcd is set to offline');
}

function stopping(): SvcdError {
  return new SvcdError('offline', 'svcd is stopping');
}
