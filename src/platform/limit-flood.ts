// Keeps one event that happens ten thousand times a minute from filling the log: the first few of each minute are
// written, the rest are counted, and the count is told once the minute is over.

import type { Clock } from './clock.js';
import type { LogEntry } from './log.js';

/** Lines of one event in a window. */
export const FLOOD_LINES = 30;
const WINDOW_MS = 60_000;
/** Events have fixed names; should one of them be made of data after all, memory stays bounded. */
const MOST_EVENTS = 500;

/** A line that names a purchase always passes: their number is bounded by the service's own rate. */
export function limitFlood(write: (entry: LogEntry) => void, clock: Clock) {
  let counts = new Map<string, { passed: number; more: number; first: LogEntry }>();
  let beganAt = clock.monotonic();
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const told = counts;
    counts = new Map();
    beganAt = clock.monotonic();
    for (const { more, first } of told.values()) {
      if (more === 0) continue;
      write({
        at: new Date(clock.now()).toISOString(),
        level: first.level,
        event: `${first.event}: ${more} more`,
        fields: { more },
      });
    }
  }

  return {
    /** Tells what was counted and not told yet. */
    flush,
    write: (entry: LogEntry): void => {
      if (clock.monotonic() - beganAt >= WINDOW_MS) flush();
      if (entry.fields['purchase'] !== undefined) return write(entry);
      const key = `${entry.level} ${entry.event}`;
      const count = counts.get(key);
      if (count === undefined) {
        if (counts.size < MOST_EVENTS) counts.set(key, { passed: 1, more: 0, first: entry });
        return write(entry);
      }
      if (count.passed < FLOOD_LINES) {
        count.passed++;
        return write(entry);
      }
      count.more++;
      timer ??= setTimeout(flush, WINDOW_MS).unref();
    },
  };
}
