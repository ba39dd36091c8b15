// What two records of one sticker say together. A thin record never erases a rich one.

import { presetProblem } from '../../model/preset.js';
import type { Sticker } from '../../model/sticker.js';

/** The newer record completed by the older: its own title and fields, the older's where it is silent, keywords of both. */
export function mergeSticker(older: Sticker, newer: Sticker): Sticker {
  const given = Object.entries(newer).filter(([, value]) => value !== undefined && value !== null);
  return {
    ...older,
    ...Object.fromEntries(given),
    title: newer.title.trim() === '' ? older.title : newer.title,
    keywords: mergeKeywords(older.keywords, newer.keywords),
  };
}

/** Whether a record can be kept: a preset by the grammar, and a title. */
export function isStorable({ preset, title }: Sticker): boolean {
  return presetProblem(preset) === undefined && title.trim() !== '';
}

// The newer order counts when it has everything the older had.
function mergeKeywords(older: readonly string[], newer: readonly string[]): readonly string[] {
  const missing = older.filter((keyword) => !newer.includes(keyword));
  return missing.length === 0 ? newer : [...older, ...newer.filter((keyword) => !older.includes(keyword))];
}
