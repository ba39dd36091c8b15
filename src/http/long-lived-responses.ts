// Answers that go on until the client ends: the system closes the connections of a process that has ended, however it
// ended, and so svcd notices.

export interface LongLivedResponses {
  /** A body of one line that goes on; `end` is called once, when its reader is gone or svcd closes. */
  open(line: string, end: () => void): ReadableStream<Uint8Array>;
  /** Ends all of them. */
  closeAll(): void;
}

// Notices a reader that ended without closing, and keeps the connection from being taken for a dead one.
const BEAT_MS = 15_000;

/** Holds answers open. */
export function createLongLivedResponses(): LongLivedResponses {
  const bytes = new TextEncoder();
  const closers = new Set<() => void>();
  return {
    open: (line, end) => {
      let beat: NodeJS.Timeout | undefined;
      let close = (): void => undefined;
      const over = () => {
        clearInterval(beat);
        if (closers.delete(close)) end();
      };
      return new ReadableStream({
        start: (controller) => {
          close = () => {
            over();
            controller.close();
          };
          closers.add(close);
          controller.enqueue(bytes.encode(`${line}\n`));
          beat = setInterval(() => controller.enqueue(bytes.encode('\n')), BEAT_MS);
          beat.unref();
        },
        cancel: over,
      });
    },
    closeAll: () => {
      for (const close of Array.from(closers)) close();
    },
  };
}
