// The sync commands that wait for the harvest: each is told what happens, and ends by itself when it has asked enough
// or its client has left.

import type { syncEventSchema } from '../api/answer-lines.js';
import type { LibraryStatus } from '../api/library.js';
import type { Told } from '../api/operation.js';
import type { HarvestQuestion } from './harvest.js';

/** What a run tells as it goes. */
export type HarvestEvent = Told<typeof syncEventSchema>;

export interface SyncOptions {
  /** Ends after so many requests. */
  readonly maxRequests: number | undefined;
  /** Ends when this is aborted. */
  readonly signal: AbortSignal;
  readonly tell: (event: HarvestEvent) => void;
}

interface Run extends SyncOptions {
  asked: number;
  fresh: number;
  readonly end: () => void;
}

export class SyncRuns {
  readonly #runs = new Set<Run>();
  readonly #status: () => LibraryStatus;

  constructor(status: () => LibraryStatus) {
    this.#status = status;
  }

  get count(): number {
    return this.#runs.size;
  }

  /** Adds a run; resolves when it has ended. `left` is called when its client aborts it. */
  add(options: SyncOptions, left: () => void): Promise<void> {
    return new Promise((resolve) => {
      const leave = () => {
        end();
        left();
      };
      const end = () => {
        if (!this.#runs.delete(run)) return;
        options.signal.removeEventListener('abort', leave);
        options.tell({ event: 'ended', asked: run.asked, fresh: run.fresh, ...this.#status() });
        resolve();
      };
      const run: Run = { ...options, asked: 0, fresh: 0, end };
      this.#runs.add(run);
      if (options.signal.aborted) return end();
      options.signal.addEventListener('abort', leave);
      options.tell({ event: 'begun', ...this.#status() });
    });
  }

  tell(event: HarvestEvent): void {
    for (const { tell } of this.#runs) tell(event);
  }

  /** Tells an answered question to all; ends the runs that have asked as often as they may. */
  tellAsked(question: HarvestQuestion, counts: { listed: number; fresh: number; changed: number }): void {
    const { purpose, words } = question;
    this.tell({ event: 'asked', purpose, words, ...counts, ...this.#status() });
    for (const run of this.#runs) {
      run.asked += 1;
      run.fresh += counts.fresh;
      if (run.asked >= (run.maxRequests ?? Infinity)) run.end();
    }
  }

  endAll(): void {
    for (const run of this.#runs) run.end();
  }
}
