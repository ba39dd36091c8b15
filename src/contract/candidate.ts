// What search and match return. The document names `preset`, `file`, `extracted_keywords`, `total` and
// `results`; the other field names are our choice.

import * as v from 'valibot';
import { fit, roundFit, weak } from './fit.js';
import { stickerPath, STYLE_KINDS, styleKindOf, type Sticker } from '../model/sticker.js';

const words = v.pipe(v.array(v.string()), v.readonly());
/** Width and height in pixels, duration in seconds. */
const shape = {
  width: v.exactOptional(v.number()),
  height: v.exactOptional(v.number()),
  duration: v.exactOptional(v.number()),
};
/** How it is drawn, as far as the name of its style tells. */
export const styleKind = v.exactOptional(v.picklist(STYLE_KINDS));
/** What it is called in other languages; `translated` where svcd made the English one of the preset or a dictionary. */
export const otherTitles = {
  titles: v.exactOptional(
    v.object({ en: v.exactOptional(v.string()), ja: v.exactOptional(v.string()), ko: v.exactOptional(v.string()) }),
  ),
  translated: v.exactOptional(v.literal(true)),
};
/** Where to download it: needs a Key, costs a credit unless owned. */
const file = v.string();

/** One sticker in a search answer. `aspect_ratio` is width divided by height, `primary_color` is `#rrggbb`. */
export const candidateSchema = v.object({
  preset: v.string(),
  title: v.string(),
  ...otherTitles,
  keywords: words,
  ...shape,
  aspect_ratio: v.exactOptional(v.number()),
  primary_color: v.exactOptional(v.string()),
  style_kind: styleKind,
  file,
  fit,
});
export type Candidate = v.InferOutput<typeof candidateSchema>;

/** `total` is how many stickers match, not how many are listed. */
export const searchAnswerSchema = v.object({
  query: v.string(),
  total: v.number(),
  weak,
  results: v.array(candidateSchema),
});
export type SearchAnswer = v.InferOutput<typeof searchAnswerSchema>;

const reasonSchema = v.object({
  keyword: v.string(),
  field: v.picklist(['title', 'keywords']),
  source: v.picklist(['direct', 'synonym']),
});
export type Reason = v.InferOutput<typeof reasonSchema>;
export type MatchField = Reason['field'];

/** `score` is for ordering only; it is not a probability. */
const matchResultSchema = v.object({
  preset: v.string(),
  title: v.string(),
  ...otherTitles,
  score: v.number(),
  reasons: v.array(reasonSchema),
  ...shape,
  style_kind: styleKind,
  file,
  fit,
});
export type MatchResult = v.InferOutput<typeof matchResultSchema>;

export const matchAnswerSchema = v.object({
  extracted_keywords: v.array(v.string()),
  total: v.number(),
  weak,
  results: v.array(matchResultSchema),
});
export type MatchAnswer = v.InferOutput<typeof matchAnswerSchema>;

/** The candidate of a sticker; `origin` is the address of the answering server, without a slash at its end. */
export function candidateOf(sticker: Sticker, origin: string): Candidate {
  const { preset, title, keywords, width, height, duration, aspect, color } = sticker;
  return {
    preset,
    title,
    keywords,
    ...defined({ width, height, duration, aspect_ratio: aspect, primary_color: color }),
    ...styleKindOf(preset),
    file: origin + stickerPath(preset),
  };
}

/** The match result of a sticker, with the score rounded to what ordering needs. */
export function matchResultOf(
  sticker: Sticker,
  { score, fit: own, reasons }: Pick<MatchResult, 'score' | 'reasons'> & { readonly fit: number },
  origin: string,
): MatchResult {
  const { preset, title, width, height, duration } = sticker;
  return {
    preset,
    title,
    score: Math.round(score * 1000) / 1000,
    reasons,
    ...defined({ width, height, duration }),
    ...styleKindOf(preset),
    file: origin + stickerPath(preset),
    fit: roundFit(own),
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
