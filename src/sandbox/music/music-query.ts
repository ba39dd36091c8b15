// GET /api/v1/music/search: its query. The document names what tracks are chosen by (purpose, mood, style,
// duration) and shows no path and no parameter: all of this file is our choice.

import { SvcdError } from '../../model/errors.js';
import { describe } from '../../contract/json-body.js';
import { LIMIT_DEFAULT, LIMIT_MAX } from '../../contract/limits.js';

export const PURPOSES = ['vlog', 'product', 'celebration', 'education', 'story', 'news'] as const;
export const MOODS = ['happy', 'calm', 'sad', 'epic', 'tense', 'romantic'] as const;
export const STYLES = ['piano', 'electronic', 'folk', 'ambient', 'marimba'] as const;
/** Seconds. */
const DURATION_MAX = 600;

export type Purpose = (typeof PURPOSES)[number];
export type Mood = (typeof MOODS)[number];
export type Style = (typeof STYLES)[number];

export interface MusicQuery {
  purpose: Purpose | undefined;
  mood: Mood | undefined;
  style: Style | undefined;
  /** Seconds that the track should last. */
  duration: number | undefined;
  limit: number;
}

/** Reads what tracks are wanted; without a word all of them are. Throws `invalid_request`. */
export function parseMusicQuery(parameters: URLSearchParams): MusicQuery {
  return {
    purpose: oneOf(parameters, 'purpose', PURPOSES),
    mood: oneOf(parameters, 'mood', MOODS),
    style: oneOf(parameters, 'style', STYLES),
    duration: wholeNumber(parameters, 'duration', DURATION_MAX),
    limit: wholeNumber(parameters, 'limit', LIMIT_MAX) ?? LIMIT_DEFAULT,
  };
}

function oneOf<T extends string>(
  parameters: URLSearchParams,
  name: string,
  known: readonly T[],
): T | undefined {
  const value = parameters.get(name);
  if (value === null) return undefined;
  const found = known.find((one) => one === value);
  if (found !== undefined) return found;
  throw wrong(name, `one of ${known.join(', ')}`, value);
}

function wholeNumber(parameters: URLSearchParams, name: string, max: number): number | undefined {
  const value = parameters.get(name);
  if (value === null) return undefined;
  const number = /^\d{1,9}$/.test(value) ? Number(value) : NaN;
  if (number >= 1 && number <= max) return number;
  throw wrong(name, `a whole number from 1 to ${max}`, value);
}

function wrong(name: string, expected: string, value: string): SvcdError {
  return new SvcdError('invalid_request', `${name}: must be ${expected}, got ${describe(value)}`);
}
