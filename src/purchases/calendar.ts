// Which day and month it is where the user lives: what budgets are counted by. And how far the computer's clock is
// believed: a day that it once reached by mistake must not hold up the budget for years.

import type { Clock } from '../platform/clock.js';
import { SvcdError } from '../model/errors.js';

export interface Calendar {
  /** The day of now, `YYYY-MM-DD`; its first seven characters are the month. */
  today(): string;
  /** Later days were written by a wrong clock. */
  lastCredibleDay(): string;
}

/** A calendar of a time zone (IANA name; undefined for the system's). Throws `invalid_config`. */
export function createCalendar(clock: Clock, timeZone: string | undefined): Calendar {
  const dayOf = dayIn(timeZone);
  return { today: () => dayOf(clock.now()), lastCredibleDay: () => lastCredibleDay(clock.now()) };
}

const DAY_MS = 24 * 60 * 60_000;
/** A clock that leaps by more, while little time passed, is wrong; a laptop may well sleep for a month. */
const MAX_LEAP_MS = 40 * DAY_MS;
/** This code is no older: a clock that shows less has lost the time, and any leap forward mends it. */
const WRITTEN_AT = Date.UTC(2026, 10, 1);

/**
 * A clock whose time on the wall must agree with the one that only grows: a leap forward of more than 40 days is not
 * followed, unless it leaves a time from before this code was written. A step back is, as when a wrong clock is set.
 */
export function createTrustedClock(clock: Clock): Clock {
  let wall = clock.now();
  let passed = clock.monotonic();
  return {
    monotonic: () => clock.monotonic(),
    now: () => {
      const [now, expected] = [clock.now(), wall + clock.monotonic() - passed];
      if (now - expected > MAX_LEAP_MS && expected >= WRITTEN_AT) return expected;
      wall = now;
      passed = clock.monotonic();
      return now;
    },
  };
}

/** The last day that a purchase may bear at this instant, `YYYY-MM-DD`: a later one was written by a wrong clock. */
function lastCredibleDay(now: number): string {
  // A clock that has lost the time must not make purchases of the right time incredible.
  return now < WRITTEN_AT ? '9999-12-31' : new Date(now + MAX_LEAP_MS).toISOString().slice(0, 10);
}

/** Where services keep their books: their document does not say where their days and months end. */
const BOOK_ZONES = ['UTC', 'Asia/Shanghai', 'America/Los_Angeles', 'America/New_York'] as const;

/** Whether two instants lie in one day, of each zone of BOOK_ZONES and of the user's. A month ends with a day. */
export function isOneDay(from: number, to: number, timeZone: string | undefined): boolean {
  return [...BOOK_ZONES, timeZone].map(dayIn).every((dayOf) => dayOf(from) === dayOf(to));
}

function dayIn(timeZone: string | undefined): (at: number) => string {
  // Loading Intl's calendar data takes longer than loading all of this room.
  if (timeZone === undefined) return (at) => systemDay(new Date(at));
  const format = formatter(timeZone);
  return (at) => format.format(at);
}

function systemDay(now: Date): string {
  return `${now.getFullYear()}-${twoDigits(now.getMonth() + 1)}-${twoDigits(now.getDate())}`;
}

function twoDigits(value: number): string {
  return `${value}`.padStart(2, '0');
}

function formatter(timeZone: string): Intl.DateTimeFormat {
  try {
    // Swedish writes dates as ISO does.
    return new Intl.DateTimeFormat('sv-SE', { year: 'numeric', month: '2-digit', day: '2-digit', timeZone });
  } catch (cause) {
    throw new SvcdError('invalid_config', `there is no time zone ${JSON.stringify(timeZone)}`, {
      cause,
      hint: 'Use a name such as Asia/Shanghai.',
    });
  }
}
