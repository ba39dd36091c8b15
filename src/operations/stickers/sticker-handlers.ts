// Handlers of svcd's own paths about the files of stickers: by digest, the facts in them, and many bought in one request: events
// as lines, until the last of them or until one of both sides goes.

import { digest } from '../../api/lock.js';
import { OPERATIONS } from '../../api/operations.js';
import type { PrefetchEvent } from '../../api/prefetch.js';
import { parseWith } from '../../contract/json-body.js';
import { foreseen } from '../../http/answer.js';
import { answerAsset } from '../../http/answer-asset.js';
import { eventLines, linesOf } from '../../http/json-lines.js';
import { presetOf, watchClient } from '../../http/read-request.js';
import type { Handlers } from '../../http/router.js';
import { asciiText } from '../../model/asset.js';
import { SvcdError } from '../../model/errors.js';
import type { Verbs } from '../open-verbs.js';
import type { Rooms } from '../rooms.js';
import type { BalanceOf } from '../service/service-handlers.js';
import type { ReportRequest } from '../video/report-requests.js';
import type { Prefetch } from './prefetch-assets.js';

/** `closing` is aborted when svcd stops. */
export function createStickerHandlers(
  { config, log }: Rooms,
  { findByDigest, facts, pictures, prefetchAssets }: Verbs,
  balanceOf: BalanceOf,
  report: ReportRequest,
  closing: AbortSignal,
) {
  const foresee = (error: unknown) => foreseen(error, 'POST', log);
  return {
    findByDigest: async ({ c, caller, query }) => {
      const { sha256 } = parseWith(digest, { sha256: c.req.param('sha256') });
      const found = await findByDigest(sha256, query.preset);
      const answer = answerAsset(c, found, balanceOf(caller));
      if (found.licence !== undefined) answer.headers.set('X-Svcd-Licence', asciiText(found.licence));
      return answer;
    },
    showFacts: ({ c, query }) => facts.showFacts(presetOf(c, OPERATIONS.showFacts), query.form ?? config.form),
    showRender: async ({ c, query }) => picture(await pictures.showRender(presetOf(c, OPERATIONS.showRender), query)),
    showSheet: async ({ c, query }) => picture(await pictures.showSheet(query, watchClient(c))),
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

/** Drawn anew each time: what is owned changes. */
function picture(png: Buffer): Response {
  const headers = { 'Content-Type': 'image/png', 'Cache-Control': 'no-store' };
  return new Response(Uint8Array.from(png), { headers });
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
