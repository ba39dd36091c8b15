// Answers that go on until the client ends: the system closes the connections of a process that has ended, however it
// ended, and so svcd notices.

import { SvcdError } from '../model/errors.js';
import { newSharedAbort } from '../platform/shared-abort.js';

export type LongLivedResponses = ReturnType<typeof createLongLivedResponses>;

// Notices a reader that ended without closing, and keeps the connection from being taken for a dead one.
const BEAT_MS = 15_000;

/** Holds answers open. */
export function createLongLivedResponses() {
  const bytes = new TextEncoder();
  const closers = new Set<() => void>();
  const closing = newSharedAbort();
  return {
    /**
     * A body of one line that goes on; `end` is called once, when its reader is gone, and not when svcd closes. Throws
     * `not_running` once it does.
     */
    open: (line: string, end: () => void): ReadableStream<Uint8Array> => {
      if (closing.signal.aborted) throw new SvcdError('not_running', 'svcd is stopping', { retryAfterS: 1 });
      let beat: NodeJS.Timeout | undefined;
      let close = (): void => undefined;
      return new ReadableStream({
        start: (controller) => {
          close = () => {
            clearInterval(beat);
            controller.close();
          };
          closers.add(close);
          controller.enqueue(bytes.encode(`${line}\n`));
          beat = setInterval(() => controller.enqueue(bytes.encode('\n')), BEAT_MS);
          beat.unref();
        },
        cancel: () => {
          clearInterval(beat);
          if (closers.delete(close)) end();
        },
      });
    },
    /** Aborted by `closeAll`. */
    closing: closing.signal,
    /** Ends all of them, and opens no more. */
    closeAll: (): void => {
      closing.abort();
      for (const close of closers) close();
      closers.clear();
    },
  };
}
