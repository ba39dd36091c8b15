// Which day and month it is where the user lives: what budgets are counted by.

import type { Clock } from '../platform/clock.js';
import { SvcdError } from '../model/errors.js';

export interface Calendar {
  /** The day of now, `YYYY-MM-DD`; its first seven characters are the month. */
  today(): string;
}

/** A calendar of a time zone (IANA name; undefined for the system's). Throws `invalid_config`. */
export function createCalendar(clock: Clock, timeZone: string | undefined): Calendar {
  const dayOf = dayIn(timeZone);
  return { today: () => dayOf(clock.now()) };
}

const CHINA_OFFSET_MS = 8 * 60 * 60_000;

/**
 * Whether two instants lie in one day: of UTC, of China and of the user's time zone, for the service's document does not
 * say where its days and months end. A month ends with a day.
 */
export function isOneDay(from: number, to: number, timeZone: string | undefined): boolean {
  const utcDay = (at: number) => Math.floor(at / 86_400_000);
  if (utcDay(from) !== utcDay(to)) return false;
  if (utcDay(from + CHINA_OFFSET_MS) !== utcDay(to + CHINA_OFFSET_MS)) return false;
  const dayOf = dayIn(timeZone);
  return dayOf(from) === dayOf(to);
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
