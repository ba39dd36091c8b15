// Does the tasks of the book, one after another, and goes on after a restart where it stopped.

import { isSvcdError } from '../../model/errors.js';
import type { Log } from '../../platform/log.js';
import type { ImageRequest } from '../../contract/image-request.js';
import type { Task, TaskBook } from './task-book.js';

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
  readonly #book: TaskBook;
  readonly #make: MakeImage;
  readonly #log: Log;
  #last: Promise<void> = Promise.resolve();

  constructor(book: TaskBook, make: MakeImage, log: Log) {
    this.#book = book;
    this.#make = make;
    this.#log = log;
    for (const task of book.open()) this.enqueue(task);
  }

  /** Does the task after those that were enqueued before it. */
  enqueue(task: Task): void {
    this.#last = this.#last
      .then(() => this.#run(task))
      .catch((error: Error) => this.#log.error('sandbox task failed', { reason: error.message }));
  }

  /** When everything enqueued so far has ended. */
  idle(): Promise<void> {
    return this.#last;
  }

  async #run({ id, quote, account, key }: Task): Promise<void> {
    const state = this.#book.findTask(id, account)?.state;
    const input = this.#book.findQuote(quote, account)?.input;
    // After a reset the same seed gives the same ids again: a task may have gone, or ended under another turn.
    if ((state !== 'queued' && state !== 'running') || input === undefined || input === null) return;
    this.#book.start(id);
    try {
      await this.#make(JSON.parse(input) as ImageRequest, key, (image) => this.#book.succeed(id, image));
    } catch (error) {
      // The book began anew: a task of this id is another one.
      if (isSvcdError(error, 'interrupted')) return;
      this.#book.fail(id, isSvcdError(error) ? error.code : 'internal');
    }
  }
}
