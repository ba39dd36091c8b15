// Does tasks, one after another, and goes on after a restart where it stopped.

import { isSvcdError } from '../../model/errors.js';
import type { SandboxParts } from '../sandbox-parts.js';
import type { ImageRequest } from '../wire/requests.js';
import * as store from './task-store.js';

/**
 * Makes an image and charges the Key of this number for it; `alongside` runs in the transaction that saves and
 * charges. Throws an SvcdError when nothing was made and nothing charged.
 */
export type MakeImage = (request: ImageRequest, key: number, alongside: (image: string) => void) => Promise<unknown>;

/** What it returns does a task after those that it was given before; the open ones are the first. */
export function createTaskRunner({ state, log }: SandboxParts, make: MakeImage): (task: store.Task) => void {
  let last: Promise<void> = Promise.resolve();
  const run = async ({ id, quote, account, key }: store.Task) => {
    const stage = store.findTask(state, id, account)?.state;
    const input = store.findQuote(state, quote, account)?.input;
    // After a reset the same seed gives the same ids again: a task may have gone, or ended under another turn.
    if ((stage !== 'queued' && stage !== 'running') || input === undefined || input === null) return;
    store.start(state, id);
    try {
      await make(JSON.parse(input) as ImageRequest, key, (image) => store.succeed(state, id, image));
    } catch (error) {
      // The sandbox began anew: a task of this id is another one.
      if (isSvcdError(error, 'interrupted')) return;
      store.fail(state, id, isSvcdError(error) ? error.code : 'internal');
    }
  };
  const enqueue = (task: store.Task) => {
    last = last
      .then(() => run(task))
      .catch((error: Error) => log.error('sandbox task failed', { reason: error.message }));
  };
  for (const task of store.listOpen(state)) enqueue(task);
  return enqueue;
}
