// The two ways by which this page spends credits. Only the buy dialog and the list of purchases import them, and a test
// reads the sources and the built files for their addresses.

import type { PrefetchEvent } from '../api/prefetch.js';
import { ApiError, ask, isAborted, refusalIn } from './api.js';

/** What was shown and agreed to. */
export interface Order {
  readonly presets: readonly string[];
  /** Of one sticker. */
  readonly price: number;
  /** All of it may cost this much and no more. */
  readonly cost: number;
}

/**
 * Buys for at most what was agreed, and tells what becomes of each. Rejects with `ApiError`; with the code `away` where svcd
 * did not answer, so that it may have begun.
 */
export async function prefetch({ presets, price, cost }: Order, tell: (event: PrefetchEvent) => void): Promise<void> {
  // A default is no purchase: what cannot be had has failed.
  const order = { presets, max_credits: cost, fallback: false, price };
  const answer = await post('/svcd/prefetch', order);
  if (!answer.ok || answer.body === null) throw await refusalIn(answer);
  await readLines(answer.body, (line) => tell(JSON.parse(line) as PrefetchEvent));
}

/** Buys the sticker of a purchase again, whatever became of that one. */
export async function retryPurchase(id: number): Promise<void> {
  const answer = await post(`/svcd/purchases/${id}/retry`, {});
  if (!answer.ok) throw await refusalIn(answer);
}

function post(path: string, body: object): Promise<Response> {
  return ask(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Empty lines keep a connection alive. An answer that breaks off is told as `away`. */
async function readLines(body: ReadableStream<Uint8Array>, take: (line: string) => void): Promise<void> {
  const text = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      if (isAborted(error)) throw error;
      throw new ApiError('away', 'svcd ended while it was buying');
    });
    const lines = (rest + text.decode(value, { stream: !done })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') take(line);
    if (done) return;
  }
}
