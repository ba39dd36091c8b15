// What search and match return. The document names `preset`, `file`, `extracted_keywords`, `total` and
// `results`; the other field names are our choice.

import { stickerPath, type Sticker } from '../model/sticker.js';

/** One sticker in a search answer. */
export interface Candidate {
  preset: string;
  title: string;
  keywords: readonly string[];
  /** Pixels. */
  width?: number;
  height?: number;
  /** Seconds. */
  duration?: number;
  /** Width divided by height. */
  aspect_ratio?: number;
  /** `#rrggbb`. */
  primary_color?: string;
  /** Where to download it: needs a Key, costs a credit unless owned. */
  file: string;
}

export interface SearchAnswer {
  query: string;
  /** How many stickers match, not how many are listed. */
  total: number;
  results: Candidate[];
}

export type MatchField = 'title' | 'keywords';

export interface Reason {
  keyword: string;
  field: MatchField;
  source: 'direct' | 'synonym';
}

export interface MatchResult {
  preset: string;
  title: string;
  /** For ordering only; not a probability. */
  score: number;
  reasons: Reason[];
  width?: number;
  height?: number;
  /** Seconds. */
  duration?: number;
  file: string;
}

export interface MatchAnswer {
  extracted_keywords: string[];
  total: number;
  results: MatchResult[];
}

/** The candidate of a sticker; `origin` is the address of whoever answers, without a slash at its end. */
export function candidateOf(sticker: Sticker, origin: string): Candidate {
  const { preset, title, keywords, width, height, duration, aspect, color } = sticker;
  return {
    preset,
    title,
    keywords,
    ...defined({ width, height, duration, aspect_ratio: aspect, primary_color: color }),
    file: origin + stickerPath(preset),
  };
}

/** The match result of a sticker, with the score rounded to what ordering needs. */
export function matchResultOf(
  sticker: Sticker,
  score: number,
  reasons: Reason[],
  origin: string,
): MatchResult {
  const { preset, title, width, height, duration } = sticker;
  return {
    preset,
    title,
    score: Math.round(score * 1000) / 1000,
    reasons,
    ...defined({ width, height, duration }),
    file: origin + stickerPath(preset),
  };
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function defined<T extends object>(fields: T): Defined<T> {
  const kept: Defined<T> = {};
  // A loop, not fromEntries: this runs for every result of every search.
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined) kept[name] = value as Exclude<T[typeof name], undefined>;
  }
  return kept;
}
