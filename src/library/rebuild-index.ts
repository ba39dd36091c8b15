// Builds the index in a thread of its own, from the file, beside the old one that goes on answering. What changed in the
// meantime is for the library to add.

import { Worker } from 'node:worker_threads';
import { INSTALLATION, isReplaced } from '../platform/installation.js';

export interface Rebuilt {
  /** The library's revision that the index was built of. */
  readonly revision: number;
  /** The index and its spelling as stored; see snapshot.ts. */
  readonly bytes: Uint8Array;
}

/** A build under way: its result, and the way to give it up. */
export interface Rebuild {
  readonly result: Promise<Rebuilt>;
  /** How much is done, from 0 to 1. */
  readonly part?: () => number;
  stop(): void;
}

export type StartRebuild = (file: string, scope: string) => Rebuild;

// Run from source, as tests do, the thread still needs built code.
const WORKER = new URL('dist/rebuild-worker.js', INSTALLATION);

/** Starts a build of what the file holds for the scope; the snapshot is kept in the file by the thread. */
export const startRebuild: StartRebuild = (file, scope) => {
  // The worker of another version may read and write the file in another way.
  if (isReplaced()) {
    return {
      result: Promise.reject(new Error('svcd was updated while it ran: "svcd restart"')),
      stop: () => undefined,
    };
  }
  const worker = new Worker(WORKER, { workerData: { file, scope } });
  let part = 0;
  const result = new Promise<Rebuilt>((resolve, reject) => {
    worker.on('message', (message: Rebuilt | { part: number }) => {
      if ('part' in message) part = message.part;
      else resolve(message);
    });
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the build ended with code ${code}`)));
  });
  return { result, part: () => part, stop: () => void worker.terminate() };
};
