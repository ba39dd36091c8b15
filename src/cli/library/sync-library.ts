// Filling the library while a person or script watches: progress on a terminal, events for a program.

import type { LibraryStatus } from '../../api/library.js';
import { SvcdError } from '../../model/errors.js';
import { systemClock } from '../../platform/clock.js';
import { type Client, withClient } from '../connection/client.js';
import { EXIT_CODE_OF, watchStopSignals } from '../terminal/exit-codes.js';
import { formatCount, formatDuration, formatNumber, formatFields } from '../terminal/format.js';
import { readEvents } from '../connection/read-events.js';
import { errorWords } from '../terminal/error-words.js';
import type { Input } from '../terminal/input.js';
import { printJson, printLines, printNote } from '../terminal/output.js';
import { openProgress } from '../terminal/progress.js';
import { libraryWords } from './words.js';

type SyncEvent = LibraryStatus & {
  readonly event: 'begun' | 'asked' | 'waiting' | 'ended';
  /** Of an end. */
  readonly asked?: number;
  readonly fresh?: number;
};

const REQUESTS_MAX = 1_000_000;
/** How long the service may be silent before the command gives up, and where there is nobody to ask; the daemon goes on. */
const SILENT_MS = 2 * 60_000;
const AWAY_MS = 30_000;
const MINUTE_MS = 60_000;

/** Runs a sync to its end, or until Ctrl+C, which exits with `interrupted`. Throws what stopped the sync. */
export async function syncLibrary(input: Input): Promise<void> {
  const maxRequests = input.whole('max-requests', 1, REQUESTS_MAX);
  const signalled = watchStopSignals();
  const last = await withClient({ ...input, spends: true }, (client) =>
    follow(client, maxRequests, signalled, input.json),
  );
  if (last !== undefined) return finish(last, input.json);
  if (!input.json) printNote(libraryWords().sync.paused);
  process.exitCode = EXIT_CODE_OF.interrupted;
}

/** The last event; undefined when a signal ended the sync before. */
async function follow(
  client: Client,
  maxRequests: number | undefined,
  signalled: Promise<string>,
  json: boolean,
): Promise<SyncEvent | undefined> {
  const query = maxRequests === undefined ? '' : `?max_requests=${maxRequests}`;
  const answer = await client.stream('POST', `/svcd/library/sync${query}`);
  const words = libraryWords().sync;
  const progress = createProgress(json);
  let told: string | null = null;
  let last: SyncEvent | undefined;
  let isInterrupted = false;
  const interrupt = () => {
    isInterrupted = true;
    // The daemon sees that the connection closed, and ends the run after the request in flight.
    answer.body.destroy();
  };
  void signalled.then(interrupt);
  let gaveUp = false;
  const giveUp = () => {
    gaveUp = true;
    answer.body.destroy();
  };
  let patienceMs = SILENT_MS;
  let patience = setTimeout(giveUp, patienceMs);
  const wait = (ms: number) => {
    clearTimeout(patience);
    patienceMs = ms;
    patience = setTimeout(giveUp, ms);
  };
  try {
    for await (const event of readEvents<SyncEvent>(answer)) {
      last = event;
      const isWaiting = event.event === 'waiting';
      if (event.event === 'asked') wait(SILENT_MS);
      if (isWaiting && / be reached/.test(event.why ?? '') && patienceMs !== AWAY_MS) wait(AWAY_MS);
      // What is written over is seen on a terminal alone.
      if (isWaiting && !json && event.why !== told) printNote(words.waits(whyOf(event), patienceMs / 1000));
      if (isWaiting) told = event.why;
      await progress.show(event);
    }
  } catch (error) {
    if (!isInterrupted && !gaveUp) throw error;
  } finally {
    clearTimeout(patience);
    progress.end();
  }
  if (isInterrupted) return undefined;
  if (gaveUp) {
    throw new SvcdError('offline', words.silent(patienceMs / 1000, whyOf(last)), { hint: words.silentHint });
  }
  if (last?.event === 'ended') return last;
  throw new SvcdError('not_running', words.daemonStopped, { hint: words.goesOn });
}

function whyOf(event: SyncEvent | undefined): string {
  return event?.why ? errorWords().translated(event.why) : libraryWords().sync.isSilent;
}

/** A program gets every event; a person what the moment is. */
function createProgress(json: boolean): { show: (event: SyncEvent) => Promise<void>; end: () => void } {
  const progress = openProgress(json);
  const askedAt: number[] = [];
  return {
    show: async (event) => {
      if (json) return printJson(event);
      const now = systemClock.monotonic();
      if (event.event === 'asked') askedAt.push(now);
      while ((askedAt[0] ?? now) < now - MINUTE_MS) askedAt.shift();
      progress.show(progressLine(event, rateOf(askedAt)));
    },
    end: () => progress.end(),
  };
}

