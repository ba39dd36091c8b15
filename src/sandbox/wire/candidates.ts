// What a sticker looks like in the answers of search and match.

import { stickerPath, type Sticker } from '../../model/sticker.js';
import type { Answer } from './answer-schemas.js';

export type MatchResult = Answer<'MatchAnswer'>['results'][number];
export type Reason = MatchResult['reasons'][number];

/** A sticker in a search answer; `origin` is the sandbox's own address, without a slash at its end. */
export function candidateOf(sticker: Sticker, origin: string): Answer<'SearchAnswer'>['results'][number] {
  const { preset, title, keywords, width, height, duration, aspect, color } = sticker;
  return {
    preset,
    title,
    keywords: [...keywords],
    width,
    height,
    duration,
    aspect_ratio: aspect,
    primary_color: color,
    file: origin + stickerPath(preset),
  };
}

/** A sticker in a match answer, its score rounded to what ordering needs. */
export function matchResultOf(
  { preset, title, width, height, duration }: Sticker,
  score: number,
  reasons: Reason[],
  origin: string,
): MatchResult {
  const rounded = Math.round(score * 1000) / 1000;
  return {
    preset,
    title,
    score: rounded,
    reasons,
    width,
    height,
    duration,
    file: origin + stickerPath(preset),
  };
}
