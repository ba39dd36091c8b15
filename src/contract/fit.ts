// What fit says: how well a sticker answers a question, from 0 to 1, explained by its reasons. The field and its words are our
// choice. How it is measured is for the library.

import * as v from 'valibot';

/** 1 for what is called just what was asked; a score orders one answer, fit means the same in all. */
export const fit = v.exactOptional(v.number());

/** True where nothing fits: what is listed is only loosely related. */
export const weak = v.exactOptional(v.literal(true));

const STRONG = 0.71;
/** What fits less is only loosely related. */
const FAIR = 0.5;
/** The first so many are judged. */
export const JUDGED = 3;

export const FIT_WORDS = ['strong', 'fair', 'weak'] as const;
export type FitWord = (typeof FIT_WORDS)[number];

export function wordOfFit(value: number): FitWord {
  // As it is told: the word and the number agree.
  const told = roundFit(value);
  if (told >= STRONG) return 'strong';
  return told >= FAIR ? 'fair' : 'weak';
}

/** As it is told. */
export const roundFit = (value: number): number => Math.round(value * 100) / 100;

/** Whether results are all weak, as far as the first tell. Without any, or without words, nothing is to be said. */
export function isWeak(results: readonly { readonly fit?: number | undefined }[]): boolean {
  const first = results.slice(0, JUDGED);
  return first.length > 0 && first.every(({ fit: one }) => one !== undefined && roundFit(one) < FAIR);
}

/** Where what is only loosely related begins: behind it nothing fits better; null where all fits. */
export function relatedFrom(results: readonly { readonly fit?: number | undefined }[], offset = 0): number | null {
  if (offset === 0 && isWeak(results)) return 0;
  const last = results.findLastIndex(({ fit: one }) => one === undefined || roundFit(one) >= FAIR);
  return last + 1 === results.length ? null : offset + last + 1;
}
