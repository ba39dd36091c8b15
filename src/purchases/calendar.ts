// Which day and month it is where the user lives: what budgets are counted by.

import type { Clock } from '../platform/clock.js';
import { SvcdError } from '../model/errors.js';

export interface Calendar {
  /** The day of now, `YYYY-MM-DD`; its first seven characters are the month. */
  today(): string;
}

/** A calendar of a time zone (IANA name; undefined for the system's). Throws `invalid_config`. */
export function createCalendar(clock: Clock, timeZone: string | undefined): Calendar {
  // Loading Intl's calendar data takes longer than loading all of this room.
  if (timeZone === undefined) return { today: () => systemDay(new Date(clock.now())) };
  const format = formatter(timeZone);
  return { today: () => format.format(clock.now()) };
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
