// The library of a machine that belongs to a hub: a copy of the hub's, taken at the first start and once a day. It takes the
// place of asking the service word by word, which the hub does for all.

import { randomInt } from 'node:crypto';
import { statusOf } from '../harvest/harvest-status.js';
import type { Harvest } from '../harvest/harvest.js';
import type { Harvester } from '../harvest/harvester.js';
import { SyncRuns } from '../harvest/sync-runs.js';
import type { LibraryState } from '../api/library-status.js';
import type { Library } from '../library/library.js';
import { SvcdError } from '../model/errors.js';
import type { Clock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import type { Sleep } from '../platform/sleep.js';
import { askFree, type Remote } from '../upstream/remote.js';
import type { TransferLibrary } from './transfer-library.js';

export interface HubLibraryParts {
  readonly library: Pick<Library, 'size' | 'isComplete' | 'importStickers' | 'hasImported'>;
  readonly harvest: Pick<Harvest, 'isPaused' | 'setPaused' | 'progress'>;
  readonly remote: Remote;
  readonly transfer: TransferLibrary;
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly log: Log;
  /** Whether to copy without a sync command. */
  readonly background: boolean;
}

const PATH = '/svcd/hub/library';
const TIMEOUT_MS = 5 * 60_000;
const MAX_BYTES = 256 * 1024 * 1024;
const LOOK_EVERY_MS = 60_000;
const LOOK_SOON_MS = 2000;
/** So that hundreds of machines do not come with the stroke of midnight. */
const SPREAD_MS = 4 * 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

/** Copies the library of a hub in place of a harvest. */
export function createHubLibrary(parts: HubLibraryParts): Harvester {
  const { library, harvest, remote, transfer, clock, sleep, log, background } = parts;
  const spreadMs = randomInt(SPREAD_MS);
  const over = new AbortController();
  let state: LibraryState = 'off';
  let why: string | undefined;
  let hasBegun = false;
  let copying: Promise<void> | undefined;

  const stateNow = (): LibraryState => {
    if (copying !== undefined) return state;
    if (harvest.isPaused) return 'paused';
    if (why !== undefined) return 'waiting';
    return library.isComplete() ? 'complete' : background && hasBegun ? 'waiting' : 'off';
  };
  const status = () =>
    statusOf({
      state: stateNow(),
      why,
      complete: library.isComplete(),
      progress: { ...harvest.progress, known: library.size },
      background: background && !harvest.isPaused,
      perMinute: 0,
      freshRate: undefined,
    });
  const runs = new SyncRuns(status);

  const copyNow = async (): Promise<void> => {
    const before = library.size;
    const request = { method: 'GET', path: PATH, cost: 'free', urgency: 'background' } as const;
    const answer = await askFree(remote, { ...request, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
    const lines = ReadableStream.from([answer.bytes]);
    const report = await transfer.importLines(lines, { anyScope: false });
    if (report.whole === false) throw new SvcdError('upstream_failure', "the hub's library came only in part");
    library.importStickers([], markOf(clock.now(), spreadMs));
    const { added, changed } = report;
    log.info("the hub's library was copied", { added, changed, stickers: library.size });
    runs.tellAsked(
      { purpose: 'refresh', words: [], presets: [] },
      {
        listed: report.lines,
        fresh: library.size - before,
        changed,
      },
    );
  };

  const copy = (): Promise<void> => {
    state = 'filling';
    copying ??= copyNow()
      .then(() => (why = undefined))
      .catch((error: unknown) => {
        why = error instanceof Error ? error.message : String(error);
        if (!remote.reach().offline) log.warn("the hub's library could not be copied", { why });
      })
      .finally(() => {
        copying = undefined;
        runs.endAll();
      });
    return copying;
  };

  const isDue = () => !harvest.isPaused && !library.hasImported(markOf(clock.now(), spreadMs));

  const work = async (): Promise<void> => {
    while (!over.signal.aborted) {
      if (isDue() && !remote.reach().offline) await copy();
      // A hub that was away at the first start is looked for soon.
      const waitMs = why === undefined && !remote.reach().offline ? LOOK_EVERY_MS : LOOK_SOON_MS;
      await sleep(waitMs, { signal: over.signal, ref: false });
    }
  };

  return {
    sync: (options) => {
      const ended = runs.add(options, () => undefined);
      void copy();
      return ended;
    },
    status,
    pause: () => {
      harvest.setPaused(true);
      return status();
    },
    resume: () => {
      harvest.setPaused(false);
      return status();
    },
    begin: () => {
      if (hasBegun || !background) return;
      hasBegun = true;
      void work();
    },
    noteKey: () => undefined,
    close: async () => {
      over.abort();
      runs.endAll();
      await copying;
    },
  };
}

/** Under which the copy of a day is known. */
function markOf(now: number, spreadMs: number): string {
  return `the hub's library of day ${Math.floor((now - spreadMs) / DAY_MS)}`;
}
