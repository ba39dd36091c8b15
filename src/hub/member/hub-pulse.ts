// Notices a hub that takes requests and says nothing, within two seconds. A purchase may rightly wait for minutes at a busy
// hub, so silence alone tells nothing: while something waits, the hub is asked something small beside it.

import { systemClock, type Clock } from '../../platform/clock.js';
import { sleep as systemSleep, type Sleep } from '../../platform/sleep.js';

export interface PulseOptions {
  /** Asks the hub at this address; whether any answer came in the time. */
  readonly ping: (address: string, timeoutMs: number) => Promise<boolean>;
  /** Told when it did not answer, nor anything else meanwhile. */
  readonly onSilent: (address: string) => void;
  readonly sleep?: Sleep | undefined;
  readonly clock?: Pick<Clock, 'monotonic'> | undefined;
}

const QUIET_MS = 500;
const ANSWER_MS = 1200;

export class Pulse {
  readonly #options: PulseOptions;
  readonly #waiting = new Map<string, number>();
  /** When anything was heard last. */
  readonly #heardAt = new Map<string, number>();
  readonly #watched = new Set<string>();

  constructor(options: PulseOptions) {
    this.#options = options;
  }

  /** A request left for this address. */
  enter(address: string): void {
    this.#waiting.set(address, (this.#waiting.get(address) ?? 0) + 1);
    if (this.#watched.has(address)) return;
    this.#watched.add(address);
    void this.#watch(address).finally(() => this.#watched.delete(address));
  }

  heard(address: string): void {
    this.#heardAt.set(address, this.#now());
  }

  /** It has its answer, or never will. */
  leave(address: string): void {
    this.#waiting.set(address, Math.max(0, (this.#waiting.get(address) ?? 0) - 1));
  }

  async #watch(address: string): Promise<void> {
    const { ping, onSilent, sleep = systemSleep } = this.#options;
    const heardAt = () => this.#heardAt.get(address) ?? -Infinity;
    // Counted from the last sign of life, not in whole steps: two of them and a question would be more than two seconds.
    for (let signAt = this.#now(); ; signAt = Math.max(signAt, heardAt())) {
      await sleep(Math.max(0, signAt + QUIET_MS - this.#now()), { ref: false });
      if (!this.#waiting.get(address)) return;
      if (heardAt() > signAt) continue;
      if (await ping(address, ANSWER_MS)) signAt = this.#now();
      else if (heardAt() <= signAt && this.#waiting.get(address)) return onSilent(address);
    }
  }

  #now(): number {
    return (this.#options.clock ?? systemClock).monotonic();
  }
}
