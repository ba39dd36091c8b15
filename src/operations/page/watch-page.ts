// Tells the page that something it shows has changed: it then asks again for what it shows. While nobody listens nothing
// is looked at.

import { PAGE_EVENTS, type PageEvent } from '../../api/page-terms.js';
import { SvcdError } from '../../model/errors.js';

/** What each thing is now, as a text that changes with it; cheap, because it is asked for several times a second. */
export type Revisions = () => Readonly<Record<PageEvent, string>>;

export interface WatchPage {
  /** Calls `tell` for everything once, and then whenever something changed, until the answer is called. Throws `busy`. */
  watch(tell: (event: PageEvent, revision: string) => void): () => void;
}

const LOOK_MS = 250;
/** More than the tabs that a person has: they share one. */
const MOST = 8;

export function createWatchPage(revisions: Revisions): WatchPage {
  const listeners = new Map<
    object,
    { readonly seen: Map<PageEvent, string>; readonly tell: (e: PageEvent, r: string) => void }
  >();
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    const now = revisions();
    for (const { seen, tell } of listeners.values()) {
      for (const event of PAGE_EVENTS) {
        if (seen.get(event) === now[event]) continue;
        seen.set(event, now[event]);
        tell(event, now[event]);
      }
    }
  };
  const lookAgain = () => {
    try {
      look();
    } catch {
      // Where the disk fails, what the page asks next tells of it.
    }
  };
  return {
    watch: (tell) => {
      if (listeners.size >= MOST) {
        throw new SvcdError('busy', `${MOST} pages listen already`, { hint: 'Close one of the tabs with svcd.' });
      }
      const mark = {};
      listeners.set(mark, { seen: new Map(), tell });
      timer ??= setInterval(lookAgain, LOOK_MS).unref();
      look();
      return () => {
        listeners.delete(mark);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}
