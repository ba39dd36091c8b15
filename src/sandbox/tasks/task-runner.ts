// Does the tasks of the store, one after another, and goes on after a restart where it stopped.

import { isSvcdError } from '../../model/errors.js';
import type { Log } from '../../platform/log.js';
import type { ImageRequest } from '../wire/requests.js';
import type { Task, TaskStore } from './task-store.js';

/**
 * Makes an image and charges the Key of this number for it; `alongside` runs in the transaction that saves and
 * charges. Throws an SvcdError when nothing was made and nothing charged.
 */
export type MakeImage = (
  request: ImageRequest,
  key: number,
  alongside: (image: string) => void,
) => Promise<unknown>;

/** Runs tasks in their order. */
export class TaskRunner {
  readonly #store: TaskStore;
  readonly #make: MakeImage;
  readonly #log: Log;
  #last: Promise<void> = Promise.resolve();

  constructor(store: TaskStore, make: MakeImage, log: Log) {
    this.#store = store;
    this.#make = make;
    this.#log = log;
    for (const task of store.open()) this.enqueue(task);
  }

  /** Does the task after those that were enqueued before it. */
  enqueue(task: Task): void {
    this.#last = this.#last
      .then(() => this.#run(task))
      .catch((error: Error) => this.#log.error('sandbox task failed', { reason: error.message }));
  }

  async #run({ id, quote, account, key }: Task): Promise<void> {
    const state = this.#store.findTask(id, account)?.state;
    const input = this.#store.findQuote(quote, account)?.input;
    // After a reset the same seed gives the same ids again: a task may have gone, or ended under another turn.
    if ((state !== 'queued' && state !== 'running') || input === undefined || input === null) return;
    this.#store.start(id);
    try {
      await this.#make(JSON.parse(input) as ImageRequest, key, (image) => this.#store.succeed(id, image));
    } catch (error) {
      // The sandbox began anew: a task of this id is another one.
      if (isSvcdError(error, 'interrupted')) return;
      this.#store.fail(id, isSvcdError(error) ? error.code : 'internal');
    }
  }
}
