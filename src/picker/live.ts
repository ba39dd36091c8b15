// What changes while the page is open. Of all tabs one holds the daemon's stream of events and tells the others: a browser
// opens six connections to us in all.

import type { PageEvent } from '../api/page-terms.js';
import type { Summary } from '../api/summary.js';
import { ApiError, ask, askJson } from './api.js';
import { isThere, ranges, reload, summary } from './store.js';

const LOCK = 'svcd.events';
const channel = new BroadcastChannel(LOCK);
/** Between two tries while svcd is away. */
const PAUSES_MS = [1000, 2000, 4000, 8000, 15_000];

/** Said by the daemon in the page itself, which cannot see its cookie. */
export const isSignedIn = 'session' in document.documentElement.dataset;

type Listener = (event: PageEvent) => void;
const listeners = new Set<Listener>();

/** Tells of what changed in the daemon, in every tab. */
export function onChange(listener: Listener): void {
  listeners.add(listener);
}

/** Begins to listen, where the page is signed in; while svcd is away it is looked for. */
export function beginLive(): void {
  channel.addEventListener('message', ({ data }: MessageEvent<PageEvent>) => tell(data));
  onChange((event) => {
    if (event === 'summary' || event === 'library') void readSummary();
  });
  if (isSignedIn) {
    void readSummary();
    void navigator.locks.request(LOCK, hold);
  }
  addEventListener('focus', () => {
    if (!isThere.value) void look();
  });
  let failures = 0;
  isThere.subscribe((there) => {
    if (there) {
      failures = 0;
      return;
    }
    const pause = PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)];
    failures += 1;
    setTimeout(() => void look(), pause);
  });
}

/** Whether svcd is there again; what was shown is asked for anew. */
async function look(): Promise<void> {
  try {
    await ask('/svcd/status');
    if (isSignedIn) await readSummary();
    reload();
  } catch {
    // Told by `isThere`; the next try follows.
    isThere.value = true;
    isThere.value = false;
  }
}

/** Reads what the frame shows; without a session, which ends with svcd, there is nothing. */
async function readSummary(): Promise<void> {
  try {
    summary.value = await askJson<Summary>('/svcd/summary');
  } catch (error) {
    if (error instanceof ApiError && error.code !== 'away') summary.value = undefined;
  }
}

function tell(event: PageEvent): void {
  for (const listener of listeners) listener(event);
}

/** Holds the stream for as long as this tab has the lock; a stream that ended is opened again. */
async function hold(): Promise<void> {
  for (;;) {
    await new Promise<void>((resolve) => {
      const stream = new EventSource('/svcd/events');
      for (const event of ['summary', 'owned', 'purchase', 'library', 'collections'] as const) {
        stream.addEventListener(event, () => {
          tell(event);
          channel.postMessage(event);
        });
      }
      stream.addEventListener('error', () => {
        stream.close();
        resolve();
      });
    });
    await new Promise((resolve) => setTimeout(resolve, PAUSES_MS[1]));
  }
}

/** Fills again what is on screen, where what is owned changed. */
export function followOwned(): void {
  onChange((event) => {
    if (event === 'owned' || event === 'purchase') void ranges.renew();
  });
}
