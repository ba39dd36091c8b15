// Notices a hub that takes requests and says nothing, within two seconds. A purchase may rightly wait for minutes at a busy
// hub, so silence alone tells nothing: while something waits, the hub is asked something small beside it.

import { sleep as systemSleep, type Sleep } from '../platform/sleep.js';

export interface PulseOptions {
  /** Asks the hub at this address; whether any answer came in the time. */
  readonly ping: (address: string, timeoutMs: number) => Promise<boolean>;
  /** Told when it did not answer, nor anything else meanwhile. */
  readonly onSilent: (address: string) => void;
  readonly sleep?: Sleep | undefined;
}

const QUIET_MS = 500;
const ANSWER_MS = 1200;

export class Pulse {
  readonly #options: PulseOptions;
  readonly #waiting = new Map<string, number>();
  /** How often anything was heard. */
  readonly #heard = new Map<string, number>();
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
    this.#heard.set(address, (this.#heard.get(address) ?? 0) + 1);
  }

  /** It has its answer, or never will. */
  leave(address: string): void {
    this.#waiting.set(address, Math.max(0, (this.#waiting.get(address) ?? 0) - 1));
  }

  async #watch(address: string): Promise<void> {
    const { ping, onSilent, sleep = systemSleep } = this.#options;
    for (;;) {
      const before = this.#heard.get(address);
      await sleep(QUIET_MS, { ref: false });
      if (!this.#waiting.get(address)) return;
      if (this.#heard.get(address) !== before) continue;
      if (await ping(address, ANSWER_MS)) continue;
      if (this.#heard.get(address) === before && this.#waiting.get(address)) return onSilent(address);
    }
  }
}
