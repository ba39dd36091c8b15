// Handler of buying many things in one request: events as lines, until the last of them or until one of both sides goes.

import type { PrefetchEvent } from '../../api/prefetch.js';
import type { Prefetch, PrefetchAssets } from './prefetch-assets.js';
import { SvcdError } from '../../model/errors.js';
import type { Log } from '../../platform/log.js';
import { foreseen } from '../../http/answer.js';
import { eventLines } from '../../http/event-lines.js';
import { linesOf } from '../library/library-handlers.js';
import { watchClient } from '../../http/read-request.js';
import type { ReportRequest } from '../video/report-requests.js';
import type { Handlers } from '../../http/router.js';

/** `closing` is aborted when svcd stops. */
export function createPrefetchHandlers(
  prefetchAssets: PrefetchAssets,
  report: ReportRequest,
  closing: AbortSignal,
  log: Log,
) {
  const foresee = (error: unknown) => foreseen(error, 'POST', log);
  return {
    prefetch: async ({ c, caller, body }) => {
      const prefetch = await prefetchAssets({
        ...body,
        spender: (need) => caller.spender(need),
        caller: caller.mark,
        isGone: watchClient(c),
        report: (kind, id, work) => report(caller, kind, id, work),
        foresee,
      });
      return linesOf(eventsOf(prefetch, closing, foresee));
    },
  } satisfies Partial<Handlers>;
}

/** A client that hangs up, and svcd when it stops, give back what has not begun. */
function eventsOf(
  prefetch: Prefetch,
  closing: AbortSignal,
  foresee: (error: unknown) => SvcdError,
): ReadableStream<Uint8Array> {
  let stop = (): void => undefined;
  return eventLines<PrefetchEvent>({
    run: (tell) =>
      new Promise<void>((resolve, reject) => {
        stop = () => reject(stopping());
        closing.addEventListener('abort', stop);
        if (closing.aborted) stop();
        else prefetch.run(tell).then(resolve, reject);
      }),
    foresee,
    onOver: () => {
      closing.removeEventListener('abort', stop);
      void prefetch.release();
    },
  });
}

function stopping(): SvcdError {
  return new SvcdError('not_running', 'svcd is stopping', {
    hint: 'Everything bought so far is owned. Send the same request again when svcd runs; it continues with the rest.',
  });
}
