// Handlers of what the page shows to those who are signed in, and the stream that says what changed.

import type { ShowSummary } from './show-summary.js';
import type { WatchPage } from './watch-page.js';
import { SvcdError } from '../../model/errors.js';
import type { LongLivedResponses } from '../../http/long-lived-responses.js';
import type { Handlers } from '../../http/router.js';

export interface PageSessionParts {
  readonly showSummary: ShowSummary;
  readonly watchPage: WatchPage;
}

/** So that a proxy or a browser does not take it for dead. */
const BEAT_MS = 15_000;
/** Of a reader that stopped reading: it asks anew when it goes on. */
const UNREAD_MAX = 1000;

export function createPageSessionHandlers({ showSummary, watchPage }: PageSessionParts, longLived: LongLivedResponses) {
  return {
    showSummary: () => showSummary(),
    watchEvents: ({ c }) => {
      if (longLived.closing.aborted) throw new SvcdError('not_running', 'svcd is stopping', { retryAfterS: 1 });
      const headers = { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' };
      // Nobody reads the body of a HEAD, and nobody would end it.
      return new Response(c.req.method === 'HEAD' ? null : eventsOf(watchPage, longLived.closing), { headers });
    },
  } satisfies Partial<Handlers>;
}

function eventsOf(watchPage: WatchPage, closing: AbortSignal): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder();
  let end = (): void => undefined;
  return new ReadableStream({
    start: (controller) => {
      let isOver = false;
      const write = (text: string) => {
        if (isOver) return;
        controller.enqueue(bytes.encode(text));
        if ((controller.desiredSize ?? 0) < -UNREAD_MAX) setImmediate(close);
      };
      const stop = watchPage.watch((event, revision) =>
        write(`event: ${event}\ndata: ${JSON.stringify(revision)}\n\n`),
      );
      const beat = setInterval(() => write(':\n\n'), BEAT_MS).unref();
      const close = () => {
        if (isOver) return;
        end();
        controller.close();
      };
      end = () => {
        isOver = true;
        stop();
        clearInterval(beat);
        closing.removeEventListener('abort', close);
      };
      closing.addEventListener('abort', close, { once: true });
    },
    cancel: () => end(),
  });
}
