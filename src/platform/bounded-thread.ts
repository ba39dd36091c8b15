// A thread for work that may be hostile: one thing at a time, with bounded memory, for a bounded time, ended after a rest.

import { Worker } from 'node:worker_threads';
import { SvcdError } from '../model/errors.js';
import { isReplaced } from './installation.js';

export interface ThreadLimits {
  readonly timeMs: number;
  readonly restMs: number;
  readonly memoryMb: number;
  /** How much the whole process may grow while it works, for what is not on the heap of JavaScript. */
  readonly growthMb?: number;
}

const MOST_WAITING = 64;
const MB = 1024 * 1024;
const WATCH_MS = 50;

/** What it is asked: its `bytes` are handed over, and are the thread's from then on. */
interface Question {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A thread that runs the built file. */
export function createBoundedThread<A>(file: URL, { timeMs, restMs, memoryMb, growthMb }: ThreadLimits) {
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
  const ask = async (question: Question): Promise<A | undefined> => {
    if (closed) return undefined;
    clearTimeout(rest);
    // The thread of another version may answer in another way.
    if (worker === undefined && isReplaced()) throw updated();
    worker ??= new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32 } });
    const asked = worker;
    return new Promise<A | undefined>((resolve, reject) => {
      const settle = (answer: A | undefined, error?: Error) => {
        clearTimeout(late);
        clearInterval(watch);
        asked.off('message', settle).off('error', fail).off('exit', leave);
        if (error === undefined) resolve(answer);
        else reject(error);
      };
      const fail = (error: Error & { code?: string }) => {
        settle(undefined, error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? undefined : error);
      };
      const leave = () => settle(undefined);
      const late = setTimeout(leave, timeMs);
      const most = growthMb === undefined ? Infinity : process.memoryUsage.rss() + growthMb * MB;
      const watch = setInterval(
        () => process.memoryUsage.rss() > most && leave(),
        growthMb === undefined ? timeMs : WATCH_MS,
      );
      asked.on('message', settle).on('error', fail).on('exit', leave);
      asked.postMessage(question, [question.bytes.buffer]);
    });
  };
  const runNow = async (question: Question): Promise<A | undefined> => {
    let answer: A | undefined;
    try {
      answer = await ask(question);
    } finally {
      // It may be in the middle of something, or dead.
      if (answer === undefined) end();
    }
    if (answer !== undefined) rest = setTimeout(end, restMs).unref();
    return answer;
  };
  return {
    /**
     * One at a time, in order; what is asked is made when its turn comes. Undefined when it took too much time or memory. Throws
     * `busy` when too many wait.
     */
    run: async (makeQuestion: () => Question): Promise<A | undefined> => {
      if (waiting >= MOST_WAITING) throw new SvcdError('busy', 'too many large stickers are being read; ask again');
      waiting += 1;
      const turn = last.then(() => runNow(makeQuestion()));
      last = turn.catch(() => undefined);
      return turn.finally(() => (waiting -= 1));
    },
    close: (): void => {
      closed = true;
      end();
    },
  };
}

function updated(): SvcdError {
  return new SvcdError('internal', 'svcd was updated while it ran: "svcd restart" mends it');
}
