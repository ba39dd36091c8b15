// What machines send by the megabyte: each one at a time and few at once, because a line of it is held in memory whole. One that
// takes its time to keep others out loses its turn.

import { SvcdError } from '../../model/errors.js';
import { within } from '../../platform/sleep.js';

export interface UploadLimits {
  /** Of all machines; others wait. */
  readonly atOnce: number;
  /** From its turn on. */
  readonly lastsMs: number;
}

/** Works on the pieces of a machine's body when it is its turn. Throws `busy` where one of the same machine is not done. */
export type TakeUpload = <T>(
  machine: number,
  pieces: AsyncIterable<Uint8Array>,
  work: (pieces: AsyncIterable<Uint8Array>) => Promise<T>,
) => Promise<T>;

/** A line holds 45 MB by default; a machine gives back in parts of 4 MB, which a machine sends in seconds. */
const LIMITS: UploadLimits = { atOnce: 4, lastsMs: 2 * 60_000 };
const RETRY_S = 5;

export function createUploads(limits = LIMITS, now: () => number = () => performance.now()): TakeUpload {
  const sending = new Set<number>();
  const waiting: (() => void)[] = [];
  let underWay = 0;

  return async (machine, pieces, work) => {
    if (sending.has(machine)) throw oneAtATime();
    sending.add(machine);
    try {
      // Who ends hands its turn on.
      if (underWay < limits.atOnce) underWay += 1;
      else await new Promise<void>((begin) => waiting.push(begin));
      try {
        return await work(until(now() + limits.lastsMs, pieces));
      } finally {
        const next = waiting.shift();
        if (next === undefined) underWay -= 1;
        else next();
      }
    } finally {
      sending.delete(machine);
    }
  };

  async function* until(end: number, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const iterator = pieces[Symbol.asyncIterator]();
    for (;;) {
      // Not by the loop for it: that waits for as long as nothing comes.
      const next = await within(Math.max(0, end - now()), iterator.next());
      if (next?.done === true) return;
      if (next === undefined || now() > end) throw tooSlow();
      yield next.value;
    }
  }
}

function oneAtATime(): SvcdError {
  return new SvcdError('busy', 'this machine sends something to the hub already', {
    retryAfterS: RETRY_S,
    hint: 'What came before this was kept. Send one part after the other.',
  });
}

function tooSlow(): SvcdError {
  return new SvcdError('timeout', 'what this machine sends came too slowly', {
    hint: 'The lines that had come were kept. Send the rest in smaller parts.',
  });
}
