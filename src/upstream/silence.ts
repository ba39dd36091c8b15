// Notices a remote that takes requests and answers none of them. Silence is counted from the first request that left
// since the last byte came: while anything is answered, a request that hangs is only slow.

import type { Clock } from '../platform/clock.js';
import type { Sleep } from '../platform/sleep.js';
import type { Exchange, RemoteRequest } from './exchange.js';

export interface SilenceOptions {
  /** How long the remote may be silent before it counts as away. */
  readonly afterMs: number;
  readonly clock: Clock;
  readonly sleep: Sleep;
  /** Told when it has been silent for too long. */
  readonly onSilent: (ms: number) => void;
}

/** What becomes of one request. */
export interface Watched {
  left(): void;
  /** Its answer begins. */
  heard(): void;
  ended(result: Exchange): void;
}

/** A client with less patience than this says nothing about the remote. */
const MIN_MS = 500;
/** A client is not let in to wait when its patience has been used up to this part already. */
const USED_UP = 0.75;
/** A remote that is known to be slow may take so many times as long as it last took. */
const SLOWER = 2;

export class Silence {
  readonly #options: SilenceOptions;
  /** Departures since the last byte, oldest first. */
  readonly #left = new Map<Watched, number>();
  #heardAt = -Infinity;
  /** How long answers lately took to begin. */
  #latencyMs = 0;
  #alarm: AbortController | undefined;

  constructor(options: SilenceOptions) {
    this.#options = options;
  }

  /** Watches a request; one of which silence is expected counts only when its own time is over. */
  watch({ expectsSilence = false }: RemoteRequest): Watched {
    let leftAt: number | undefined;
    let isHeard = false;
    const watched: Watched = {
      left: () => {
        leftAt = this.#now();
        isHeard = false;
        if (expectsSilence) return;
        this.#left.set(watched, leftAt);
        this.#setAlarm();
      },
      heard: () => {
        if (isHeard || leftAt === undefined) return;
        isHeard = true;
        // Halved by each quicker answer, so that one quick answer among slow ones does not hide that they are slow.
        if (!expectsSilence) this.#latencyMs = Math.max(this.#now() - leftAt, this.#latencyMs / 2);
        this.#heardAt = this.#now();
        this.forget();
      },
      ended: (result) => {
        this.#left.delete(watched);
        if (this.#left.size === 0) this.#stopAlarm();
        if (result.kind !== 'lost' || result.error.code !== 'timeout' || leftAt === undefined) return;
        const silentMs = this.#now() - leftAt;
        if (this.#heardAt < leftAt && silentMs >= this.#limitMs()) this.#options.onSilent(silentMs);
      },
    };
    return watched;
  }

  /** How long the remote has been silent, if that uses up the patience of a client that comes now; else undefined. */
  usesUp(patienceMs: number): number | undefined {
    const silentMs = this.#silentMs();
    const enoughMs = Math.max(Math.max(MIN_MS, patienceMs) * USED_UP, this.#latencyMs * SLOWER);
    return silentMs >= enoughMs ? silentMs : undefined;
  }

  /** Begins anew. */
  forget(): void {
    this.#left.clear();
    this.#stopAlarm();
  }

  #limitMs(): number {
    return Math.max(MIN_MS, this.#options.afterMs, this.#latencyMs * SLOWER);
  }

  #silentMs(): number {
    const [oldest] = this.#left.values();
    return oldest === undefined ? 0 : this.#now() - oldest;
  }

  #setAlarm(): void {
    if (this.#alarm !== undefined) return;
    this.#alarm = new AbortController();
    void this.#wakeUp(this.#alarm.signal);
  }

  async #wakeUp(signal: AbortSignal): Promise<void> {
    for (let leftMs = this.#limitMs() - this.#silentMs(); leftMs > 0; leftMs = this.#limitMs() - this.#silentMs()) {
      await this.#options.sleep(Math.ceil(leftMs), { signal, ref: false });
      if (signal.aborted) return;
    }
    const silentMs = this.#silentMs();
    this.forget();
    this.#options.onSilent(silentMs);
  }

  #stopAlarm(): void {
    this.#alarm?.abort();
    this.#alarm = undefined;
  }

  #now(): number {
    return this.#options.clock.monotonic();
  }
}
