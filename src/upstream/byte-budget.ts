// How many bytes of answers are in memory at a time, over all exchanges: one that does not fit waits, and the remote with it.

/** What one answer holds of the budget. */
export interface Holding {
  /** Resolves when there is room for so many more bytes. Rejects with the reason of the signal. */
  take(bytes: number, signal: AbortSignal): Promise<void>;
  /** Gives everything back. Safe to call twice. */
  release(): void;
}

/** So much of each answer is read at once: every list, every usual sticker. Small ones never wait for large ones. */
const AT_ONCE = 256 * 1024;

/** A budget of `total` bytes. */
export class ByteBudget {
  readonly #total: number;
  /** Bytes of each answer, the oldest first. */
  readonly #held = new Map<Holding, number>();
  #used = 0;
  #waiting: (() => void)[] = [];

  constructor(total: number) {
    this.#total = total;
  }

  open(): Holding {
    const holding: Holding = {
      take: async (bytes, signal) => {
        while (!this.#fits(holding, bytes)) await this.#change(signal);
        this.#used += bytes;
        this.#held.set(holding, (this.#held.get(holding) ?? 0) + bytes);
      },
      release: () => {
        this.#used -= this.#held.get(holding) ?? 0;
        this.#held.delete(holding);
        for (const wake of this.#waiting.splice(0)) wake();
      },
    };
    this.#held.set(holding, 0);
    return holding;
  }

  /** The oldest always goes on: otherwise several that are half read would wait for each other. */
  #fits(holding: Holding, bytes: number): boolean {
    if (this.#used + bytes <= this.#total || (this.#held.get(holding) ?? 0) + bytes <= AT_ONCE) return true;
    for (const [first, held] of this.#held) if (held > AT_ONCE || first === holding) return first === holding;
    return true;
  }

  async #change(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const wake = () => {
        signal.removeEventListener('abort', wake);
        resolve();
      };
      signal.addEventListener('abort', wake);
      this.#waiting.push(wake);
      if (signal.aborted) wake();
    });
    signal.throwIfAborted();
  }
}
