// Builds the index in a thread of its own, from the file, beside the old one that goes on answering. What changed in the
// meantime is for the library to add.

import { Worker } from 'node:worker_threads';
import { INSTALLATION } from '../installation.js';

export interface Rebuilt {
  /** The library's revision that the index was built of. */
  readonly revision: number;
  /** The index as stored; see snapshot.ts. */
  readonly bytes: Uint8Array;
  /** The same with the tables of spelling, where they were not waited for. Never rejects. */
  readonly complete?: Promise<Uint8Array | undefined>;
}

/** A build under way: its result, and the way to give it up. */
export interface Rebuild {
  readonly result: Promise<Rebuilt>;
  stop(): void;
}

/** What the thread says: the index first, then all of it. */
export type FromThread = Omit<Rebuilt, 'complete'> | { readonly complete: Uint8Array };

/** Begins a build; what is wanted early comes without the tables of spelling, which follow. */
export type StartRebuild = (file: string, scope: string, early: boolean) => Rebuild;

// Run from source, as tests do, the thread still needs built code.
const WORKER = new URL('dist/rebuild-worker.js', INSTALLATION);

/** Starts a build of what the file holds for the scope; the snapshot is kept in the file by the thread. */
export const startRebuild: StartRebuild = (file, scope, early) => {
  const worker = new Worker(WORKER, { workerData: { file, scope, early } });
  const complete = new Promise<Uint8Array | undefined>((resolve) => {
    worker.on('message', (said: FromThread) => 'complete' in said && resolve(said.complete));
    worker.once('exit', () => resolve(undefined));
  });
  const result = new Promise<Rebuilt>((resolve, reject) => {
    worker.on('message', (said: FromThread) => 'bytes' in said && resolve({ ...said, complete }));
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the build ended with code ${code}`)));
  });
  return { result, stop: () => void worker.terminate() };
};
