// One run from nothing to the end, and what was known after each request.

import type { LibraryStatus } from '../../../src/api/library.js';
import type { Stage } from './stage.js';

export interface Point {
  readonly requests: number;
  /** Truly known of all, 0 to 1. */
  readonly coverage: number;
  /** What svcd took the whole for; null where it did not know. */
  readonly estimate: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

export interface Curve {
  readonly points: readonly Point[];
  /** Why it ended. */
  readonly state: string;
}

/** Syncs until the daemon says that it is done, or `most` requests; `tell` hears of each point. */
export async function drawCurve(stage: Stage, most: number, tell: (point: Point) => void): Promise<Curve> {
  const { daemon, size } = stage;
  const points: Point[] = [];
  let state = 'cut off';
  const { url, token } = daemon.info;
  const answer = await fetch(`${url}/svcd/library/sync?max_requests=${most}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
  });
  if (answer.body === null) throw new Error('the daemon told nothing');
  for await (const event of eventsOf(answer.body)) {
    state = event.state;
    if (event.event === 'ended' && event.why !== null) state += `: ${event.why}`;
    if (event.event !== 'asked') continue;
    const { estimate, known } = event;
    const point = {
      requests: stage.requests(),
      coverage: known / size,
      estimate: estimate?.total ?? null,
      low: estimate?.low ?? null,
      high: estimate?.high ?? null,
    };
    points.push(point);
    tell(point);
  }
  return { points, state };
}

async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<LibraryStatus & { readonly event: string }> {
  let rest = '';
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as LibraryStatus & { event: string };
  }
}
