// Whether foreign bytes are a playable Lottie file, off the loop where that may take long: whoever sends them may mean harm
// (480,000 numbers of 30 digits hold a loop for a third of a second).

import { headOf, notPlayable, type LottieHead } from './check-lottie.js';
import { safeFormOf } from './safe-form.js';
import { createLottieThread, type LottieThread } from './lottie-thread.js';

/** Up to this size the worst of files takes some 60 ms; nearly every sticker is smaller. */
const IN_PASSING_BYTES = 1024 * 1024;
/** Bytes that were paid for are in memory alone until they are judged: no longer than this, those that wait too. */
const MOST_MS = 1000;
const MEMORY_MB = 256;
const SAFE_MS = 10_000;

let last: Promise<unknown> = Promise.resolve();

type OpenThread = (timeMs: number) => LottieThread;
const openThread: OpenThread = (timeMs) => createLottieThread({ timeMs, restMs: timeMs, memoryMb: MEMORY_MB });

/**
 * The size and timing of a playable file, or why these bytes are none. Large ones are judged one after another, each in a
 * thread of its own; what is not judged there in a second is judged here.
 */
export function judgeLottie(bytes: Uint8Array, open: OpenThread = openThread): Promise<LottieHead | string> {
  if (bytes.byteLength <= IN_PASSING_BYTES) return Promise.resolve(headOf(bytes));
  const end = performance.now() + MOST_MS;
  const turn = last.then(async () => {
    const leftMs = end - performance.now();
    if (leftMs <= 0) return headOf(bytes);
    const thread = open(leftMs);
    try {
      return (await thread.run('head', bytes).catch(() => undefined)) ?? headOf(bytes);
    } finally {
      thread.close();
    }
  });
  last = turn.catch(() => undefined);
  return turn;
}

/** Why these bytes are not a playable Lottie file; undefined when they are. */
export async function lottieProblem(bytes: Uint8Array): Promise<string | undefined> {
  const judged = await judgeLottie(bytes);
  return typeof judged === 'string' ? judged : undefined;
}

/** Whether a playable file runs no code and fetches nothing; what cannot be told in ten seconds does. */
export async function isSafe(bytes: Uint8Array): Promise<boolean> {
  if (bytes.byteLength <= IN_PASSING_BYTES) return safeFormOf(bytes) === bytes;
  const thread = openThread(SAFE_MS);
  try {
    const safe = await thread.run('safe', bytes);
    return safe !== undefined && Buffer.from(safe).equals(bytes);
  } finally {
    thread.close();
  }
}

/** The size and timing of a file that a user gives. Throws `invalid_request` unless it is a playable Lottie file. */
export async function requireHead(bytes: Uint8Array): Promise<LottieHead> {
  const judged = await judgeLottie(bytes);
  if (typeof judged === 'string') throw notPlayable(judged);
  return judged;
}
