// The thread that reads files which are too large to be read in passing, or hostile: with bounded memory, for a bounded
// time, ended after a rest.

import { Worker } from 'node:worker_threads';
import { SvcdError, type ErrorCode } from '../model/errors.js';
import { INSTALLATION, isReplaced } from '../platform/installation.js';
import type { LottieHead } from './check-lottie.js';
import type { Facts } from './facts.js';

/** What the thread makes of bytes. */
export interface LottieWork {
  facts: Facts;
  safe: Uint8Array;
  /** Or why it is not playable. */
  head: LottieHead | string;
}
export type WorkName = keyof LottieWork;

/** What goes over and comes back. */
export interface Question {
  readonly work: WorkName;
  readonly bytes: Uint8Array;
}
export type Answer =
  | { readonly result: LottieWork[WorkName] }
  | { readonly error: { readonly code: ErrorCode; readonly message: string; readonly hint?: string } };

export interface LottieThread {
  /**
   * One at a time, in order. Undefined when it took too much time or memory. Throws what the work throws, and `busy` when
   * too many wait.
   */
  run<W extends WorkName>(work: W, bytes: Uint8Array): Promise<LottieWork[W] | undefined>;
  close(): void;
}

export interface ThreadLimits {
  readonly timeMs: number;
  readonly restMs: number;
  readonly memoryMb: number;
}

const LIMITS: ThreadLimits = { timeMs: 10_000, restMs: 10_000, memoryMb: 256 };
const MOST_WAITING = 64;

// Run from source, as tests do, the thread still needs built code.
const WORKER = new URL('dist/lottie-worker.js', INSTALLATION);

export function createLottieThread({ timeMs, restMs, memoryMb }: ThreadLimits = LIMITS): LottieThread {
  let worker: Worker | undefined;
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  let rest: NodeJS.Timeout | undefined;
  let closed = false;
  const end = () => {
    clearTimeout(rest);
    void worker?.terminate();
    worker = undefined;
  };
  const ask = async (question: Question): Promise<Answer | undefined> => {
    if (closed) return undefined;
    clearTimeout(rest);
    // The thread of another version may answer in another way.
    if (worker === undefined && isReplaced()) throw updated();
    worker ??= new Worker(WORKER, {
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32 },
    });
    const asked = worker;
    return new Promise<Answer | undefined>((resolve, reject) => {
      const settle = (answer: Answer | undefined, error?: Error) => {
        clearTimeout(late);
        asked.off('message', settle).off('error', fail).off('exit', leave);
        if (error === undefined) resolve(answer);
        else reject(error);
      };
      const fail = (error: Error & { code?: string }) => {
        settle(undefined, error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? undefined : error);
      };
      const leave = () => settle(undefined);
      const late = setTimeout(leave, timeMs);
      asked.on('message', settle).on('error', fail).on('exit', leave);
      // A copy of its own, handed over: the bytes are in use here.
      const bytes = Uint8Array.from(question.bytes);
      asked.postMessage({ ...question, bytes }, [bytes.buffer]);
    });
  };
  const runNow = async <W extends WorkName>(work: W, bytes: Uint8Array): Promise<LottieWork[W] | undefined> => {
    let answer: Answer | undefined;
    try {
      answer = await ask({ work, bytes });
    } finally {
      // It may be in the middle of something, or dead.
      if (answer === undefined) end();
    }
    rest = setTimeout(end, restMs).unref();
    if (answer === undefined) return undefined;
    if ('result' in answer) return answer.result as LottieWork[W];
    const { code, message, ...more } = answer.error;
    throw new SvcdError(code, message, more);
  };
  return {
    run: async (work, bytes) => {
      if (waiting >= MOST_WAITING) throw new SvcdError('busy', 'too many large stickers are being read; ask again');
      waiting += 1;
      const turn = last.then(() => runNow(work, bytes));
      last = turn.catch(() => undefined);
      return turn.finally(() => (waiting -= 1));
    },
    close: () => {
      closed = true;
      end();
    },
  };
}

function updated(): SvcdError {
  return new SvcdError('internal', 'svcd was updated while it ran: "svcd restart" mends it');
}