/** Requests a minute, from at least a second of them. */
function rateOf(askedAt: readonly number[]): number | undefined {
  const [first, last] = [askedAt[0], askedAt.at(-1)];
  if (first === undefined || last === undefined || last - first < 1000) return undefined;
  return ((askedAt.length - 1) * MINUTE_MS) / (last - first);
}

/** As the daemon says it. */
const NO_REMOTE = 'no remote is configured';
const SET_REMOTE = 'Set one with "svcd config set remote https://…", or try "svcd start --sandbox".';

async function finish(ended: SyncEvent, json: boolean): Promise<void> {
  const { asked = 0, fresh = 0, state, why } = ended;
  const words = libraryWords().sync;
  if (!json) {
    const head = words.brought(formatCount(asked, 'request'), formatCount(fresh, 'new sticker'));
    await printLines(head, '', ...describeLibrary(ended, systemClock.now()));
  }
  if (state !== 'stopped') return;
  throw new SvcdError(/\bKey\b/.test(why ?? '') ? 'invalid_key' : 'upstream_failure', why ?? words.stopped, {
    hint: why === NO_REMOTE ? SET_REMOTE : words.stoppedHint,
  });
}

const BAR_CELLS = 24;

/** A status at `now`, for a person. */
export function describeLibrary(status: LibraryStatus, now: number): string[] {
  const { requests, hub, last_sync_at: lastAt } = status;
  const unanswered = requests.sent - requests.answered;
  const words = libraryWords();
  const { fields } = words;
  const when = (at: string | null) => (at === null ? words.never : words.ago(formatDuration(now - Date.parse(at))));
  if (hub) {
    return formatFields({
      [fields.known]: formatCount(status.known, 'sticker'),
      [fields.from]: words.hub(hub.address),
      [fields.taken]: when(hub.taken_at),
      [fields.state]: stateOf(status),
      [fields.background]: status.background ? words.fromHub : words.notInBackground,
    });
  }
  const answered = words.answered(formatCount(requests.answered, 'request'));
  return formatFields({
    [fields.known]: formatCount(status.known, 'sticker'),
    [fields.total]: totalOf(status),
    [fields.coverage]: coverageOf(status),
    [fields.lastSync]: when(lastAt),
    [fields.asked]: unanswered === 0 ? answered : words.unanswered(answered, formatNumber(unanswered)),
    [fields.state]: stateOf(status),
    [fields.background]: backgroundOf(status),
  });
}

/** One line: a bar where the total is known, the figures, the rate, the time left. */
function progressLine(status: LibraryStatus, perMinute: number | undefined): string {
  const { known, estimate, coverage, seconds_left: left } = status;
  const bar = coverage === null ? '' : `${barOf(coverage)} ${percent(coverage)}  `;
  const words = libraryWords().sync;
  const total = estimate === null ? words.unknownTotal : roughTotal(status);
  const rate = perMinute === undefined ? '' : `  ${words.perMinute(Math.round(perMinute))}`;
  const time = left === null || left === 0 ? '' : `  ${words.left(formatDuration(left * 1000))}`;
  const why =
    status.state === 'waiting' && status.why !== null ? `  ${words.waiting(errorWords().translated(status.why))}` : '';
  return `${bar}${words.of(formatNumber(known), total)}${rate}${time}${why}`;
}

/** Bounds that say nothing are left out. */
function isExact({ estimate, complete }: LibraryStatus): boolean {
  return complete || (estimate !== null && estimate.low === estimate.high);
}

function roughTotal(status: LibraryStatus): string {
  const total = formatNumber(status.estimate?.total ?? 0);
  return isExact(status) ? total : libraryWords().sync.about(total);
}

function totalOf(status: LibraryStatus): string {
  const words = libraryWords();
  if (status.estimate === null) return words.tooEarly;
  if (isExact(status)) return formatCount(status.estimate.total, 'sticker');
  const { total, low, high } = status.estimate;
  return words.between(formatNumber(total), formatNumber(low), formatNumber(high));
}

function coverageOf({ coverage, complete }: LibraryStatus): string {
  const words = libraryWords();
  const part = coverage === null ? words.coverageUnknown : percent(coverage);
  return complete ? words.complete(part) : part;
}

function stateOf({ state, why }: LibraryStatus): string {
  const said = libraryWords().states[state];
  return why === null ? said : `${said}${libraryWords().colon}${errorWords().translated(why)}`;
}

function backgroundOf({ background, allowed_per_minute: rate }: LibraryStatus): string {
  const words = libraryWords();
  return background ? words.inBackground(formatCount(Math.round(rate), 'request')) : words.notInBackground;
}

function barOf(coverage: number): string {
  const full = Math.round(Math.min(1, coverage) * BAR_CELLS);
  return `[${'#'.repeat(full)}${'.'.repeat(BAR_CELLS - full)}]`;
}

function percent(part: number): string {
  return `${(Math.floor(part * 1000) / 10).toFixed(1)} %`;
}
