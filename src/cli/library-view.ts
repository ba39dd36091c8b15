// The state of the library as a person reads it: for `svcd library status`, and the line a sync writes over.

import { counted, grouped, plain } from './output.js';
import type { LibraryStatus } from '../api/library-status.js';
import { spanOf } from './duration.js';

const BAR_CELLS = 24;
const PERCENT = 100;

/** Names and values of a status, for a table. */
export function statusRows(status: LibraryStatus, now: number): string[][] {
  const { requests, last_sync_at: lastAt } = status;
  const unanswered = requests.sent - requests.answered;
  const sent = `${counted(requests.answered, 'request')} answered`;
  return [
    ['known', counted(status.known, 'sticker')],
    ['in all', totalOf(status)],
    ['coverage', coverageOf(status)],
    ['last sync', lastAt === null ? 'never' : `${spanOf(now - Date.parse(lastAt))} ago`],
    ['asked so far', unanswered === 0 ? sent : `${sent}, ${grouped(unanswered)} without an answer`],
    ['state', stateOf(status)],
    ['in the background', backgroundOf(status)],
  ].map(([name = '', value = '']) => [`  ${name}`, plain(value)]);
}

/** One line: a bar where the whole is known, the figures, the rate, the time left. */
export function progressLine(status: LibraryStatus, perMinute: number | undefined): string {
  const { known, estimate, coverage, seconds_left: left } = status;
  const bar = coverage === null ? '' : `${barOf(coverage)} ${percent(coverage)}  `;
  const of = estimate === null ? 'how many there are is not known yet' : `about ${grouped(estimate.total)}`;
  const rate = perMinute === undefined ? '' : `  ${Math.round(perMinute)} requests/min`;
  const time = left === null || left === 0 ? '' : `  ${spanOf(left * 1000)} left`;
  const why = status.state === 'waiting' && status.why !== null ? `  waiting: ${status.why}` : '';
  return plain(`${bar}${grouped(known)} of ${of}${rate}${time}${why}`);
}

function totalOf({ estimate }: LibraryStatus): string {
  if (estimate === null) return 'not known yet: too little was asked';
  const { total, low, high } = estimate;
  return `about ${grouped(total)} (between ${grouped(low)} and ${grouped(high)}, 19 times of 20)`;
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
  const pace = `at most ${counted(Math.round(rate), 'request')} a minute`;
  return background ? `yes, ${pace}` : 'no';
}

function barOf(coverage: number): string {
  const full = Math.round(Math.min(1, coverage) * BAR_CELLS);
  return `[${'#'.repeat(full)}${'.'.repeat(BAR_CELLS - full)}]`;
}

function percent(part: number): string {
  return `${(Math.floor(part * PERCENT * 10) / 10).toFixed(1)} %`;
}
