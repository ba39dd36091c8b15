// The library of a machine that belongs to a hub: a copy of the hub's, taken whenever the hub has another one. It takes the
// place of asking the service word by word, which the hub does for all.

import { randomInt } from 'node:crypto';
import { statusOf } from '../../harvest/harvest-status.js';
import type { Harvest } from '../../harvest/harvest.js';
import type { Harvester } from '../../harvest/harvester.js';
import { SyncRuns } from '../../harvest/sync-runs.js';
import type { LibraryState } from '../../api/library.js';
import type { Library } from '../../library/library.js';
import { SvcdError } from '../../model/errors.js';
import type { Log } from '../../platform/log.js';
import type { Sleep } from '../../platform/sleep.js';
import { remoteError } from '../../upstream/remote-error.js';
import type { Remote } from '../../upstream/remote.js';
import type { TransferLibrary } from '../../operations/library/transfer-library.js';

export interface HubLibraryParts {
  readonly library: Pick<Library, 'size' | 'isComplete' | 'noteState' | 'findState'>;
  readonly harvest: Pick<Harvest, 'isPaused' | 'setPaused' | 'progress'>;
  readonly remote: Remote;
  readonly transfer: TransferLibrary;
  readonly sleep: Sleep;
  readonly log: Log;
  /** Whether to copy without a sync command. */
  readonly background: boolean;
}

const PATH = '/svcd/hub/library';
const TIMEOUT_MS = 5 * 60_000;
const MAX_BYTES = 256 * 1024 * 1024;
/** A hub that has nothing new says so in a few bytes. */
const LOOK_EVERY_MS = 3 * 60_000;
/** By up to so much later or earlier, so that hundreds of machines that started together soon ask apart. */
const LOOK_SPREAD_MS = 60_000;
const LOOK_SOON_MS = 2000;
const SOURCE = "the hub's library";

/** Copies the library of a hub in place of a harvest. */
export function createHubLibrary(parts: HubLibraryParts): Harvester {
  const { library, harvest, remote, transfer, sleep, log, background } = parts;
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
      why: why ?? (stateNow() === 'waiting' ? 'the hub has not all stickers yet' : undefined),
      complete: library.isComplete(),
      progress: { ...harvest.progress, known: library.size },
      hub: { address: remote.baseUrl, takenAt: library.findState(SOURCE)?.at },
      background: background && !harvest.isPaused,
      perMinute: 0,
      freshRate: undefined,
    });
  const runs = new SyncRuns(status);

  const copyNow = async (): Promise<void> => {
    const before = library.size;
    const known = library.findState(SOURCE)?.state;
    const headers = known === undefined || known === '' ? {} : { 'If-None-Match': known };
    const request = { method: 'GET', path: PATH, cost: 'free', urgency: 'background', headers } as const;
    const answer = await remote.exchange({ ...request, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
    if (answer.kind !== 'answer') throw answer.error;
    if (answer.status === 304) return;
    if (answer.status >= 300) throw remoteError(answer);
    const lines = ReadableStream.from([answer.bytes]);
    const report = await transfer.importLines(lines, { anyScope: false });
    if (report.whole === false) throw new SvcdError('upstream_failure', "the hub's library came only in part");
    library.noteState(SOURCE, answer.headers['etag'] ?? '');
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

  const work = async (): Promise<void> => {
    while (!over.signal.aborted) {
      if (!harvest.isPaused && !remote.reach().offline) await copy();
      // When a hub is back is looked at soon; that asks nobody anything.
      const everyMs = LOOK_EVERY_MS - LOOK_SPREAD_MS + randomInt(2 * LOOK_SPREAD_MS);
      const waitMs = remote.reach().offline ? LOOK_SOON_MS : everyMs;
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
