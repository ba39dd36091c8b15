// Whether bytes that were paid for are a playable Lottie file, off the loop where that may take long: whoever sends them may
// mean harm (480,000 numbers of 30 digits hold a loop for a third of a second).

import { lottieProblem } from './check-lottie.js';
import { createLottieThread, type LottieThread } from './lottie-thread.js';

/** Up to this size the worst of files takes some 60 ms; nearly every sticker is smaller. */
const IN_PASSING_BYTES = 1024 * 1024;

let last: Promise<unknown> = Promise.resolve();

/**
 * Why these bytes are not a playable Lottie file; undefined when they are. Large ones are judged one after another, each in a
 * thread of its own; what cannot be judged there is judged here, for it is paid.
 */
export function judgeLottie(
  bytes: Uint8Array,
  open: () => LottieThread = createLottieThread,
): Promise<string | undefined> {
  if (bytes.byteLength <= IN_PASSING_BYTES) return Promise.resolve(lottieProblem(bytes));
  const turn = last.then(async () => {
    const thread = open();
    try {
      const judged = await thread.run('problem', bytes).catch(() => undefined);
      return judged === undefined ? lottieProblem(bytes) : judged.problem;
    } finally {
      thread.close();
    }
  });
  last = turn.catch(() => undefined);
  return turn;
}
