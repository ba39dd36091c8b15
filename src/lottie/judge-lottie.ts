// Whether foreign bytes are a playable Lottie file, off the loop where that may take long: whoever sends them may mean harm
// (480,000 numbers of 30 digits hold a loop for a third of a second).

import { headOf, notPlayable, type LottieHead } from './check-lottie.js';
import { createLottieThread, type LottieThread } from './lottie-thread.js';

/** Up to this size the worst of files takes some 60 ms; nearly every sticker is smaller. */
const IN_PASSING_BYTES = 1024 * 1024;

let last: Promise<unknown> = Promise.resolve();

/**
 * The size and timing of a playable file, or why these bytes are none. Large ones are judged one after another, each in a
 * thread of its own; what cannot be judged there is judged here, for it may be paid.
 */
export function judgeLottie(
  bytes: Uint8Array,
  open: () => LottieThread = createLottieThread,
): Promise<LottieHead | string> {
  if (bytes.byteLength <= IN_PASSING_BYTES) return Promise.resolve(headOf(bytes));
  const turn = last.then(async () => {
    const thread = open();
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

/** The size and timing of a file that a user gives. Throws `invalid_request` unless it is a playable Lottie file. */
export async function requireHead(bytes: Uint8Array): Promise<LottieHead> {
  const judged = await judgeLottie(bytes);
  if (typeof judged === 'string') throw notPlayable(judged);
  return judged;
}
