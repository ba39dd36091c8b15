// Tells the page that something it shows has changed: it then asks again for what it shows. While nobody listens nothing
// is looked at.

import { PAGE_EVENTS, type PageEvent } from '../../api/page-terms.js';
import { SvcdError } from '../../model/errors.js';
import { keyIdOf } from '../../model/spender.js';
import type { Rooms } from '../rooms.js';
import { stopOf } from '../../purchases/purchase-stores.js';

/** A text for each thing that changes with it. */
export type Revisions = Readonly<Record<PageEvent, string>>;

export interface WatchPage {
  /** Calls `tell` for everything once, and then whenever something changed, until the answer is called. Throws `busy`. */
  watch(tell: (event: PageEvent, revision: string) => void): () => void;
}

/** So that a proxy or a browser does not take it for dead. */
const BEAT_MS = 15_000;
/** Of a reader that stopped reading: it asks anew when it goes on. */
const UNREAD_MAX = 1000;
const LOOK_MS = 250;
/** More than the tabs that a person has: they share one. */
const MOST = 8;

export function createWatchPage(revisions: () => Revisions): WatchPage {
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

/** What each thing is now; cheap, because it is asked for several times a second. No row of the journal tells of a budget. */
export function revisionsOf(rooms: Rooms, budgetChanges: number): Revisions {
  const { mark, keys, keyTrouble, accounts, remote, harvest, library, owned, own, collections, projects } = rooms;
  const purchase = String(mark.changes());
  const { source, last_four } = keys.report();
  const current = keys.current();
  const key = [source, last_four, accounts.findBalance(keyIdOf(current ?? '')), keyTrouble.find(current)];
  const money = [purchase, stopOf(rooms), budgetChanges];
  const around = [remote?.reach(), rooms.belonging()?.refusal?.code, rooms.findFolder()];
  const copying = [harvest.isPaused, library.isComplete()];
  return {
    summary: JSON.stringify([key, money, around, copying]),
    owned: `${owned.count()} ${own.list().length}`,
    purchase,
    library: String(library.revision),
    collections: String(collections.revision()),
    projects: String(projects.revision()),
  };
}

/** The changes as a stream of events, until its reader or svcd goes. */
export function eventsOf(watchPage: WatchPage, closing: AbortSignal): ReadableStream<Uint8Array> {
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
