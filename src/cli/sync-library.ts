// Filling the library while a person or script watches: progress on a terminal, events for a program.

import type { LibraryStatus } from '../api/library-status.js';
import { SvcdError } from '../model/errors.js';
import { systemClock } from '../platform/clock.js';
import { type Client, withClient } from './client.js';
import { EXIT_CODE_OF } from './exit-codes.js';
import { formatCount, formatDuration, formatNumber, formatFields, sanitize } from './format.js';
import { gather, type StreamedAnswer } from './http-exchange.js';
import type { Input } from './input.js';
import { printJson, printLines, printNote } from './output.js';
import { expectOk } from './running-daemon.js';
import { watchStopSignals } from './stop-signals.js';

type SyncEvent = LibraryStatus & {
  readonly event: 'begun' | 'asked' | 'waiting' | 'ended';
  /** Of an end. */
  readonly asked?: number;
  readonly fresh?: number;
};

const REQUESTS_MAX = 1_000_000;
/** How long the service may stay away before the command gives up; the daemon goes on by itself. */
const AWAY_MS = 2 * 60_000;
const MINUTE_MS = 60_000;
const WIDTH_DEFAULT = 80;

/** Runs a sync to its end, or until Ctrl+C, which exits with `interrupted`. Throws what stopped the sync. */
export async function syncLibrary(input: Input): Promise<void> {
  const maxRequests = input.whole('max-requests', 1, REQUESTS_MAX);
  const signalled = watchStopSignals();
  const last = await withClient({ ...input, spends: true }, (client) =>
    follow(client, maxRequests, signalled, input.json),
  );
  if (last !== undefined) return finish(last, input.json);
  if (!input.json) printNote('Paused: what was learned is kept, and "svcd library sync" goes on.');
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
  if (answer.status !== 200) expectOk(await gather(answer));
  const progress = createProgress(json);
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
  let patience = setTimeout(giveUp, AWAY_MS);
  try {
    for await (const event of eventsOf(answer)) {
      last = event;
      if (event.event === 'asked') {
        clearTimeout(patience);
        patience = setTimeout(giveUp, AWAY_MS);
      }
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
    throw new SvcdError('offline', `the service has not answered for two minutes (${last?.why ?? 'it is silent'})`, {
      hint: 'What was learned is kept; "svcd library sync" goes on when it answers again.',
    });
  }
  if (last?.event === 'ended') return last;
  throw new SvcdError('not_running', 'the daemon stopped before the sync ended', {
    hint: 'What was learned is kept; "svcd library sync" goes on.',
  });
}

async function* eventsOf({ body }: StreamedAnswer): AsyncGenerator<SyncEvent> {
  let rest = '';
  body.setEncoding('utf8');
  for await (const chunk of body) {
    const lines = (rest + (chunk as string)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield JSON.parse(line) as SyncEvent;
  }
}

/** A program gets every event; a person a line that is overwritten, or, without a terminal, nothing before the end. */
function createProgress(json: boolean): { show: (event: SyncEvent) => Promise<void>; end: () => void } {
  const shows = process.stderr.isTTY && !json;
  const askedAt: number[] = [];
  return {
    show: async (event) => {
      if (json) return printJson(event);
      if (!shows) return;
      const now = systemClock.monotonic();
      if (event.event === 'asked') askedAt.push(now);
      while ((askedAt[0] ?? now) < now - MINUTE_MS) askedAt.shift();
      const line = progressLine(event, rateOf(askedAt));
      process.stderr.write(`\r${line.slice(0, (process.stderr.columns || WIDTH_DEFAULT) - 1)}\u001B[K`);
    },
    end: () => {
      if (shows) process.stderr.write('\r\u001B[K');
    },
  };
}

/** Requests a minute, from at least a second of them. */
function rateOf(askedAt: readonly number[]): number | undefined {
  const [first, last] = [askedAt[0], askedAt.at(-1)];
  if (first === undefined || last === undefined || last - first < 1000) return undefined;
  return ((askedAt.length - 1) * MINUTE_MS) / (last - first);
}

async function finish(ended: SyncEvent, json: boolean): Promise<void> {
  const { asked = 0, fresh = 0, state, why } = ended;
  if (!json) {
    const head = `${formatCount(asked, 'request')} brought ${formatCount(fresh, 'new sticker')}.`;
    await printLines(head, '', ...describeLibrary(ended, systemClock.now()));
  }
  if (state !== 'stopped') return;
  throw new SvcdError(/\bKey\b/.test(why ?? '') ? 'invalid_key' : 'upstream_failure', why ?? 'it stopped', {
    hint: 'What was learned is kept; "svcd library sync" goes on once that is fixed.',
  });
}

const BAR_CELLS = 24;

/** A status at `now`, for a person. */
export function describeLibrary(status: LibraryStatus, now: number): string[] {
  const { requests, last_sync_at: lastAt } = status;
  const unanswered = requests.sent - requests.answered;
  const answered = `${formatCount(requests.answered, 'request')} answered`;
  return formatFields({
    known: formatCount(status.known, 'sticker'),
    'in all': totalOf(status),
    coverage: coverageOf(status),
    'last sync': lastAt === null ? 'never' : `${formatDuration(now - Date.parse(lastAt))} ago`,
    'asked so far': unanswered === 0 ? answered : `${answered}, ${formatNumber(unanswered)} without an answer`,
    state: stateOf(status),
    'in the background': backgroundOf(status),
  });
}

/** One line: a bar where the total is known, the figures, the rate, the time left. */
function progressLine(status: LibraryStatus, perMinute: number | undefined): string {
  const { known, estimate, coverage, seconds_left: left } = status;
  const bar = coverage === null ? '' : `${barOf(coverage)} ${percent(coverage)}  `;
  const total = estimate === null ? 'a total not known yet' : `about ${formatNumber(estimate.total)}`;
  const rate = perMinute === undefined ? '' : `  ${Math.round(perMinute)} requests/min`;
  const time = left === null || left === 0 ? '' : `  ${formatDuration(left * 1000)} left`;
  const why = status.state === 'waiting' && status.why !== null ? `  waiting: ${status.why}` : '';
  return sanitize(`${bar}${formatNumber(known)} of ${total}${rate}${time}${why}`);
}

function totalOf({ estimate }: LibraryStatus): string {
  if (estimate === null) return 'not known yet: too little was asked';
  const { total, low, high } = estimate;
  return `about ${formatNumber(total)} (between ${formatNumber(low)} and ${formatNumber(high)}, 19 times of 20)`;
}

function coverageOf({ coverage, complete }: LibraryStatus): string {
  const part = coverage === null ? 'not known yet' : percent(coverage);
  return complete ? `${part}, practically complete: searches are answered here alone` : part;
}

function stateOf({ state, why }: LibraryStatus): string {
  const words: Record<LibraryStatus['state'], string> = {
    complete: 'complete',
    filling: 'filling',
    refreshing: 'looking again at what was seen longest ago',
    waiting: 'waiting',
    paused: 'paused; "svcd library resume" goes on',
    off: 'nothing under way; "svcd library sync" fills it',
    stopped: 'stopped',
  };
  return why === null ? words[state] : `${words[state]}: ${why}`;
}

function backgroundOf({ background, allowed_per_minute: rate }: LibraryStatus): string {
  return background ? `yes, at most ${formatCount(Math.round(rate), 'request')} a minute` : 'no';
}

function barOf(coverage: number): string {
  const full = Math.round(Math.min(1, coverage) * BAR_CELLS);
  return `[${'#'.repeat(full)}${'.'.repeat(BAR_CELLS - full)}]`;
}

function percent(part: number): string {
  return `${(Math.floor(part * 1000) / 10).toFixed(1)} %`;
}
