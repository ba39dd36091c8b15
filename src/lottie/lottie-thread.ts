// The thread that reads files which are too large to be read in passing, or hostile: with bounded memory, for a bounded
// time, ended after a rest.

import { SvcdError, type ErrorCode } from '../model/errors.js';
import { createBoundedThread, type ThreadLimits } from '../platform/bounded-thread.js';
import { INSTALLATION } from '../platform/installation.js';
import type { LottieHead } from './check-lottie.js';
import type { Facts } from './facts.js';
import type { Coloring } from './recolor.js';

export type { ThreadLimits };

/** What the thread makes of bytes. */
export interface LottieWork {
  facts: Facts;
  safe: Uint8Array;
  colored: Uint8Array;
  /** Or why it is not playable. */
  head: LottieHead | string;
}
export type WorkName = keyof LottieWork;

/** What goes over and comes back. */
export interface Question {
  readonly work: WorkName;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Of `colored`. */
  readonly coloring?: Coloring | undefined;
}
export type Answer =
  | { readonly result: LottieWork[WorkName] }
  | { readonly error: { readonly code: ErrorCode; readonly message: string; readonly hint?: string } };

export interface LottieThread {
  /**
   * One at a time, in order. Undefined when it took too much time or memory. Throws what the work throws, and `busy` when
   * too many wait.
   */
  run<W extends WorkName>(work: W, bytes: Uint8Array, coloring?: Coloring): Promise<LottieWork[W] | undefined>;
  close(): void;
}

const LIMITS: ThreadLimits = { timeMs: 10_000, restMs: 10_000, memoryMb: 256 };
// Run from source, as tests do, the thread still needs built code.
const WORKER = new URL('dist/lottie-worker.js', INSTALLATION);

export function createLottieThread(limits: ThreadLimits = LIMITS): LottieThread {
  const thread = createBoundedThread<Answer>(WORKER, limits);
  return {
    run: async <W extends WorkName>(work: W, of: Uint8Array, coloring?: Coloring) => {
      // A copy of its own, handed over: the bytes are in use here.
      const answer = await thread.run((): Question => ({ work, bytes: Uint8Array.from(of), coloring }));
      if (answer === undefined) return undefined;
      if ('result' in answer) return answer.result as LottieWork[W];
      const { code, message, ...more } = answer.error;
      throw new SvcdError(code, message, more);
    },
    close: thread.close,
  };
}
