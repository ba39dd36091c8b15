// POST /svcd/prefetch as its clients read it.

import type { PrefetchEvent } from '../../src/api/prefetch.js';

export type AssetEvent = Extract<PrefetchEvent, { event: 'asset' }>;

/** All events of an answer. */
export async function eventsOf(answer: Response): Promise<PrefetchEvent[]> {
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  const lines = text.trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as PrefetchEvent);
}

/** What was had, by its place. */
export function assetsIn(events: readonly PrefetchEvent[]): AssetEvent[] {
  return events.filter((one) => one.event === 'asset').toSorted((a, b) => a.place - b.place);
}
